"""The words index: the terms of all chunks as postings, and the ranking by them."""

from cytat.fulltext.checking import WordsFaults, check_words
from cytat.fulltext.index import ChunkWords, index_chunks, rebuild_words, words_of_chunk
from cytat.fulltext.postings import WordsIndex, rarity
from cytat.fulltext.ranking import WordsRanking, rank_by_words

__all__ = [
    "ChunkWords",
    "WordsFaults",
    "WordsIndex",
    "WordsRanking",
    "check_words",
    "index_chunks",
    "rank_by_words",
    "rarity",
    "rebuild_words",
    "words_of_chunk",
]
