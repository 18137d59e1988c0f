"""Span -> Locator; code points <-> UTF-16 units <-> UTF-8 bytes <-> lines. Pure.

Spans count code points; browsers count UTF-16 units, files count bytes. This is the one place
where the three meet. Lone surrogates count one unit and three bytes, as they are written.

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
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from urllib.parse import quote as percent_encoded

from cytat.records import FragmentStyle, Locator, LocatorKind, Part, Span

_LINE_BREAK = re.compile(r"\r\n|\n|\r")


def line_of(text: str, position: int) -> int:
    r"""Return the line that holds code point `position`; a `\r\n` belongs to the line it ends."""
    if not 0 <= position <= len(text):
        raise ValueError(f"position {position} lies outside {len(text)} characters")
    breaks = text.count("\n", 0, position) + text.count("\r", 0, position)
    breaks -= text.count("\r\n", 0, position)
    return breaks + 1 - text.startswith("\r\n", max(position - 1, 0)) * (position > 0)


def line_starts(text: str) -> tuple[int, ...]:
    """Return where each line starts, rising; the first is 0. For many questions to one text."""
    return (0, *(found.end() for found in _LINE_BREAK.finditer(text)))


def line_among(starts: Sequence[int], position: int) -> int:
    """Return the line of `position`, given the `line_starts` of the text."""
    return bisect_right(starts, position)


def utf16_offset(text: str, position: int) -> int:
    """Return the UTF-16 units before code point `position`."""
    return len(_before(text, position).encode("utf-16-le", "surrogatepass")) // 2


def utf8_offset(text: str, position: int) -> int:
    """Return the UTF-8 bytes before code point `position`."""
    return len(_before(text, position).encode("utf-8", "surrogatepass"))


def position_of_utf16(text: str, offset: int) -> int:
    """Return the code point at UTF-16 `offset`; ValueError inside a surrogate pair or outside."""
    return _position(text, offset, utf16_offset)


def position_of_utf8(text: str, offset: int) -> int:
    """Return the code point at UTF-8 `offset`; ValueError inside a character or outside."""
    return _position(text, offset, utf8_offset)


def _before(text: str, position: int) -> str:
    if not 0 <= position <= len(text):
        raise ValueError(f"position {position} lies outside {len(text)} characters")
    return text[:position]


def _position(text: str, offset: int, measure: Callable[[str, int], int]) -> int:
    """Invert `measure`, which rises, by bisection: the encoder is the only authority asked."""
    position = bisect_left(range(len(text) + 1), offset, key=lambda at: measure(text, at))
    if position > len(text) or measure(text, position) != offset:
        raise ValueError(f"offset {offset} is not at the start of a character")
    return position


WORDS_AT_AN_END = 5
"""Enough to be found once on most pages, and to survive small edits elsewhere."""

MOST_WHOLE_CHARACTERS = 300
"""Of a quote that the link holds whole, as browsers' own links to selected words do: the more
words, the surer the place."""

_LOOK_BACK = 200
_ITEM_SIGN = re.compile(r"\s*(?:-|(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})\.)[ ]+")
_BORDER = re.compile(r"(?:^|[ ])\|(?=[ ]|$)")
_TERM_BORDER = re.compile(r"[ ]–[ ]")
"""In an item, between a term and its definition: on the page they stand apart."""
_RAISED = re.compile(
    r"[\u00b2\u00b3\u00b9\u2070-\u209c\u1d43-\u1d6a\u1d9c-\u1dbb\u02b0-\u02b8\u02e1-\u02e3]"
)
"""On the page it may be an ordinary sign in `<sup>`: the word that holds it is left out."""


def html_fragment(text: str, span: Span, anchor: str | None) -> str:
    """Return the fragment of a link to a span, with its `#`; empty without an id and a word.

    Words count as a browser counts them: whole, from within one block or cell. Where the first
    ones stand earlier in the text already, the words right before the span go in front of them.
    """
    place = percent_encoded(anchor, safe="") if anchor else ""
    whole = _whole_words(text, span)
    start, end = _ends(_pieces(text, whole))
    if not start or not (_is_there(start, text) and _is_there(end, text)):
        return f"#{place}" if place else ""
    preceding = text[: whole.start]
    prefix = _prefix(preceding) if _is_there(start, preceding) else ""
    return (
        f"#{place}:~:text={_encoded(prefix) + '-,' if prefix else ''}{_encoded(start)}"
        f"{',' + _encoded(end) if end else ''}"
    )


def _whole_words(text: str, span: Span) -> Span:
    """Return the span without the parts of words that it begins or ends with."""
    start, end = span.start, span.end
    if start and _is_inside_word(text, start):
        while start < end and text[start].isalnum():
            start += 1
    if end < len(text) and _is_inside_word(text, end):
        while end > start and text[end - 1].isalnum():
            end -= 1
    return Span(start, end)


def _is_inside_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalnum() and text[place : place + 1].isalnum()


def _ends(pieces: Sequence[str]) -> tuple[str, str]:
    """Return the first words and the last; all of them and none where the quote is short."""
    if not pieces:
        return "", ""
    first, last = pieces[0].split(), pieces[-1].split()
    if len(pieces) == 1 and len(pieces[0]) <= MOST_WHOLE_CHARACTERS:
        return " ".join(first), ""
    return " ".join(first[:WORDS_AT_AN_END]), " ".join(last[-WORDS_AT_AN_END:])


def _is_there(words: str, text: str) -> bool:
    """Say whether words stand in a text, whatever blanks part them, and no longer ones there."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    before = r"(?<![^\W_])" if words[:1].isalnum() else ""
    after = r"(?![^\W_])" if words[-1:].isalnum() else ""
    return re.search(f"{before}{pattern}{after}", text) is not None


