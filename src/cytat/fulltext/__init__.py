"""The words index: chunks' terms in FTS5, and the ranking by them."""

from cytat.fulltext.checking import WordsFaults, check_words
from cytat.fulltext.index import (
    ChunkWords,
    index_chunks,
    rebuild_words,
    remove_chunks,
    words_of_chunk,
)
from cytat.fulltext.languages import corpus_languages
from cytat.fulltext.postings import count_indexed, document_frequencies, rarity
from cytat.fulltext.ranking import WordsRanking, rank_by_words

__all__ = [
    "ChunkWords",
    "WordsFaults",
    "WordsRanking",
    "check_words",
    "corpus_languages",
    "count_indexed",
    "document_frequencies",
    "index_chunks",
    "rank_by_words",
    "rarity",
    "rebuild_words",
    "remove_chunks",
    "words_of_chunk",
]
