"""The words index: the terms of all chunks as postings, and the ranking by them."""

from cytat.fulltext.checking import WordsFaults, check_words
from cytat.fulltext.index import (
    ChunkWords,
    Numbers,
    TermNumbers,
    index_chunks,
    index_terms,
    rebuild_words,
    terms_of_chunk,
    words_of_chunk,
)
from cytat.fulltext.postings import WordsIndex, rarity
from cytat.fulltext.ranking import WordsRanking, rank_by_words

__all__ = [
    "ChunkWords",
    "Numbers",
    "TermNumbers",
    "WordsFaults",
    "WordsIndex",
    "WordsRanking",
    "check_words",
    "index_chunks",
    "index_terms",
    "rank_by_words",
    "rarity",
    "rebuild_words",
    "terms_of_chunk",
    "words_of_chunk",
]