def _prefix(preceding: str) -> str:
    """Return the last words before a span that stand right before it on the page."""
    nearest = preceding[-_LOOK_BACK:]
    if len(nearest) < len(preceding):
        nearest = _BROKEN_WORD.sub("", nearest, count=1)
    said = next((cell for cell in reversed(_cells(nearest, "")) if cell.strip()), "")
    return " ".join(_after_raised(said).split()[-WORDS_AT_AN_END:])


_BROKEN_WORD = re.compile(r"\A[^\W_]+")
_REST_OF_WORD = re.compile(r"\A\S+")


def _pieces(text: str, span: Span) -> list[str]:
    """Return the stretches of words that a browser shows together."""
    line_start = text.rfind("\n", 0, span.start) + 1
    cells = _cells(span.of(text), text[line_start : span.start])
    return [words for cell in cells if (words := _before_raised(cell).strip())]


def _cells(text: str, before: str) -> list[str]:
    """Return the words between borders; `before` is what stands before them on the line."""
    first, *others = text.split("\n")
    is_item = _ITEM_SIGN.match(before) is not None
    return [
        *_cells_of_line(
            first if before else _without_sign(first), is_item=is_item or _signed(first)
        ),
        *(
            cell
            for line in others
            for cell in _cells_of_line(_without_sign(line), is_item=_signed(line))
        ),
    ]


def _cells_of_line(line: str, *, is_item: bool) -> list[str]:
    cells = _BORDER.split(line)
    return [part for cell in cells for part in _TERM_BORDER.split(cell)] if is_item else cells


def _signed(line: str) -> bool:
    return _ITEM_SIGN.match(line) is not None


def _without_sign(line: str) -> str:
    """Return a line without the sign that an item has in the text and not on the page."""
    sign = _ITEM_SIGN.match(line)
    return line[sign.end() :] if sign else line


def _before_raised(cell: str) -> str:
    raised = _RAISED.search(cell)
    if raised is None:
        return cell
    before = cell[: raised.start()]
    return before if before[-1:].isspace() else " ".join(before.split()[:-1])


def _after_raised(cell: str) -> str:
    last = max((found.end() for found in _RAISED.finditer(cell)), default=0)
    return _REST_OF_WORD.sub("", cell[last:], count=1) if last else cell


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
    text: str = "",
    text_start: int = 0,
    anchor: str | None = None,
) -> Locator:
    """Return where `span` stands; lines and pages count from 1.

    `first_line` and `last_line` are those of the span's first and last character. `text` is that
    of the document, or a stretch of it that begins at `text_start` and holds the span, and `anchor`
    the nearest id before the span; only links by words have use for them.
    """
    touched = [part for part in parts if _touches(part.span, span)]
    if touched:
        return _part_locator(touched[0], touched[-1])
    # A browser knows no positions in extracted text; it knows ids, and it can look for words.
    fragment = (
        html_fragment(text, Span(span.start - text_start, span.end - text_start), anchor)
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
