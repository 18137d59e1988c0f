"""Where a span stands, said for people."""

import pytest

from cytat.records import Locator, LocatorKind, Page, Span
from cytat.text.locators import count_line_breaks, locate

PAGES = (
    Page(1, "iii", Span(0, 100)),
    Page(2, "iv", Span(100, 200)),
    Page(3, "3", Span(201, 300)),
    Page(4, None, Span(300, 400)),
)


def place(
    span: Span,
    *,
    pages: tuple[Page, ...] = (),
    heading_path: tuple[str, ...] = (),
    lines: tuple[int, int] = (4, 4),
) -> Locator:
    return locate(
        span,
        media_type="application/pdf" if pages else "text/plain",
        pages=pages,
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
    assert place(span, pages=PAGES, heading_path=("Art. 43",)) == expected


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
