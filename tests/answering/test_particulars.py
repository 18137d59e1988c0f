"""A year, a name or a number of the question that the evidence lacks shows."""

import pytest
from tests.answering.corpus_of import SmallCorpus, corpus_of

from cytat.answering import open_gate
from cytat.records import Answer, RefusalReason

REPORTS = (
    "Przychody spółki Wierzba w 2023 roku wyniosły 410 000 zł.",
    "Przychody spółki Wierzba w 2024 roku wyniosły 455 000 zł.",
    "Spółka Grab ma siedzibę w Pile i zatrudnia 12 osób.",
)


def reports() -> SmallCorpus:
    return corpus_of(*REPORTS)


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("Jakie były przychody spółki Wierzba w 2019 roku?", "2019"),
        ("Ile wyniosły przychody spółki Grab w 2023 roku?", "Grab"),
        ("przychody spolki Wierzba w 2019", "2019"),
    ],
)
def test_another_year_or_another_company_is_refused_with_the_reason(
    question: str, lacking: str
) -> None:
    refusal = corpus_of(*REPORTS[:2], "Grab.").ask(question, gate=open_gate()).refusal
    assert refusal.reason is RefusalReason.NOT_IN_EVIDENCE
    assert any(lacking in note for note in refusal.notes)


def test_a_name_that_stands_nowhere_is_noted() -> None:
    reply = reports().ask("Ile wyniosły przychody spółki Modrzew w 2023 roku?", gate=open_gate())
    assert any("Modrzew" in note for note in reply.reply.notes)


def test_a_year_and_a_name_that_are_there_are_answered_without_a_note() -> None:
    answer = reports().ask("Ile wyniosły przychody spółki Wierzba w 2024 roku?").answer
    assert answer.citations[0].quote == REPORTS[1]
    assert answer.notes == ()


def test_a_rule_without_a_year_answers_for_a_year_with_a_note() -> None:
    corpus = corpus_of("Składkę płaci się do końca marca.", "Klub ma przystań.")
    reply = corpus.ask("Do kiedy płaci się składkę w 2031 roku?", gate=open_gate()).reply
    assert isinstance(reply, Answer)
    assert any("2031" in note for note in reply.notes)


def test_another_school_number_is_refused() -> None:
    corpus = corpus_of("Obiad w szkole nr 3 kosztuje 9 zł.", "Biblioteka jest czynna do 15.")
    refusal = corpus.ask("Ile kosztuje obiad w szkole nr 8?", gate=open_gate()).refusal
    assert any("8" in note for note in refusal.notes)


def test_a_country_does_not_have_to_be_mentioned() -> None:
    corpus = corpus_of("Stawka VAT na książki wynosi 5 %.", "Firma działa w Polsce.")
    answer = corpus.ask("Jaka jest stawka VAT na książki w Polsce?", gate=open_gate()).answer
    assert answer.notes == ()


def test_another_site_is_refused() -> None:
    corpus = corpus_of("Tlen w punkcie K05 wynosił 6,1 mg/l.", "Pomiary prowadzi stacja.")
    refusal = corpus.ask("Ile wynosił tlen w punkcie K12?", gate=open_gate()).refusal
    assert any("K12" in note for note in refusal.notes)
