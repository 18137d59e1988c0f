"""Ranking by rows, for what has not gone over to `protocols.Moment` yet."""

from cytat.backends.sqlite.filtering import DocumentIndex
from cytat.backends.sqlite.ranking import AllowedDocuments
from cytat.backends.sqlite.vector_index import VectorIndex
from cytat.backends.sqlite.words_index import WordsIndex, rarity
from cytat.backends.sqlite.words_ranking import WordsRanking, rank_by_words

__all__ = [
    "AllowedDocuments",
    "DocumentIndex",
    "VectorIndex",
    "WordsIndex",
    "WordsRanking",
    "rank_by_words",
    "rarity",
]
