"""What of a draft stands, and why the rest does not."""

import pytest
from tests.grounding.passages import BEFORE, evidence_of, is_fresh

from cytat.errors import CitationError
from cytat.grounding import Grounding, cite, ground, text_with_markers
from cytat.records import Span, Verdict

LEASE = ("Kaucja wynosi 4300 zł.", "Czynsz 2150 zł.", "Najem na 12 miesięcy.")


def grounded(draft: str, *texts: str) -> Grounding:
    evidence, held = evidence_of(*(texts or LEASE))
    return ground(draft, evidence, texts=held, is_stale=is_fresh)


# case ANS-01
def test_an_invented_marker_and_a_wrong_number_leave_nothing() -> None:
    result = grounded("Kaucja wynosi 4300 zł [7], a czynsz 9999 zł [2].")
    assert (result.statements, result.citations) == ((), ())
    assert [dropped.verdict for dropped in result.dropped] == [Verdict.UNSUPPORTED] * 2
    assert "not given" in result.dropped[0].reason
    assert "9999" in result.dropped[1].reason


# case ANS-04
@pytest.mark.parametrize(
    "draft",
    [
        "Nie znalazłem tej informacji w dokumentach.",
        "The documents do not say.",
        "W podanych źródłach brak takich danych [1].",
        "Die Quellen enthalten dazu nichts.",
        "Die Quellen enthalten dazu nichts [1].",
    ],
)
def test_saying_that_nothing_was_found_brings_no_citation(draft: str) -> None:
    assert grounded(draft).citations == ()


def test_the_sign_for_no_answer_is_kept_apart_from_what_is_said() -> None:
    result = grounded("NO_ANSWER")
    assert result.says_no_answer
    assert result.dropped == ()


def test_a_statement_that_stands_word_for_word_is_quoted() -> None:
    result = grounded("Kaucja wynosi 4300 zł [1].")
    assert [(one.text, one.verdict) for one in result.statements] == [
        ("Kaucja wynosi 4300 zł.", Verdict.QUOTED)
    ]


def test_a_statement_in_other_words_is_unchecked_and_cites_the_sentence() -> None:
    (text, *_) = ("Strony zawarły umowę. Kaucja wynosi 4300 zł. Zwrot następuje w maju.",)
    result = grounded("Kaucja to 4300 zł [1].", text)
    assert [one.verdict for one in result.statements] == [Verdict.UNCHECKED]
    assert [one.quote for one in result.citations] == ["Kaucja wynosi 4300 zł."]
    assert result.citations[0].span.start == len(BEFORE) + len("Strony zawarły umowę. ")


def test_citations_are_numbered_in_the_order_of_use_and_equal_ones_once() -> None:
    result = grounded("Najem trwa 12 miesięcy [3]. Kaucja wynosi 4300 zł [1]. Kaucja 4300 zł [1].")
    assert [one.markers for one in result.statements] == [(1,), (2,), (2,)]
    assert [one.quote for one in result.citations] == [LEASE[2], LEASE[0]]


def test_markers_stand_before_the_stop_in_the_text() -> None:
    result = grounded("Kaucja wynosi 4300 zł [1]. Czynsz 2150 zł [2]")
    assert text_with_markers(result.statements) == "Kaucja wynosi 4300 zł [1]. Czynsz 2150 zł [2]"


def test_a_statement_without_a_marker_is_dropped_even_if_it_is_true() -> None:
    (dropped,) = grounded("Kaucja wynosi 4300 zł.").dropped
    assert dropped.reason == "no citation"


