"""Links into web pages: an id, and the words that a browser looks for."""

import pytest

from cytat.records import FragmentStyle, Locator, LocatorKind, Span
from cytat.text.locators import html_fragment, locate


@pytest.mark.parametrize(
    ("quote", "anchor", "fragment"),
    [
        ("Basen jest czynny.", None, "#:~:text=Basen%20jest%20czynny."),
        ("Open daily.", "hours", "#hours:~:text=Open%20daily."),
        ("well-known, yes & no", None, "#:~:text=well%2Dknown%2C%20yes%20%26%20no"),
        ("a b c d e f g h i j k", None, "#:~:text=a%20b%20c%20d%20e,g%20h%20i%20j%20k"),
        ("- one thing\n- another", None, "#:~:text=one%20thing,another"),
        ("Tor | Grupa\n3 | masters", None, "#:~:text=Tor,masters"),
        ("of 12 m² each", None, "#:~:text=of%2012"),
        ("", "top", "#top"),
        ("", None, ""),
        ("Żółw", "część 1", "#cz%C4%99%C5%9B%C4%87%201:~:text=%C5%BB%C3%B3%C5%82w"),
    ],
)
def test_a_fragment_leads_to_the_words(quote: str, anchor: str | None, fragment: str) -> None:
    assert html_fragment(quote, anchor) == fragment


def test_words_that_stand_there_before_get_a_prefix() -> None:
    fragment = html_fragment("9 zł", None, preceding="bilet A: 9 zł\n\nbilet ulgowy: ")
    assert fragment == "#:~:text=bilet%20ulgowy%3A-,9%20z%C5%82"


def test_a_web_page_has_its_headings_as_label_and_a_text_fragment() -> None:
    place = locate(
        Span(7, 12),
        parts=(),
        fragments=FragmentStyle.WORDS,
        heading_path=("Basen",),
        first_line=1,
        last_line=1,
        quote="Cennik",
        anchor="c",
    )
    assert place == Locator(LocatorKind.HEADING, "Basen", "#c:~:text=Cennik")
