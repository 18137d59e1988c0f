"""Words -> segments with no wide gap, rows of segments, and the cells and columns of rows. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple, Self

from cytat.reading.pdf.model import RAISED_DIGITS, Box, Word, box_around
from cytat.reading.pdf.raised import SetType, is_raised

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
            found.append(segment_of(words[start:place]))
            start = place
    return [*found, segment_of(words[start:])] if words else []


def segment_of(words: Sequence[Word]) -> Segment:
    """Return words beside one another as one segment."""
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
    if before.hyphenated or (before.run != word.run and not _meet_at_a_mark(before, word)):
        return False
    size = max(before.style.size, word.style.size, 1.0)
    gap = word.box.left - before.box.right
    if not before.said.isascii() and _is_right_to_left(before) and _is_right_to_left(word):
        gap = before.box.left - word.box.right
    return -_BACK_PER_SIZE * size <= gap <= wide * size


def _meet_at_a_mark(before: Word, word: Word) -> bool:
    """Say whether one of two words is a raised mark of the other's line: PDFium parts them."""
    if before.style.size == word.style.size:
        return False
    return is_raised(_mark(word), _mark(before)) or is_raised(_mark(before), _mark(word))


def _mark(word: Word) -> SetType:
    return SetType(word.said, word.style.size, word.base)


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


_UNIT = r"(?:%|pts|pp|bps|x|zł|PLN|EUR|USD|GBP|tys\.|mln|mld|million|billion)"
_FIGURE = re.compile(
    rf"[\s($€£¥+\-−–—]*(?:\d[\d\s.,:/]*|[-–—]+|n/?a|nm|nd|b\.?d\.?)[\s)%*]*(?:{_UNIT}\s*)?\)?"
    rf"(?:\s*\(\w\)|[*†‡]|[{RAISED_DIGITS}]{{1,2}}|[ᵃ-ᶻ])?",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\(?[$€£¥]|\(|[$€£¥]\(|[-−–+]")
"""What stands before its figure with a gap between, as amounts set to a column's edges do."""
_DASH = re.compile("[-−–+]")
_TRAILS = re.compile(rf"\)?%?\)?|{_UNIT}|[*†‡]|\([a-z]\)")
_NEAR_PER_SIZE = 1.2
_MARK_PER_SIZE = 0.35
_LABEL_SLACK = 2.0

Cell = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of a page: its segments, and the cells they make."""

    segments: list[Segment]
    cells: tuple[Cell, ...]
    box: Box
    is_figures: bool
    """Whether everything after the first cell is figures."""

    @classmethod
    def of(cls, segments: list[Segment]) -> Self:
        """Return the row of some segments beside one another."""
        cells = cells_of(segments)
        is_figures = len(cells) > 1 and all(is_figure(said_of(cell)) for cell in cells[1:])
        return cls(segments, cells, box_around(segments), is_figures)

    @property
    def figures_from(self) -> float:
        """Where the first cell of figures after the label begins."""
        return self.cells[1][0].box.left if len(self.cells) > 1 else self.box.left

    @property
    def continues(self) -> bool:
        """Whether it begins in small letters."""
        return self.cells[0][0].said[:1].islower()

    def is_label_before(self, edge: float) -> bool:
        """Say whether it is one cell that ends before the figures begin, or is figures alone."""
        if len(self.cells) != 1:
            return False
        last = self.cells[0][-1].box.right
        return last <= edge + _LABEL_SLACK or is_figure(said_of(self.cells[0]))


def said_of(words: Sequence[Word]) -> str:
    """Return words with a blank between them."""
    return " ".join(word.said for word in words)


def is_figure(said: str) -> bool:
    """Say whether a cell is an amount, a share, a dash for nothing, or the like."""
    return _FIGURE.fullmatch(said) is not None


def is_remark(said: str) -> bool:
    """Say whether words stand in brackets, as what figures are in: "(Dollars in millions)"."""
    return said.startswith("(") and said.endswith(")")


def cells_of(segments: Sequence[Segment]) -> tuple[Cell, ...]:
    """Return the cells of a row: its segments, with signs joined to their figures."""
    if len(segments) == 1:
        return (segments[0].words,)
    cells: list[list[Word]] = []
    leads = False
    for segment in segments:
        said = said_of(segment.words)
        if cells and (
            (leads and _leads(cells[-1], segment))
            or _trails(cells[-1], segment, said)
            or _is_mark_of(cells[-1][-1], segment.words[0])
        ):
            cells[-1] += segment.words
        else:
            cells.append(list(segment.words))
        leads = _LEADS.fullmatch(said) is not None
    return tuple(map(tuple, cells))


def _is_mark_of(before: Word, word: Word) -> bool:
    """Say whether a word is a raised mark right behind another."""
    gap = word.box.left - before.box.right
    return gap <= _MARK_PER_SIZE * before.style.size and is_raised(_mark(word), _mark(before))


def _leads(cell: Sequence[Word], segment: Segment) -> bool:
    """Say whether a sign belongs to the figure behind it: a dash far from it is a cell."""
    gap = segment.box.left - cell[-1].box.right
    is_near = gap <= _NEAR_PER_SIZE * max(segment.words[0].style.size, 1.0)
    return is_near or _DASH.fullmatch(cell[-1].said) is None


def _trails(cell: Sequence[Word], segment: Segment, said: str) -> bool:
    """Say whether a segment is a sign that belongs to the figure right before it."""
    gap = segment.box.left - cell[-1].box.right
    is_near = gap <= _NEAR_PER_SIZE * max(segment.words[0].style.size, 1.0)
    return is_near and _TRAILS.fullmatch(said) is not None and is_figure(said_of(cell))


@dataclass(slots=True)
class Column:
    """From where to where the cells of a column lie."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Half way between its edges."""
        return (self.left + self.right) / 2

    def meets(self, box: Box) -> bool:
        """Say whether a box lies above or below a part of it."""
        return box.left < self.right and self.left < box.right


def column_places(rows: Sequence[CellRow]) -> list[Column]:
    """Return the columns that the figures of some rows stand in, left to right."""
    boxes = [box_around(cell) for row in rows if row.is_figures for cell in row.cells[1:]]
    columns: list[Column] = []
    for box in sorted(boxes, key=lambda box: box.left):
        if columns and box.left < columns[-1].right:
            columns[-1].right = max(columns[-1].right, box.right)
        else:
            columns.append(Column(box.left, box.right))
    return columns


def placed(cells: Sequence[Cell], columns: Sequence[Column]) -> list[list[Word]]:
    """Return a row's cells by column, the label's first; what spans several is in the first."""
    row: list[list[Word]] = [[] for _ in range(len(columns) + 1)]
    for place, cell in enumerate(cells):
        box = box_around(cell)
        is_label = place == 0 and not (is_figure(said_of(cell)) and _is_in_a_column(box, columns))
        at = 0 if is_label and box.left < columns[0].left else 1 + _nearest(box, columns)
        row[at] += cell
    return row


def _is_in_a_column(box: Box, columns: Sequence[Column]) -> bool:
    return any(column.meets(box) for column in columns)


def _nearest(box: Box, columns: Sequence[Column]) -> int:
    for place, column in enumerate(columns):
        if column.meets(box):
            return place
    middle = (box.left + box.right) / 2
    return min(range(len(columns)), key=lambda place: abs(columns[place].middle - middle))
