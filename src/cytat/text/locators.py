"""Span -> Locator, and the fragment of a link to a quote. Pure: the place of the quoted characters.

A fragment is `#id:~:text=first%20words,last%20words`: the id is where a browser goes that cannot
look for words or does not find them. What the extraction adds (list signs, borders of cells) is not
on the page, so words are taken from within one cell or item.

Source:
    WICG, URL Fragment Text Directives: both ends are looked for whole, each within one block, and
    `-`, `,` and `&` inside them are percent-encoded.

Each format has its own honest place: the part that its reader wrote (a page, a slide, cells of a
sheet), else a heading path where there are headings, else lines. A page is never invented.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote as percent_encoded

from cytat.records import FragmentStyle, Locator, LocatorKind, Part, Span

WORDS_AT_AN_END = 5
"""Enough to be found once on most pages, and to survive small edits elsewhere."""

_LOOK_BACK = 200
_ITEM_SIGN = re.compile(r"\s*(?:-|(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})\.)[ ]")
_BORDER = re.compile(r"[ ]\|(?:[ ]|$)")
_RAISED = re.compile(r"[\u00b2\u00b3\u00b9\u2070-\u209c]")


def html_fragment(quote: str, anchor: str | None, *, preceding: str = "") -> str:
    """Return the fragment with its `#`; empty when there is neither an id nor a word.

    `preceding` is the text before the quote: where its first words stand there already, the words
    right before the quote go in front of it as a prefix.
    """
    place = percent_encoded(anchor, safe="") if anchor else ""
    pieces = _pieces(quote)
    if not pieces:
        return f"#{place}" if place else ""
    first, last = pieces[0].split(), pieces[-1].split()
    if len(pieces) == 1 and len(first) <= 2 * WORDS_AT_AN_END:
        start, end = " ".join(first), ""
    else:
        start = " ".join(first[:WORDS_AT_AN_END])
        end = "," + _encoded(" ".join(last[-WORDS_AT_AN_END:]))
    prefix = _prefix(preceding) if start in preceding else ""
    return f"#{place}:~:text={prefix}{_encoded(start)}{end}"


def _prefix(preceding: str) -> str:
    pieces = _pieces(preceding[-_LOOK_BACK:])
    words = pieces[-1].split()[-WORDS_AT_AN_END:] if pieces else []
    return f"{_encoded(' '.join(words))}-," if words else ""


def _pieces(text: str) -> list[str]:
    """Return the stretches of words that a browser shows together."""
    cells = [
        cell
        for line in text.split("\n")
        for cell in _BORDER.split(_ITEM_SIGN.sub("", line, count=1))
    ]
    return [words for cell in cells if (words := _before_raised(cell).strip())]


def _before_raised(cell: str) -> str:
    """Return what stands before a raised sign: on the page it may be an ordinary one in `<sup>`."""
    raised = _RAISED.search(cell)
    return cell if raised is None else cell[: raised.start()].rpartition(" ")[0]


def _encoded(words: str) -> str:
    return percent_encoded(words, safe="").replace("-", "%2D")


def locate(  # noqa: PLR0913 - all that a place may be told by
    span: Span,
    *,
    parts: Sequence[Part],
    fragments: FragmentStyle,
    heading_path: Sequence[str],
    first_line: int,
    last_line: int,
    quote: str = "",
    anchor: str | None = None,
    preceding: str = "",
) -> Locator:
    """Return where `span` stands; lines and pages count from 1.

    `first_line` and `last_line` are those of the span's first and last character. `quote` holds
    its characters and `anchor` the nearest id before it, `preceding` the text before; only links
    by words have use for them.
    """
    touched = [part for part in parts if _touches(part.span, span)]
    if touched:
        return _part_locator(touched[0], touched[-1])
    # A browser knows no positions in extracted text; it knows ids, and it can look for words.
    fragment = (
        html_fragment(quote, anchor, preceding=preceding)
        if fragments is FragmentStyle.WORDS
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


_COUNTED = {
    LocatorKind.PAGE: ("p.", "pp."),
    LocatorKind.SLIDE: ("slide", "slides"),
    LocatorKind.ROW: ("row", "rows"),
}
"""Kinds of places that are said by number: of one, of several."""


def _part_locator(first: Part, last: Part) -> Locator:
    """Return the place of a span that begins in one part and ends in another, or the same."""
    if first is last:
        return Locator(first.kind, _label_of(first), first.fragment)
    if first.kind is LocatorKind.TIME:
        label = _joined(first.label, last.label, "–")
        return Locator(first.kind, label, _joined(first.fragment, last.fragment, ","))
    if first.kind is LocatorKind.SHEET and _sheet_of(first) == _sheet_of(last):
        label = _joined(first.label, last.label.rpartition("!")[2], ":")
        return Locator(first.kind, label, _joined(first.fragment, last.fragment, ":"))
    return Locator(first.kind, _label_of(first, last), first.fragment)


def _label_of(*ends: Part) -> str:
    """Return what one part is called, or the first and the last of several."""
    names = _COUNTED.get(ends[0].kind)
    numbers = [end.number for end in ends if end.number is not None]
    printed = "–".join(end.label for end in ends)
    if names is None or len(numbers) < len(ends):
        return printed
    label = _range_label(*names, numbers[0], numbers[-1])
    return label if printed == "–".join(map(str, numbers)) else f"{label} ({printed})"


def _joined(first: str, last: str, sign: str) -> str:
    """Return where the first range begins up to where the last ends."""
    return f"{first.partition(sign)[0]}{sign}{last.rpartition(sign)[2]}"


def _sheet_of(part: Part) -> str:
    return part.label.rpartition("!")[0]


def _range_label(one: str, several: str, first: int, last: int) -> str:
    return f"{one} {first}" if first == last else f"{several} {first}–{last}"
