"""Words -> segments, words that stand together with no wide gap; and rows of them. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from cytat.reading.pdf_model import Box, Word, box_around

_WIDE_PER_SIZE = 0.8
"""A gap wider than this share of the type's size is more than a blank of justified text."""
_LEAST_WIDE_PER_SIZE = 0.45
_WIDE_PER_BLANK = 1.8
"""On pages whose blanks are narrow, a gap this many times as wide may be a narrow gutter."""
_BACK_PER_SIZE = 0.3
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_SAME_ROW = 0.5
"""Share of the lower height by which two segments of one row overlap."""


class Segment(NamedTuple):
    """Words beside one another on one line."""

    words: tuple[Word, ...]
    box: Box


def segments_of(words: Sequence[Word]) -> list[Segment]:
    """Return the words of one direction of writing as segments, in their order."""
    wide = _wide_gap(words)
    found: list[Segment] = []
    together: list[Word] = []
    for word in words:
        if together and not _goes_on(together[-1], word, wide):
            found.append(Segment(tuple(together), box_around(together)))
            together = []
        together.append(word)
    if together:
        found.append(Segment(tuple(together), box_around(together)))
    return found


def _wide_gap(words: Sequence[Word]) -> float:
    """Return the share of the type's size from which a gap of this page is wide."""
    blanks = [
        gap / max(word.style.size, 1.0)
        for before, word in pairwise(words)
        if before.run == word.run and (gap := word.box.left - before.box.right) > 0
    ]
    usual = median(blanks) if blanks else _LEAST_WIDE_PER_SIZE
    return min(_WIDE_PER_SIZE, max(_LEAST_WIDE_PER_SIZE, _WIDE_PER_BLANK * usual))


def _goes_on(before: Word, word: Word, wide: float) -> bool:
    if before.run != word.run or before.hyphenated:
        return False
    size = max(before.style.size, word.style.size, 1.0)
    gap = word.box.left - before.box.right
    if _RIGHT_TO_LEFT.match(before.said) and _RIGHT_TO_LEFT.match(word.said):
        gap = before.box.left - word.box.right
    return -_BACK_PER_SIZE * size <= gap <= wide * size


def rows_of(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return segments as rows from top to bottom, each from left to right."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=_place):
        if rows and any(_is_beside(segment.box, other.box) for other in rows[-1][-3:]):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    for row in rows:
        row.sort(key=_left)
    return rows


def _place(segment: Segment) -> tuple[float, float]:
    return (segment.box.middle, segment.box.left)


def _left(segment: Segment) -> float:
    return segment.box.left


def _is_beside(one: Box, other: Box) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    if shared <= _SAME_ROW * min(one.height, other.height):
        return False
    # What lies over one another is two lines set tight, not one row.
    return one.left >= other.right - 1 or other.left >= one.right - 1
