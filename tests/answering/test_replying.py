"""The reply is in the asker's language."""

import pytest
from tests.answering.corpus_of import corpus_of

POLISH = (
    "Zakupy z września, które nie są jeszcze zapłacone, są w osobnym zeszycie.",
    "Biuro jest czynne od godziny ósmej do piętnastej.",
)
ENGLISH = ("The office is open from eight to three.", "The rent is due on the first day.")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("jak upiec sernik", "pl"),
        ("ktore zakupy z wrzesnia nie sa zaplacone", "pl"),
        ("FV/2025/11/0007", "pl"),
        ("What is the capital of France?", "en"),
        ("Jaka jest stolica Francji?", "pl"),
    ],
)
def test_a_question_without_diacritics_gets_the_language_of_the_documents(
    question: str, language: str
) -> None:
    assert corpus_of(*POLISH).ask(question).reply.language == language


@pytest.mark.parametrize(
    ("question", "language"), [("Jaka jest stolica Francji?", "pl"), ("INV/2025/11/0007", "en")]
)
def test_a_plain_question_keeps_its_own_language(question: str, language: str) -> None:
    assert corpus_of(*ENGLISH).ask(question).reply.language == language
