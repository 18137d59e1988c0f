"""Text or question -> terms: language, tokens, stems. Pure, without a model."""

from cytat.query.allowed import AllowedRows
from cytat.query.analyser import (
    Query,
    TermGroup,
    analyse_question,
    has_words,
    language_mark,
    terms_by_passage,
    terms_in_order,
    terms_of,
)
from cytat.query.language import detect_language
from cytat.query.passages import passage_language
from cytat.query.scored import SCORE_DECIMALS, ScoredRows, best_rows, scored_rows
from cytat.query.words import LANGUAGES, stop_words

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