def test_a_line_that_introduces_the_next_ones_is_not_held_against_the_draft() -> None:
    result = grounded("Według umowy:\n- Kaucja wynosi 4300 zł [1]")
    assert result.dropped == ()
    assert len(result.statements) == 1


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Kaucja to 4 300,00 zł", "Kaucja wynosi 4300 zł."),
        ("The deposit is PLN 4,300.00", "Kaucja wynosi 4300 zł."),
        ("Umowę zawarto 12 września 2025 r.", "Umowę zawarto dnia 12.09.2025 w Krakowie."),
        ("The contract dates from 12 September 2025", "Umowę zawarto 12.09.2025."),
        ("Stawka na książki to 5 procent", "| Książki | 5 % |"),
        ("Najem trwa 12 miesięcy", "Najem trwa dwanaście miesięcy, potem wygasa."),
        ("Books are taxed at 5%", "Books: the rate is 5 per cent."),
        ("Kaucja wynosi 500 EUR", "The deposit is 500 EUR."),
    ],
)
def test_what_says_the_same_in_another_form_stands(statement: str, evidence: str) -> None:
    result = grounded(f"{statement} [1].", evidence)
    assert [one.text for one in result.statements] == [f"{statement}."], result.dropped


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Kaucja wynosi 4301 zł", "Kaucja wynosi 4300 zł."),
        ("Kaucja wynosi 4300 EUR", "Kaucja wynosi 4300 zł."),
        ("Kaucja wynosi 43 zł", "Kaucja wynosi 4300 zł."),
        ("Umowę zawarto 13 września 2025 r.", "Umowę zawarto dnia 12.09.2025."),
        ("Stawka na książki to 23 procent", "| Książki | 5 % |"),
        ("Faktura FV/2025/09/0144 opiewa na 100 zł", "Faktura FV/2025/09/0143 opiewa na 100 zł."),
        ("Form PHD-08 extends the deadline", "Form PHD-07 extends the deadline."),
        ("Słońce świeci nad jeziorem", "Kaucja wynosi 4300 zł."),
        ("Anna Nowak signed it in Berlin", "Umowę podpisał Jan Kowalski w Krakowie."),
    ],
)
def test_what_the_evidence_does_not_say_is_unsupported(statement: str, evidence: str) -> None:
    result = grounded(f"{statement} [1].", evidence)
    assert [one.verdict for one in result.dropped] == [Verdict.UNSUPPORTED]
    assert result.citations == ()


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Najemca nie może oddać lokalu", "Najemca może oddać lokal w podnajem."),
        ("Najemca może oddać lokal w podnajem", "Najemca nie może oddać lokalu w podnajem."),
        ("Visitors may enter the laboratory", "Visitors may not enter the laboratory."),
        ("The fee is not refunded", "The fee is refunded after a month."),
    ],
)
def test_a_turned_negation_is_contradicted(statement: str, evidence: str) -> None:
    result = grounded(f"{statement} [1].", evidence)
    assert [one.verdict for one in result.dropped] == [Verdict.CONTRADICTED]


def test_a_negation_that_both_have_stands() -> None:
    result = grounded(
        "Lokalu nie wolno oddać w podnajem [1].", "Najemcy nie wolno oddać lokalu w podnajem."
    )
    assert len(result.statements) == 1, result.dropped


def test_two_passages_may_carry_one_statement_together() -> None:
    result = grounded("Kaucja to 4300 zł, a czynsz 2150 zł [1][2].")
    assert [one.markers for one in result.statements] == [(1, 2)]
    assert [one.quote for one in result.citations] == list(LEASE[:2])


def test_headings_say_what_a_row_is_about_and_are_not_quoted() -> None:
    evidence, held = evidence_of(
        "Należność 2 310,00 zł.", heading_path=("Faktura FV/2025/09/0143",)
    )
    draft = "Faktura FV/2025/09/0143 opiewa na 2310 zł należności [1]."
    result = ground(draft, evidence, texts=held, is_stale=is_fresh)
    assert [one.quote for one in result.citations] == ["Należność 2 310,00 zł."]


def test_a_citation_is_refused_when_other_characters_stand_at_its_span() -> None:
    evidence, held = evidence_of(*LEASE)
    held.texts["d1"] = held.texts["d1"].replace("4300", "4301")
    with pytest.raises(CitationError, match="not the quote"):
        cite(evidence[0], evidence[0].span, LEASE[0], marker=1, texts=held, is_stale=is_fresh)


def test_a_citation_past_the_end_of_the_text_is_refused() -> None:
    evidence, held = evidence_of(*LEASE)
    with pytest.raises(CitationError, match="no characters"):
        cite(evidence[0], Span(0, 999), "x", marker=1, texts=held, is_stale=is_fresh)


def test_a_changed_file_marks_its_citations_as_stale() -> None:
    evidence, held = evidence_of(*LEASE)
    result = ground("Kaucja wynosi 4300 zł [1].", evidence, texts=held, is_stale=lambda _: True)
    assert result.citations[0].stale


def test_a_citation_has_the_headings_of_its_own_span() -> None:
    (citation,) = grounded("Kaucja wynosi 4300 zł [1].").citations
    assert citation.heading_path == ("Heading of the span",)


def test_markers_follow_the_stop_of_an_abbreviation() -> None:
    result = grounded("Najem trwa do 30 września 2025 r. [1]", "Najem trwa do 30 września 2025 r.")
    assert text_with_markers(result.statements) == "Najem trwa do 30 września 2025 r. [1]"
