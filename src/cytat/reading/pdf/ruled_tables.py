"""Segments and drawn lines -> tables whose cells the lines enclose. Pure.

A cell that spans several columns or rows is one: in each row only those upright lines count that
are drawn there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.reading.pdf.cells import Segment, is_figure, rows_of, said_of, segments_of
from cytat.reading.pdf.model import Box, Word
from cytat.reading.pdf.tables import Table, table_of

_TOUCH = 3.0
"""Lines this near to one another meet."""
_MIN_FRAME = 2
"""Level lines of a table whose rows nothing parts."""
_MIN_LEVELS = 3
"""Lines each way that two rows of two cells need."""
_BESIDE = 12.0
"""Lines of one row of a table, drawn cell by cell, are this near."""
_MAX_RULES = 1200
_MAX_SHARE = 0.9
_MAX_HEAD_ROWS = 3
_MIN_ROW_CELLS = 2
_SAME_LINE = 0.6
"""Share of a word's height within which the middles of two words of one line lie."""
_WIDE_STEP = 1.7
"""Lines further apart than so many heights of type are not those of one cell."""


@dataclass(slots=True, eq=False)
class _Grid:
    level: list[Box]
    upright: list[Box]
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, box: Box) -> bool:
        # Rules come from top to bottom, so that most grids end above.
        return (
            box.top <= self.bottom + _TOUCH
            and box.left <= self.right + _TOUCH
            and self.left <= box.right + _TOUCH
            and self.top <= box.bottom + _TOUCH
        )

    def take(self, other: "_Grid") -> None:
        self.level += other.level
        self.upright += other.upright
        self.left, self.top = min(self.left, other.left), min(self.top, other.top)
        self.right, self.bottom = max(self.right, other.right), max(self.bottom, other.bottom)

    def holds(self, box: Box) -> bool:
        middle = (box.left + box.right) / 2
        return self.left <= middle <= self.right and self.top <= box.middle <= self.bottom


def ruled_tables(
    segments: Sequence[Segment], rules: Sequence[Box]
) -> tuple[list[Table], list[Segment]]:
    """Return the tables that drawn lines enclose, and the segments that are in none."""
    tables: list[Table] = []
    rest = list(segments)
    for grid in _grids(rules) if len(rules) <= _MAX_RULES else ():
        inside = [segment for segment in rest if grid.holds(segment.box)]
        table = _table(grid, [word for segment in inside for word in segment.words])
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            rest = [segment for segment in rest if id(segment) not in taken]
    return tables, rest


def _grids(rules: Sequence[Box]) -> list[_Grid]:
    grids: list[_Grid] = []
    for rule in sorted(rules, key=lambda rule: (rule.top, rule.left)):
        is_level = rule.width >= rule.height
        grid = _Grid([rule] if is_level else [], [] if is_level else [rule],
                     rule.left, rule.top, rule.right, rule.bottom)  # fmt: skip
        for other in [other for other in grids if other.meets(rule)]:
            grid.take(other)
            grids.remove(other)
        grids.append(grid)
    levels = [rule for rule in rules if rule.width >= rule.height]
    return [
        grid
        for grid in grids
        if len(_levels([rule.middle for rule in grid.level])) >= _MIN_FRAME
        and len(_levels([rule.left for rule in grid.upright])) >= _MIN_LEVELS
        and not _is_part_of_wider_rows(grid, levels)
    ]


def _is_part_of_wider_rows(grid: _Grid, levels: Sequence[Box]) -> bool:
    """Say whether the lines of a grid's rows go on beside it, after a gap: it is no whole table."""
    beside = [
        rule.middle
        for rule in levels
        if _TOUCH < grid.left - rule.right <= _BESIDE or _TOUCH < rule.left - grid.right <= _BESIDE
    ]
    going_on = [
        level
        for level in _levels([rule.middle for rule in grid.level])
        if any(abs(level - other) <= 1 for other in beside)
    ]
    return len(going_on) >= _MIN_LEVELS


def _levels(places: Sequence[float]) -> list[float]:
    """Return places in order, those that are nearly one as one."""
    levels: list[float] = []
    for place in sorted(places):
        if not levels or place - levels[-1] > _TOUCH:
            levels.append(place)
    return levels


def _table(grid: _Grid, words: Sequence[Word]) -> Table | None:
    tops = _levels([rule.middle for rule in grid.level])
    rows: list[list[_Cell]] = []
    by_band: list[list[Word]] = [[] for _ in range(len(tops) + 1)]
    for word in words:
        by_band[sum(top < word.box.middle for top in tops)].append(word)
    columns = _levels([rule.left for rule in grid.upright])
    for band, inside in enumerate(by_band):
        if not inside:
            continue
        middle = (tops[max(0, band - 1)] + tops[min(band, len(tops) - 1)]) / 2
        drawn = [rule.left for rule in grid.upright if rule.top - 1 <= middle <= rule.bottom + 1]
        cells = _cells(inside, columns, _levels(drawn))
        rows += _rows_between(cells)
    told = [row for row in rows if len(row) > 1]
    if len(told) < _MIN_LEVELS - 1 or len(told) < (1 - _MAX_SHARE) * len(rows):
        return None
    heads = _head_length(rows)
    width = max(1, len(columns) - 1)
    return table_of([_placed(row, width, spread=n < heads) for n, row in enumerate(rows)])


