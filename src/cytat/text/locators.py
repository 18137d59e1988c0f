"""Span -> Locator. Pure: the place of the quoted characters themselves, said for people.

Each format has its own honest place: a page for PDF, a heading path where there are headings,
else lines. A page is never invented.
"""

from collections.abc import Sequence

from cytat.records import Locator, LocatorKind, Page, Span
from cytat.text.fragments import html_fragment


def locate(  # noqa: PLR0913 - all that a place may be told by
    span: Span,
    *,
    media_type: str,
    pages: Sequence[Page],
    heading_path: Sequence[str],
    first_line: int,
    last_line: int,
    quote: str = "",
    anchor: str | None = None,
    preceding: str = "",
) -> Locator:
    """Return where `span` stands; lines and pages count from 1.

    `first_line` and `last_line` are those of the span's first and last character. `quote` holds
    its characters and `anchor` the nearest id before it, `preceding` the text before; only HTML has
    use for them.
    """
    touched = [page for page in pages if _touches(page.span, span)]
    if touched and media_type == "application/pdf":
        return _page_locator(touched[0], touched[-1])
    is_html = media_type == "text/html"
    # A browser knows no positions in extracted text; it knows ids, and it can look for words.
    fragment = (
        html_fragment(quote, anchor, preceding=preceding)
        if is_html
        else f"#char={span.start},{span.end}"
    )
    if heading_path:
        return Locator(LocatorKind.HEADING, " › ".join(heading_path), fragment)
    return Locator(LocatorKind.LINE, _range_label("line", "lines", first_line, last_line), fragment)


def count_line_breaks(text: str) -> int:
    r"""Return how many lines end in `text`: at `\n`, at `\r\n`, and at a `\r` alone."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _touches(page: Span, span: Span) -> bool:
    """An empty span touches the page it stands in."""
    return page.overlaps(span) or (not len(span) and page.start <= span.start < page.end)


def _page_locator(first: Page, last: Page) -> Locator:
    label = _range_label("p.", "pp.", first.number, last.number)
    printed = [page.label or str(page.number) for page in _ends(first, last)]
    if printed != [str(page.number) for page in _ends(first, last)]:
        label = f"{label} ({'–'.join(printed)})"
    return Locator(LocatorKind.PAGE, label, f"#page={first.number}")


def _ends(first: Page, last: Page) -> list[Page]:
    return [first] if first.number == last.number else [first, last]


def _range_label(one: str, several: str, first: int, last: int) -> str:
    return f"{one} {first}" if first == last else f"{several} {first}–{last}"
