"""Text or question -> terms: language, tokens, stems. Pure, without a model."""

from cytat.analysis.analyser import (
    analyse_question,
    has_words,
    language_mark,
    terms_by_passage,
    terms_in_order,
    terms_of,
)
from cytat.analysis.language import LANGUAGES, detect_language, passage_language, stop_words
from cytat.analysis.scored_rows import (
    SCORE_DECIMALS,
    AllowedRows,
    ScoredRows,
    best_rows,
    scored_rows,
)
from cytat.records import Query, TermGroup

__all__ = [
    "LANGUAGES",
    "SCORE_DECIMALS",
    "AllowedRows",
    "Query",
    "ScoredRows",
    "TermGroup",
    "analyse_question",
    "best_rows",
    "detect_language",
    "has_words",
    "language_mark",
    "passage_language",
    "scored_rows",
    "stop_words",
    "terms_by_passage",
    "terms_in_order",
    "terms_of",
]
