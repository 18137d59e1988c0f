"""Links into web pages: an id, and the words that a browser looks for."""

from urllib.parse import unquote

import pytest

from cytat.records import FragmentStyle, Locator, LocatorKind, Span
from cytat.text.locators import html_fragment, locate


@pytest.mark.parametrize(
    ("quote", "anchor", "fragment"),
    [
        ("Basen jest czynny.", None, "#:~:text=Basen%20jest%20czynny."),
        ("Open daily.", "hours", "#hours:~:text=Open%20daily."),
        ("well-known, yes & no", None, "#:~:text=well%2Dknown%2C%20yes%20%26%20no"),
        ("a b c d e" + " f" * 150, None, "#:~:text=a%20b%20c%20d%20e,f%20f%20f%20f%20f"),
        ("- one thing\n- another", None, "#:~:text=one%20thing,another"),
        ("Tor | Grupa\n3 | masters", None, "#:~:text=Tor,masters"),
        ("of 12 m² each", None, "#:~:text=of%2012"),
        ("", "top", "#top"),
        ("", None, ""),
        ("Żółw", "część 1", "#cz%C4%99%C5%9B%C4%87%201:~:text=%C5%BB%C3%B3%C5%82w"),
    ],
)
def test_a_fragment_leads_to_the_words(quote: str, anchor: str | None, fragment: str) -> None:
    assert html_fragment(quote, Span(0, len(quote)), anchor) == fragment


def fragment_of(quote: str, text: str) -> str:
    start = text.rindex(quote)
    return unquote(html_fragment(text, Span(start, start + len(quote)), None))


def test_words_that_stand_there_before_get_a_prefix() -> None:
    text = "bilet A: 9 zł\n\nbilet ulgowy: 9 zł"
    fragment = html_fragment(text, Span(len(text) - 4, len(text)), None)
    assert fragment == "#:~:text=bilet%20ulgowy%3A-,9%20z%C5%82"


@pytest.mark.parametrize(
    ("text", "quote", "words"),
    [
        # Full stops inside a sentence are no numbers of items.
        ("Umowę zawarto 5 maja 2025 r. w Pucku.", "Umowę zawarto 5 maja 2025 r. w Pucku.",
         "Umowę zawarto 5 maja 2025 r. w Pucku."),
        ("Stawka z art. 5 wynosi 12 zł.", "Stawka z art. 5 wynosi 12 zł.",
         "Stawka z art. 5 wynosi 12 zł."),
        ("Handed in a month before the deadline. Late forms are not read.",
         "Handed in a month before the deadline. Late forms are not read.",
         "Handed in a month before the deadline. Late forms are not read."),
        ("Mr J. R. Black paid.", "Mr J. R. Black paid.", "Mr J. R. Black paid."),
        # A quote that begins or ends inside a word is found by its whole words.
        ("The deadline is strict.", "line is str", "is"),
        ("Podatek wynosi 23%.", "datek", ""),
        ("Cena:\u00a05\u00a0zł.", "Cena:\u00a05\u00a0zł.", "Cena: 5 zł."),
        ("- Kaucja – 4400 zł", "- Kaucja – 4400 zł", "Kaucja,4400 zł"),
        ("- Kaucja – 4400 zł", "4400 zł", "4400 zł"),
        ("Czynne 8 – 16.", "Czynne 8 – 16.", "Czynne 8 – 16."),
        ("Wtorek | | 17", "Wtorek | | 17", "Wtorek,17"),
        ("| Dorosły | Dziecko", "| Dorosły | Dziecko", "Dorosły,Dziecko"),
        ("Art. 18³ᵃ. Urlop trwa miesiąc.", "Art. 18³ᵃ. Urlop trwa miesiąc.", "Art."),
        # What stands between a note's number and the repeated words is next to them.
        ("zł rocznie; opłata¹ to 9 zł rocznie", "zł rocznie", "to 9-,zł rocznie"),
    ],
)  # fmt: skip
def test_a_fragment_holds_whole_words_of_the_page(text: str, quote: str, words: str) -> None:
    expected = f"#:~:text={words}" if words else ""
    assert fragment_of(quote, text) == expected


def test_a_stretch_of_the_text_gives_the_same_link_as_the_whole() -> None:
    text = "Basen jest czynny. Sauna jest nieczynna."
    span = Span(19, len(text))
    whole = html_fragment(text, span, None)
    place = locate(
        span,
        parts=(),
        fragments=FragmentStyle.WORDS,
        heading_path=(),
        first_line=1,
        last_line=1,
        text=text[10:],
        text_start=10,
    )
    assert place.fragment == whole == "#:~:text=Sauna%20jest%20nieczynna."


def test_a_web_page_has_its_headings_as_label_and_a_text_fragment() -> None:
    place = locate(
        Span(7, 13),
        parts=(),
        fragments=FragmentStyle.WORDS,
        heading_path=("Basen",),
        first_line=1,
        last_line=1,
        text="Basen\n\nCennik",
        anchor="c",
    )
    assert place == Locator(LocatorKind.HEADING, "Basen", "#c:~:text=Cennik")
