"""Rows above the figures of a table -> what stands above each of its columns. Pure.

A figure says little without all that is above it: "13 Weeks Ended" over three columns, "January"
and "28," and "2023" over one. So the head is made one row, and a cell that spans columns is read
in each of them. How far a cell reaches is told by the line drawn below it, else by its middle.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.reading.pdf.cells import (
    Cell,
    CellRow,
    Column,
    column_places,
    is_figure,
    is_remark,
    said_of,
)
from cytat.reading.pdf.model import Box, Word, box_around

_PART_OF_DATE = re.compile(
    r"(?:(?:FY)?(?:19|20)\d\d(?:[/-]\d{2,4})?[AEF]?|\d{1,2},|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
)
_VALUE = re.compile(r"(?<!\S)(?:[$€£]?\d{1,3}(?:,\d{3})+|\d+[.,]\d+%?|\d+%|[*†‡—–-]+)(?!\S)")
_UNDER_POINTS = 8.0
"""Below a row, a line this near belongs to it."""
_TOUCH_POINTS = 3.0
"""Lines this near are drawn as one."""
_UNDERLINED = 0.7
"""Share of a cell's width below which a line has to lie."""
_ASIDE_POINTS = 9.0
"""How far the middle of a cell may lie from that of the columns it spans."""
_INDENT_POINTS = 30.0
"""Labels of a table's rows begin this near to one another."""
_MOST_CHARACTERS = 120
"""Longer words are no label of a column, and are read once."""

_PERIOD = re.compile(
    r"\b(?:ended|ending|months?|weeks?|years?|quarters?|as of|okres|rok|roku|kwartał|miesi[ęą]c\w*"
    r"|stan na|na dzień|za)\b",
    re.IGNORECASE,
)
"""What stands above several columns more often than above one."""

Cells = list[list[Word]]
Lines = Sequence[tuple[float, float]]
"""From where to where lines are drawn below a row."""


def head_length(rows: Sequence[CellRow]) -> int:
    """Return how many rows of a table are its head; 0 if it has none, or nothing else."""
    first = next((place for place, row in enumerate(rows) if _tells_values(row)), 0)
    if not any(row.is_figures for row in rows[first:]):
        return 0
    columns = column_places(rows[first:])
    label_left = labels_from(rows[first:])
    above = [place for place in range(first) if _parted(rows[place], columns[0], label_left)[1]]
    return max(above, default=-1) + 1


def labels_from(rows: Sequence[CellRow]) -> float:
    """Return where the labels of a table's rows begin."""
    return min(row.box.left for row in rows)


def _tells_values(row: CellRow) -> bool:
    """Say whether a row belongs below the head: figures that are no dates, or signs for them."""
    values = [said_of(cell) for cell in row.cells[1:]]
    if row.is_figures:
        return not all(_PART_OF_DATE.fullmatch(said) for said in values)
    return any(_VALUE.search(said) for said in values)


def one_head(
    rows: Sequence[CellRow], columns: Sequence[Column], rules: Sequence[Box], *, label_left: float
) -> list[Cells]:
    """Return the head as one row, below the titles of the table that stand above it."""
    parted = [_parted(row, columns[0], label_left) for row in rows]
    first = next(place for place, (_, above) in enumerate(parted) if above)
    head: Cells = [[] for _ in range(len(columns) + 1)]
    # A cell that spans others stands above the middle of these, not of the figures' edges: so
    # from the lowest row up, each column has its seat where its own cell is.
    seats = [Seat(column, is_dated=False) for column in columns]
    for row, (labels, above) in reversed(list(zip(rows, parted, strict=True))[first:]):
        line: Cells = [labels, *([] for _ in columns)]
        reaches = _reaches(above, seats, _underlines(row, rules, columns[0].left))
        for cell, reach in sorted(zip(above, reaches, strict=True), key=_line_and_place):
            said = said_of(cell)
            for place in reach if len(said) <= _MOST_CHARACTERS else reach[:1]:
                line[place + 1] += cell
            if len(reach) == 1:
                box = box_around(cell)
                is_dated = _PART_OF_DATE.search(said) is not None
                seats[reach[0]] = Seat(Column(box.left, box.right), is_dated)
        head = [[*upper, *lower] for upper, lower in zip(line, head, strict=True)]
    return [*([labels, *([] for _ in columns)] for labels, _ in parted[:first]), head]


