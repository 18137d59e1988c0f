"""Question -> Answer or Refusal: gate, evidence, draft or quotes, grounding."""

from cytat.answering.gate import (
    Gate,
    calibrated_gate,
    gate_hash,
    margin_weights,
    open_gate,
    shipped_gate,
)
from cytat.answering.pipeline import AnswerObserver, Parts, answer_question
from cytat.answering.survey import QuestionRetriever, Survey, Surveyor, survey_of

__all__ = [
    "AnswerObserver",
    "Gate",
    "Parts",
    "QuestionRetriever",
    "Survey",
    "Surveyor",
    "answer_question",
    "calibrated_gate",
    "gate_hash",
    "margin_weights",
    "open_gate",
    "shipped_gate",
    "survey_of",
]  # fmt: skip
