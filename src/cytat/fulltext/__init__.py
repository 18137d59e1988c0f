"""The words of chunks as index terms, and the ranking of chunks by the words of a question."""

from cytat.fulltext.postings import (
    NOWHERE,
    Counts,
    Postings,
    PostingsSource,
    TermWeights,
    norms_of,
    rarity,
    united,
)
from cytat.fulltext.ranking import WordsRanking, rank_by_words
from cytat.fulltext.words import MAX_WORDS, terms_of_chunk, terms_of_words

__all__ = [
    "MAX_WORDS",
    "NOWHERE",
    "Counts",
    "Postings",
    "PostingsSource",
    "TermWeights",
    "WordsRanking",
    "norms_of",
    "rank_by_words",
    "rarity",
    "terms_of_chunk",
    "terms_of_words",
    "united",
]
