"""Questions that the documents do not answer."""

import pytest
from tests.answering.corpus_of import corpus_of

from cytat.errors import UsageError
from cytat.records import Coverage, Refusal, RefusalReason
from cytat.testing.generators import ScriptedGenerator

LEASE = ("Kaucja wynosi 4300 zł.", "Czynsz 2150 zł.", "Najem na 12 miesięcy.")


# case ANS-08
@pytest.mark.parametrize(
    "question",
    [
        "Dlaczego niebo jest niebieskie?",
        "Jaka jest stolica Francji?",
        "Ile wynosi kaucja za garaż?",
        "Ile wynosi składka ZUS?",
    ],
)
def test_a_question_that_no_document_answers_is_refused(question: str) -> None:
    refusal = corpus_of(*LEASE).ask(question).refusal
    assert refusal.reason in {RefusalReason.NO_EVIDENCE, RefusalReason.WEAK_EVIDENCE}


def test_the_gate_stands_before_the_model() -> None:
    model = ScriptedGenerator("Bo rozprasza światło [1].")
    asked = corpus_of(*LEASE).ask("Dlaczego niebo jest niebieskie?", generator=model)
    assert isinstance(asked.reply, Refusal)
    assert model.prompts == []


def test_an_identifier_that_stands_nowhere_is_refused_with_the_nearest_shown() -> None:
    register = "Faktura FV/2025/09/0143 opiewa na 100 zł."
    refusal = corpus_of(register, *LEASE).ask("FV/2025/09/9999").refusal
    assert refusal.reason is RefusalReason.WEAK_EVIDENCE
    assert register in [hit.text for hit in refusal.nearest]
    assert any("9999" in note for note in refusal.notes)


def test_an_identifier_that_is_there_is_answered() -> None:
    register = "Faktura FV/2025/09/0143 opiewa na 100 zł."
    answer = corpus_of(register, *LEASE).ask("Na ile opiewa faktura FV/2025/09/0143?").answer
    assert answer.citations[0].quote == register


def test_an_empty_corpus_is_said_to_be_empty() -> None:
    refusal = corpus_of().ask("Ile wynosi kaucja?").refusal
    assert refusal.reason is RefusalReason.EMPTY_CORPUS
    assert refusal.nearest == ()


def test_a_refusal_speaks_the_language_of_the_question() -> None:
    polish, english = corpus_of(*LEASE), corpus_of("The rent is due on the first of the month.")
    assert "dokumentach" in polish.ask("Jaka jest stolica Francji?").refusal.text
    assert "documents" in english.ask("What is the capital of France?").refusal.text


def test_a_refusal_says_how_much_could_not_be_read() -> None:
    refusal = (
        corpus_of(*LEASE, coverage=Coverage(120, 3, 7)).ask("Jaka jest stolica Francji?").refusal
    )
    assert refusal.coverage == Coverage(120, 3, 7)
    assert any("3 plików z 120" in note for note in refusal.notes)


@pytest.mark.parametrize("question", ["", "  ", "\n\t"])
def test_an_empty_question_is_misuse(question: str) -> None:
    with pytest.raises(UsageError):
        corpus_of(*LEASE).ask(question)


def test_a_question_for_a_figure_is_not_answered_with_a_sentence_without_one() -> None:
    corpus = corpus_of("Kaucja za lokal jest zwracana po oddaniu lokalu.")
    refusal = corpus.ask("Ile wynosi kwota kaucji za lokal?").refusal
    assert refusal.reason is RefusalReason.NOT_IN_EVIDENCE
    assert refusal.nearest
