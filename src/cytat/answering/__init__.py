"""Question -> Answer or Refusal: gate, evidence, draft or quotes, grounding."""

from cytat.answering.drafting import Listener, prompts_hash
from cytat.answering.gate import (
    Gate,
    GateDecision,
    calibrated_gate,
    gate_hash,
    margin_weights,
    open_gate,
    shipped_gate,
)
from cytat.answering.pipeline import (
    AskOutcome,
    Material,
    Means,
    answer_question,
    check_question,
    nobody,
)
from cytat.answering.survey import Survey, survey_of

__all__ = [
    "AskOutcome",
    "Gate",
    "GateDecision",
    "Listener",
    "Material",
    "Means",
    "Survey",
    "answer_question",
    "calibrated_gate",
    "check_question",
    "gate_hash",
    "margin_weights",
    "nobody",
    "open_gate",
    "prompts_hash",
    "shipped_gate",
    "survey_of",
]
