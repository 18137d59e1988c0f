"""Code points <-> UTF-16 units <-> UTF-8 bytes <-> lines, of one text. Pure.

Spans count code points; browsers count UTF-16 units, files count bytes. This is the one place
where the three meet. Lone surrogates count one unit and three bytes, as they are written.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

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