def _line_and_place(reaching: tuple[Cell, list[int]]) -> tuple[int, float]:
    """Return what orders cells of a row that has two lines beside one."""
    box = box_around(reaching[0])
    return round(box.middle / max(box.height, 1.0)), box.left


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a column is, by its lowest cell of the head, and whether that is a year or a day."""

    column: Column
    is_dated: bool


def _parted(row: CellRow, column: Column, label_left: float) -> tuple[list[Word], list[Cell]]:
    """Return the words of the label and the cells above the figures."""
    first, *others = row.cells
    box = box_around(first)
    starts_as_labels_do = box.left <= label_left + _INDENT_POINTS
    is_before = (box.left + box.right) / 2 < column.left and (
        starts_as_labels_do or not column.meets(box)
    )
    said = said_of(first)
    is_unit = starts_as_labels_do and not others and is_remark(said)
    is_label = (is_before or is_unit) and not is_figure(said)
    return (list(first), others) if is_label else ([], list(row.cells))


def _underlines(row: CellRow, rules: Sequence[Box], left: float) -> Lines:
    """Return from where to where lines are drawn below cells of a row, pieces that touch as one.

    A line that runs below the labels too parts the rows and says nothing of cells.
    """
    below = sorted(
        (rule.left, rule.right)
        for rule in rules
        if rule.width > rule.height
        and rule.middle >= row.box.middle
        and rule.top - row.box.bottom <= _UNDER_POINTS
    )
    lines: list[tuple[float, float]] = []
    for start, end in below:
        if lines and start - lines[-1][1] <= _TOUCH_POINTS:
            lines[-1] = (lines[-1][0], max(lines[-1][1], end))
        else:
            lines.append((start, end))
    return [line for line in lines if line[0] >= left - _INDENT_POINTS]


def _shared(box: Box, line: tuple[float, float]) -> float:
    return min(line[1], box.right) - max(line[0], box.left)


def _reaches(cells: Sequence[Cell], seats: Sequence[Seat], lines: Lines) -> list[list[int]]:
    """Return the columns that each cell of a row stands above; none stands above those of others.

    A column between two cells belongs to the nearer one, unless it is in what the other is
    centred over.
    """
    boxes = [box_around(cell) for cell in cells]
    between = [(one.right + other.left) / 2 for one, other in pairwise(boxes)]
    own = [
        [n for n, seat in enumerate(seats) if left < _middle(seat) <= right]
        for left, right in pairwise([-math.inf, *between, math.inf])
    ]
    near = [_reach(cell, seats, free, lines) for cell, free in zip(cells, own, strict=True)]
    reaches = []
    for place, cell in enumerate(cells):
        left = boxes[place - 1].right if place else -math.inf
        right = boxes[place + 1].left if place + 1 < len(cells) else math.inf
        others = {n for other, reach in enumerate(near) if other != place for n in reach}
        free = [
            n
            for n, seat in enumerate(seats)
            if seat.is_dated and left < _middle(seat) < right and n not in others
        ]
        reaches.append(_reach(cell, seats, sorted({*free, *own[place]} - others), lines))
    return reaches


def _middle(seat: Seat) -> float:
    return seat.column.middle


def _reach(cell: Cell, seats: Sequence[Seat], free: Sequence[int], lines: Lines) -> list[int]:
    """Return the columns below a cell; those that are `free` stand below no other of its row."""
    box = box_around(cell)
    for line in lines:
        if _shared(box, line) >= _UNDERLINED * box.width:
            under = [n for n in free if line[0] - 1 <= _middle(seats[n]) <= line[1] + 1]
            if len(under) > 1:
                return under
    centred = [
        list(range(first, last + 1))
        for first in free
        for last in free
        if first <= last and _is_centred(box, seats, first, last)
    ]
    if centred:
        # The first of two lines above one column is centred over its neighbours too; above years
        # and days stands what they are of.
        widest = max(centred, key=len)
        said = said_of(cell)
        is_dated = _PERIOD.search(said) or _PART_OF_DATE.fullmatch(said)
        spans = is_dated or all(seats[n].is_dated for n in widest)
        return widest if spans else min(centred, key=len)
    meeting = [n for n in free if seats[n].column.meets(box)]
    middle = (box.left + box.right) / 2
    return meeting or [min(range(len(seats)), key=lambda n: abs(_middle(seats[n]) - middle))]


def _is_centred(box: Box, seats: Sequence[Seat], first: int, last: int) -> bool:
    """Say whether a box stands above the middle of some columns, or at the edge of the only one."""
    left, right = seats[first].column.left, seats[last].column.right
    middle = (box.left + box.right) / 2
    if first == last:
        at_edge = min(abs(box.left - left), abs(box.right - right)) <= _TOUCH_POINTS
        return at_edge or abs((left + right) / 2 - middle) <= _ASIDE_POINTS
    # Figures stand to the right in their column, which begins where the one before it ends.
    if first:
        begins = seats[first - 1].column.right
    else:
        begins = left - (seats[1].column.left - seats[0].column.right)
    low, high = sorted(((begins + right) / 2, (left + right) / 2))
    return low - _ASIDE_POINTS <= middle <= high + _ASIDE_POINTS
