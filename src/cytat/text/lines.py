r"""Position -> line number, from 1. `\n`, `\r\n` and a lone `\r` are one break each. Pure."""

import re
from bisect import bisect_right
from collections.abc import Sequence

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
