"""Where a span stands, said for people."""

import pytest

from cytat.records import FragmentStyle, Locator, LocatorKind, Part, Span
from cytat.text.locators import count_line_breaks, locate


def page(number: int, label: str, span: Span) -> Part:
    return Part(LocatorKind.PAGE, label, f"#page={number}", span, number)


PAGES = (
    page(1, "iii", Span(0, 100)),
    page(2, "iv", Span(100, 200)),
    page(3, "3", Span(201, 300)),
    page(4, "4", Span(300, 400)),
)


def place(
    span: Span,
    *,
    parts: tuple[Part, ...] = (),
    heading_path: tuple[str, ...] = (),
    lines: tuple[int, int] = (4, 4),
) -> Locator:
    return locate(
        span,
        parts=parts,
        fragments=FragmentStyle.CHARACTERS,
        heading_path=heading_path,
        first_line=lines[0],
        last_line=lines[1],
    )


@pytest.mark.parametrize(
    ("span", "label", "fragment"),
    [
        (Span(10, 20), "p. 1 (iii)", "#page=1"),
        (Span(99, 101), "pp. 1–2 (iii–iv)", "#page=1"),
        (Span(100, 110), "p. 2 (iv)", "#page=2"),
        (Span(190, 250), "pp. 2–3 (iv–3)", "#page=2"),
        (Span(250, 350), "pp. 3–4", "#page=3"),
        (Span(210, 220), "p. 3", "#page=3"),
        (Span(390, 400), "p. 4", "#page=4"),
    ],
)
def test_in_a_pdf_the_page_is_that_of_the_words(span: Span, label: str, fragment: str) -> None:
    expected = Locator(LocatorKind.PAGE, label, fragment)
    assert place(span, parts=PAGES, heading_path=("Art. 43",)) == expected


SHEET = (
    Part(LocatorKind.SHEET, "Arkusz1!A2:C2", "#sheet=Arkusz1&range=A2:C2", Span(0, 10), None),
    Part(LocatorKind.SHEET, "Arkusz1!A3:C3", "#sheet=Arkusz1&range=A3:C3", Span(11, 20), None),
    Part(LocatorKind.SHEET, "Ceny!B1:B1", "#sheet=Ceny&range=B1:B1", Span(21, 30), None),
)
SOUND = (
    Part(LocatorKind.TIME, "02:12–02:20", "#t=132.4,140", Span(0, 10), None),
    Part(LocatorKind.TIME, "02:20–02:39", "#t=140,158.9", Span(11, 20), None),
)
MAIL = (
    Part(LocatorKind.PART, "headers", "#part=headers", Span(0, 10), None),
    Part(LocatorKind.PART, "text", "#part=1.1", Span(11, 20), None),
)
SLIDES = (
    Part(LocatorKind.SLIDE, "1", "#slide=1", Span(0, 10), 1),
    Part(LocatorKind.SLIDE, "2", "#slide=2", Span(11, 20), 2),
)


@pytest.mark.parametrize(
    ("parts", "span", "label", "fragment"),
    [
        (SHEET, Span(2, 5), "Arkusz1!A2:C2", "#sheet=Arkusz1&range=A2:C2"),
        (SHEET, Span(2, 15), "Arkusz1!A2:C3", "#sheet=Arkusz1&range=A2:C3"),
        (SHEET, Span(12, 25), "Arkusz1!A3:C3–Ceny!B1:B1", "#sheet=Arkusz1&range=A3:C3"),
        (SOUND, Span(2, 5), "02:12–02:20", "#t=132.4,140"),
        (SOUND, Span(2, 15), "02:12–02:39", "#t=132.4,158.9"),
        (MAIL, Span(12, 15), "text", "#part=1.1"),
        (MAIL, Span(2, 15), "headers–text", "#part=headers"),
        (SLIDES, Span(2, 5), "slide 1", "#slide=1"),
        (SLIDES, Span(2, 15), "slides 1–2", "#slide=1"),
    ],
)
def test_a_part_of_any_kind_is_named_as_its_reader_wrote_it(
    parts: tuple[Part, ...], span: Span, label: str, fragment: str
) -> None:
    assert place(span, parts=parts) == Locator(parts[0].kind, label, fragment)


def test_headings_are_named_outermost_first_with_the_span_for_programs() -> None:
    assert place(Span(28215, 28701), heading_path=("Art. 43", "ust. 1")) == Locator(
        LocatorKind.HEADING, "Art. 43 › ust. 1", "#char=28215,28701"
    )


@pytest.mark.parametrize(("lines", "label"), [((4, 4), "line 4"), ((4, 7), "lines 4–7")])
def test_without_headings_lines_are_named(lines: tuple[int, int], label: str) -> None:
    assert place(Span(3, 9), lines=lines) == Locator(LocatorKind.LINE, label, "#char=3,9")


def test_a_page_is_never_invented_for_a_format_without_pages() -> None:
    assert place(Span(3, 9)).kind is LocatorKind.LINE


def test_each_kind_of_line_break_counts_once() -> None:
    assert count_line_breaks("a\nb\r\nc\rd\r\r\n") == 5
