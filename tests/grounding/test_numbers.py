"""A number in other words has its own value, and a statement cannot change it unseen."""

from decimal import Decimal

import pytest
from tests.grounding.passages import evidence_of, is_fresh
from tests.growth import grows_like_a_line

from cytat.grounding import ground
from cytat.grounding.claims import claims_of


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("900 mln zł", 900_000_000), ("900 tys. zł", 900_000), ("900 tysięcy", 900_000),
        ("2 miliardy", 2_000_000_000), ("3 mld", 3_000_000_000), ("12k", 12_000),
        ("5 million dollars", 5_000_000), ("-900 zł", -900), ("\u2212900 zł", -900),
        ("minus 900 zł", -900), ("minus pięćset", -500), ("dwa tysiące", 2000),
        ("dwa tysiące trzysta czterdzieści pięć złotych", 2345), ("pięćset", 500),
        ("five hundred", 500), ("two thousand three hundred and forty-five", 2345),
        ("siedemset", 700), ("czternastu dni", 14), ("IX", 9), ("XII", 12), ("XIV", 14),
        ("sto dwadzieścia", 120), ("dwudziestu pięciu", 25), ("three billion", 3_000_000_000),
    ],
)  # fmt: skip
def test_a_number_has_the_value_that_it_is_written_with(written: str, value: int) -> None:
    (quantity,) = claims_of(written).quantities
    assert quantity.values == {Decimal(value)}


def test_neighbouring_words_are_numbers_of_their_own() -> None:
    found = [set(one.values) for one in claims_of("dwa, trzy lub cztery razy").quantities]
    assert found == [{Decimal(2)}, {Decimal(3)}, {Decimal(4)}]
    ranged = [set(one.values) for one in claims_of("od 10 do 20-25 zł").quantities]
    assert ranged == [{Decimal(10)}, {Decimal(20)}, {Decimal(25)}]


@pytest.mark.parametrize(
    "said",
    [
        "900 mln zł", "900 tys. zł", "-900 zł", "minus 900 zł", "dwa tysiące zł", "pięćset złotych",
        "five hundred zł", "9 mld zł", "tysiąc zł", "90 złotych", "dziewięćdziesiąt zł",
    ],
)  # fmt: skip
def test_another_amount_than_the_evidence_has_is_dropped(said: str) -> None:
    evidence, texts = evidence_of("Opłata za wpis wynosi 900 zł.")
    kept = ground(f"Opłata za wpis wynosi {said} [1].", evidence, texts=texts, is_stale=is_fresh)
    assert kept.statements == ()
    assert len(kept.dropped) == 1


@pytest.mark.parametrize("said", ["Rozdział IX mówi o opłacie.", "Rozdział XII mówi o opłacie."])
def test_another_roman_numeral_is_dropped(said: str) -> None:
    evidence, texts = evidence_of("Rozdział XI mówi o opłacie.")
    kept = ground(f"{said} [1]", evidence, texts=texts, is_stale=is_fresh)
    assert kept.statements == ()


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ("Kara wynosi 70 tysięcy złotych.", "Kara to 70 000 zł"),
        ("Kara wynosi siedemset złotych.", "Kara to 700 zł"),
        ("The fine is five hundred pounds.", "The fine amounts to £500"),
        ("Strata wyniosła -1 200 zł.", "Strata to minus 1200 zł"),
        ("Obrót wyniósł 2 mln zł.", "Obrót to dwa miliony złotych"),
        ("Termin wynosi czternaście dni.", "Termin to 14 dni"),
    ],
)
def test_the_same_amount_in_another_writing_is_kept(evidence: str, said: str) -> None:
    hits, texts = evidence_of(evidence)
    kept = ground(f"{said} [1].", hits, texts=texts, is_stale=is_fresh)
    assert len(kept.statements) == 1, kept.dropped


@pytest.mark.parametrize("piece", ["dwa ", "sto tysiecy ", "IX ", "-9 ", "9 mln ", "minus "])
def test_reading_numbers_takes_time_in_proportion_to_the_text(piece: str) -> None:
    assert grows_like_a_line(lambda size: claims_of(piece * size), size=400)
