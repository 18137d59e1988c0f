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
    start = 0
    for place, (before, word) in enumerate(pairwise(words), 1):
        if not _goes_on(before, word, wide):
            found.append(_segment(words[start:place]))
            start = place
    return [*found, _segment(words[start:])] if words else []


def _segment(words: Sequence[Word]) -> Segment:
    return Segment(tuple(words), box_around(words))


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
    if not before.said.isascii() and _is_right_to_left(before) and _is_right_to_left(word):
        gap = before.box.left - word.box.right
    return -_BACK_PER_SIZE * size <= gap <= wide * size


def _is_right_to_left(word: Word) -> bool:
    return _RIGHT_TO_LEFT.match(word.said) is not None


def rows_of(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return segments as rows from top to bottom, each from left to right."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=_place):
        if rows and _is_in(segment.box, rows[-1]):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    for row in rows:
        if len(row) > 1:
            row.sort(key=_left)
    return rows


def _is_in(box: Box, row: Sequence[Segment]) -> bool:
    """Say whether a segment stands beside one of those that its row got last."""
    # Most rows are lines below one another; what is far below is asked no more.
    return any(box.top < other.box.bottom and _is_beside(box, other.box) for other in row[-3:])


def _place(segment: Segment) -> tuple[float, float]:
    left, top, _, bottom = segment.box
    return ((top + bottom) / 2, left)


def _left(segment: Segment) -> float:
    return segment.box.left


def _is_beside(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    other_left, other_top, other_right, other_bottom = other
    shared = min(bottom, other_bottom) - max(top, other_top)
    if shared <= _SAME_ROW * min(bottom - top, other_bottom - other_top):
        return False
    # What lies over one another is two lines set tight, not one row.
    return left >= other_right - 1 or other_left >= right - 1
