"""Which differences make another wording, and which a copy has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import grows_like_a_line

from cytat.retrieval.copies import wording_of

CLAUSE = (
    "Kupujący zapłaci cenę 1 230,00 zł w terminie 14 dni od dnia 12.03.2025 na konto sprzedającego."
)


def same(one: str, other: str) -> bool:
    return wording_of(one).says_the_same_as(wording_of(other))


@pytest.mark.parametrize(
    "copy",
    [
        CLAUSE + "  \n\n",
        CLAUSE.replace(" dnia", "\ndnia"),
        CLAUSE.replace("zapłaci", "za-\npłaci"),
        CLAUSE.replace("1 230", "1\u00a0230"),
        CLAUSE.replace("zapłaci", "za\u00adpłaci"),
        CLAUSE.replace("ę", "e\u0328"),
        "• " + CLAUSE,
        CLAUSE + "\n\nStrona 3 z 10",
        "- 7 -\n" + CLAUSE,
        CLAUSE + "\nPage 4",
        "ACME Sp. z o.o.\n" + CLAUSE,
        "ACME Sp. z o.o.\nul. Długa 5, 00-263 Warszawa\nNIP 525-248-14-81\n\n" + CLAUSE,
        CLAUSE + "\ntel. +48 601 234 567\nbiuro@acme.pl",
        "KOPIA\n" + CLAUSE,
    ],
)
def test_a_copy_differs_in_looks_page_numbers_and_letterhead(copy: str) -> None:
    assert same(CLAUSE, copy)
    assert same(copy, CLAUSE)


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("1 230,00", "1 231,00"),
        ("1 230,00", "1 230,01"),
        ("zł", "EUR"),
        ("14", "15"),
        ("12.03.2025", "13.03.2025"),
        ("zapłaci", "nie zapłaci"),
        ("Kupujący", "Sprzedający"),
        ("na konto", "lub na konto"),
        ("dni od", "dni roboczych od"),
        ("sprzedającego.", "sprzedającego, numer 61109010140000071219812874."),
        ("14 dni", "14\u00b2 dni"),
    ],
)
def test_one_word_number_or_sign_more_is_another_wording(written: str, instead: str) -> None:
    assert not same(CLAUSE, CLAUSE.replace(written, instead))


@pytest.mark.parametrize(
    "line",
    [
        "Cena obejmuje dostawę.",
        "Wykonawca: ACME Sp. z o.o.",
        "Warszawa, 12.03.2025",
        "ul. Długa 5, czynsz 100 zł",
        "3",
        "§ 5",
        "Nie dotyczy firmy ACME Sp. z o.o.",
    ],
)
def test_a_line_that_states_something_is_no_letterhead(line: str) -> None:
    assert not same(CLAUSE, f"{line}\n{CLAUSE}")
    assert not same(CLAUSE, f"{CLAUSE}\n{line}")


def test_two_letterheads_are_two_senders() -> None:
    one, other = (f"ACME Sp. z o.o.\nNIP 525248148{digit}\n{CLAUSE}" for digit in (1, 2))
    assert not same(one, other)


def test_a_passage_of_addresses_alone_is_compared_as_it_is() -> None:
    assert not same("tel. 601 234 567", "tel. 601 234 568")
    assert not same("tel. 601 234 567\nJan", "Jan")


@settings(deadline=None)
@given(st.text())
def test_every_text_is_a_copy_of_itself(text: str) -> None:
    assert same(text, text)


@pytest.mark.parametrize(
    "piece", ["a-\n", "- 1 -\n", "• ", "NIP ", "\u0301\u0316", "strona 1 ", "1 "]
)
def test_a_long_run_of_anything_takes_linear_time(piece: str) -> None:
    def compare(characters: int) -> None:
        wording_of(piece * (characters // len(piece)))

    assert grows_like_a_line(compare, size=20_000)
