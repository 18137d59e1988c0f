"""A corpus is searched alike by every Python: each makes the same terms of the same text.

Versions of Python differ in `re` (see `tests/test_patterns.py`) and in the version of Unicode that
says what is a letter.
"""

import hashlib
import unicodedata
from pathlib import Path

import pytest
from tests import interpreters
from tests.analysis import print_terms

from cytat.analysis import terms_in_order
from cytat.text.folding import clean

SHA256 = "c1e37aa77de4ca49fbb673be141bdba5e9af77aa1ac3fb7da52b42275f6e6141"
"""Of what `print_terms` prints. The index stores terms: if they change on purpose, this changes
too, and corpora made before must be indexed again."""

TERMS = {
    "Waga netto 5,0 kg, brutto 5.25 kg": "wag nett 5 5kg kg brutt 5.25 5.25kg kg",
    "Cena netto 1234.50 PLN, VAT 23%.": "cen nett 1234.5 1234.5pln pln vat 23 23%",
    "12 345 6789 zł": "12345 12 345 6789 6789pln zl",
    "PLN 1 234 5678 i PLN 1234 567": "pln 1234 1 234 5678 i 1234 1234pln pln 567",
    "€1'234'56 €12 345 6": "1234 1234eur 56 12345 12 345 12345eur 6",
    "20 EUR, €20, 20 €, EUR 20,00": "20 20eur eur 20 20eur 20 20eur 20 20eur eur",
    "od 2 °C do 8 °C": "od 2 2°c °c do 8 8°c °c",
    "nr XLV/312/2023 z dnia 12 marca 2025 r.":
        "nr xlv/312/2023 xlv-312-2023 xlv 312 2023 312-2023 z dnia 2025-03-12 12 marc 2025 r",
    "#budżet @Jan_Nowak @anna@": "#budzet budzet @jan_nowak jan_nowak jan nowak ann",
}  # fmt: skip
"""In Polish; what old versions of `re` lost is the numbers with their units."""


@pytest.mark.parametrize("line", TERMS)
def test_numbers_units_and_identifiers_are_kept(line: str) -> None:
    assert terms_in_order(line, "pl") == TERMS[line].split()


def test_terms_are_those_that_corpora_hold() -> None:
    printed = "\n".join(print_terms.printed())
    assert hashlib.sha256(printed.encode()).hexdigest() == SHA256


@pytest.mark.parametrize("python", interpreters.interpreters(), ids=str)
def test_every_python_makes_the_same_terms(python: Path) -> None:
    if reason := interpreters.why_not(python):
        pytest.skip(reason)
    done = interpreters.run(python, print_terms.__file__)
    assert done.returncode == 0, done.stderr
    pairs = zip(print_terms.printed(), done.stdout.splitlines(), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


@pytest.mark.parametrize(
    ("character", "version"),
    [
        ("\U00011f04", "15.0, a letter"),
        ("\U0001e030", "15.0, a letter that is another one in NFKC"),
        ("\U0002ebf0", "15.1, an ideograph"),
        ("\u1c89", "16.0, a capital"),
        ("\U0001ccf0", "16.0, a digit in NFKC"),
        ("\u0897", "16.0, a combining mark"),
        ("\U00016ea0", "17.0, a capital"),
    ],
)
def test_a_character_newer_than_unicode_14_is_not_part_of_a_word(
    character: str, version: str
) -> None:
    assert clean(f"A{character}b") == "a\ufffdb", version
    assert terms_in_order(f"umowa{character} {character}5 {character}", "pl") == ["umow", "5"]


def test_a_character_that_unicode_14_knew_stays() -> None:
    for character in "ż€ẞ\U0001f600\u20c0\u9fff\U0003134a\ue000\U0010fffd":
        assert "\ufffd" not in clean(character)


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="another version of Unicode")
def test_the_file_of_unassigned_characters_is_that_of_unicode_14() -> None:
    unassigned: list[int] = []
    for line in print_terms.RANGES.read_text("ascii").splitlines():
        first, _, last = line.partition("-")
        unassigned += range(int(first, 16), int(last or first, 16) + 1)
    assert unassigned == [n for n in range(0x110000) if unicodedata.category(chr(n)) == "Cn"]
