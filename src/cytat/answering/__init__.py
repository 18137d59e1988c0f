"""Question -> Answer or Refusal: gate, evidence, draft or quotes, grounding."""

from cytat.answering.pipeline import Parts, Watch, answer_question
from cytat.answering.survey import QuestionRetriever, Survey, Surveyor, survey_of

__all__ = [
    "Parts", "QuestionRetriever", "Survey", "Surveyor", "Watch", "answer_question", "survey_of",
]  # fmt: skip
