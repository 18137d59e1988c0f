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
from cytat.records import Query, TermGroup

__all__ = [
    "LANGUAGES",
    "Query",
    "TermGroup",
    "analyse_question",
    "detect_language",
    "has_words",
    "language_mark",
    "passage_language",
    "stop_words",
    "terms_by_passage",
    "terms_in_order",
    "terms_of",
]
