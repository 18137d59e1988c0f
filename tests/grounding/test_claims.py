"""Numbers, dates and identifiers mean the same however they are written."""

from decimal import Decimal

import pytest

from cytat.grounding.claims import claims_of, number_values


def values(text: str) -> set[Decimal]:
    (quantity,) = claims_of(text).quantities
    return set(quantity.values)


@pytest.mark.parametrize(
    "written", ["1230", "1 230", "1 230,00", "1,230.00", "1.230,00", "1,230", "1.230"]
)
def test_one_number_in_polish_and_english_ways(written: str) -> None:
    assert Decimal(1230) in values(written)


def test_an_ambiguous_point_keeps_both_readings() -> None:
    assert values("1.230") == {Decimal(1230), Decimal("1.23")}


@pytest.mark.parametrize(
    ("written", "value"),
    [("2 310,00", "2310"), ("0,5", "0.5"), ("3.14", "3.14"), ("1,230.00", "1230")],
)
def test_an_unambiguous_number_has_one_value(written: str, value: str) -> None:
    assert values(written) == {Decimal(value)}


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("5%", "percent"), ("5 %", "percent"), ("5 procent", "percent"), ("5 per cent", "percent"),
        ("500 zł", "PLN"), ("500 PLN", "PLN"), ("500 złotych", "PLN"), ("€500", "EUR"),
        ("500 EUR", "EUR"), ("$500", "USD"), ("500", None),
    ],
)  # fmt: skip
def test_the_unit_beside_a_number_is_read(written: str, unit: str | None) -> None:
    (quantity,) = claims_of(written).quantities
    assert quantity.unit == unit


@pytest.mark.parametrize(
    "written",
    ["12.09.2025", "2025-09-12", "12 September 2025", "September 12, 2025", "12 września 2025 r."],
)
def test_one_date_in_five_ways(written: str) -> None:
    claims = claims_of(written)
    assert (2025, 9, 12) in claims.dates
    assert claims.quantities == ()


def test_identifiers_are_no_numbers() -> None:
    claims = claims_of("Faktura FV/2025/09/0143, formularz PHD-07, wersja 1.0.21.")
    assert claims.identifiers == {"fv/2025/09/0143", "phd-07", "1-0-21"}
    assert claims.quantities == ()


def test_number_words_have_values() -> None:
    assert {Decimal(2), Decimal(12)} <= number_values("dwóch z dwunastu")
    assert Decimal(5) in number_values("no more than five candidates")


@pytest.mark.parametrize(
    "text", ["nie wolno", "bez zgody", "may not", "doesn't", "no fee", "never"]
)
def test_a_negation_is_seen(text: str) -> None:
    assert claims_of(text).has_negation


@pytest.mark.parametrize("text", ["niebo", "notatka", "know", "another", "bezpieczny"])
def test_a_word_that_begins_like_a_negation_is_none(text: str) -> None:
    assert not claims_of(text).has_negation