def _rows_between(cells: Sequence["_Cell"]) -> list[list["_Cell"]]:
    """Return what stands between two level lines as the rows of a table that it is.

    Many tables have upright lines alone below their head. A line of words begins a row if most
    columns have words on it; and there is more than one row only if some column has a figure in
    each, or the lines stand wider apart than those of one cell do.
    """
    heights = sorted((word.box.middle, word.box.height) for cell in cells for word in cell.words)
    bands = _lines_at(heights)
    if len(cells) < _MIN_ROW_CELLS or len(bands) < 2:  # noqa: PLR2004 - one line is one row
        return [list(cells)]
    lines = [_cells_on(cells, low, high) for low, high in bands]
    starts = [place for place, line in enumerate(lines) if 2 * len(line) > len(cells)]
    figures = [_figures_in(line) for line in lines]
    shared = set.intersection(*(figures[place] for place in starts)) if starts else set()
    if len(starts) < 2 or not (shared or _stand_wide(cells, bands, starts)):  # noqa: PLR2004 - as above
        return [list(cells)]
    # A sum below the rows has figures in some of the columns alone.
    starts = [place for place in range(len(lines)) if place in starts or figures[place] & shared]
    edges = [-math.inf, *(bands[place][0] for place in starts[1:]), math.inf]
    return [_cells_on(cells, low, high) for low, high in pairwise(edges)]


def _figures_in(line: Sequence["_Cell"]) -> set[int]:
    """Return the columns of a line in which a figure stands."""
    return {cell.first for cell in line if is_figure(said_of(_in_order(cell.words)))}


def _stand_wide(
    cells: Sequence["_Cell"], bands: Sequence[tuple[float, float]], starts: Sequence[int]
) -> bool:
    """Say whether each line begins a row, wider apart than the lines of one cell."""
    steps = [after - before for (before, _), (after, _) in pairwise(bands)]
    height = max(word.box.height for cell in cells for word in cell.words)
    return len(starts) == len(bands) and min(steps) > _WIDE_STEP * height


def _lines_at(heights: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return from where to where the middles of the words of each line lie."""
    lines: list[tuple[float, float]] = []
    for middle, height in heights:
        if lines and middle - lines[-1][0] < _SAME_LINE * height:
            continue
        lines.append((middle - _SAME_LINE * height / 2, middle + _SAME_LINE * height / 2))
    return lines


def _cells_on(cells: Sequence["_Cell"], low: float, high: float) -> list["_Cell"]:
    """Return the cells that have words between two heights, with these."""
    parts = [
        _Cell(cell.first, cell.past, [word for word in cell.words if low <= word.box.middle < high])
        for cell in cells
    ]
    return [part for part in parts if part.words]


@dataclass(slots=True)
class _Cell:
    """The words between two drawn lines, and the columns from the one to the other."""

    first: int
    past: int
    words: list[Word]


def _head_length(rows: Sequence[Sequence[_Cell]]) -> int:
    """Return how many rows at the top have cells that span columns of the rows below them."""
    spanning = [len(row) > 1 and any(cell.past - cell.first > 1 for cell in row) for row in rows]
    length = spanning.index(False) if False in spanning else 0
    return length if length <= _MAX_HEAD_ROWS and len(rows[length]) > 1 else 0


def _placed(row: Sequence[_Cell], width: int, *, spread: bool) -> list[list[Word]]:
    """Return the words by column; those of a cell that spans several, in each where `spread`."""
    cells: list[list[Word]] = [[] for _ in range(width)]
    for cell in row:
        for at in range(cell.first, cell.past if spread else cell.first + 1):
            cells[at] = _in_order(cell.words)
    return cells


def _cells(words: Sequence[Word], columns: Sequence[float], drawn: Sequence[float]) -> list[_Cell]:
    """Return the cells of a row that have words, by the lines drawn there."""
    last = max(0, len(columns) - 2)
    edges = [columns[0], *drawn, columns[-1]]
    cells: dict[int, _Cell] = {}
    for word in words:
        middle = (word.box.left + word.box.right) / 2
        left = max((edge for edge in drawn if edge <= middle), default=columns[0])
        right = min((edge for edge in edges if edge > middle), default=columns[-1])
        first = min(sum(column < left - _TOUCH for column in columns), last)
        past = min(sum(column < right - _TOUCH for column in columns), last + 1)
        cell = cells.setdefault(first, _Cell(first, max(past, first + 1), []))
        cell.words.append(word)
    return [cells[first] for first in sorted(cells)]


def _in_order(words: Sequence[Word]) -> list[Word]:
    if len(words) < 2:  # noqa: PLR2004 - nothing to put in order
        return list(words)
    return [
        word for line in rows_of(segments_of(words)) for segment in line for word in segment.words
    ]
