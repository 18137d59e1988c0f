"""Segments of a page -> tables, and the segments in none. Pure.

Three signs make a table: drawn lines that cross, rows of figures under one another, and at least
three rows whose cells begin at the same places. A label that runs over two lines is one cell, and
a sign of currency or percent belongs to its figure.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from cytat.reading.pdf.cells import (
    CellRow,
    Segment,
    cells_of,
    column_places,
    is_remark,
    placed,
    rows_of,
    said_of,
    segment_of,
)
from cytat.reading.pdf.model import Box, PdfLine, Word, box_around, row_of
from cytat.reading.pdf.table_heads import head_length, labels_from, one_head

_MIN_FIGURE_ROWS = 3
_MIN_WIDE_FIGURE_ROWS = 2
"""Rows of three cells or more are a table sooner."""
_WIDE_ROW = 3
_MAX_HEAD_ROWS = 4
_MAX_HEAD_WORDS = 8
_GAP_PER_PITCH = 2.6
_MAX_LABELS_BETWEEN = 3
_TITLE_HEIGHTS = 2.0
_APART_PER_HEIGHT = 0.5
"""Share of a row's height by which the gap above a title is wider than those between rows."""
_MIN_TEXT_ROWS = 3
_MAX_MEAN_WORDS = 8
_SAME_EDGE_POINTS = 5
_CELL_GAP_PER_SIZE = 1.2
_MOST_NEW = 0.5
"""Share of the lines of a passage that begin something at most."""
_MIN_PASSAGE_WORDS = 2.0
_STEP_PER_FIRST = 1.35
_MARKER = re.compile(
    r"(?:[-*•▪◦‣●–—§]|\(?[\divxlcIVXLC]{1,5}[.)]|\(?[a-zA-Z][.)]|\d(?:\.\d+)*\.?)$"
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table's rows as lines, and where it lies."""

    rows: tuple[PdfLine, ...]
    box: Box


def table_of(rows: Sequence[Sequence[Sequence[Word]]]) -> Table:
    """Return a table of rows of cells; rows without words are left out."""
    told = [row for row in rows if any(row)]
    lines = tuple(row_of(row, starts_table=place == 0) for place, row in enumerate(told))
    return Table(lines, box_around([word for line in lines for word in line.words]))


# ---------------------------------------------------------------- rows of figures


def figure_tables(
    segments: Sequence[Segment], rules: Sequence[Box]
) -> tuple[list[Table], list[Segment]]:
    """Return the tables of figures, and the segments that are in none."""
    beside = rows_of(segments)
    if sum(len(row) > 1 for row in beside) < _MIN_WIDE_FIGURE_ROWS:
        return [], list(segments)
    rows = [CellRow.of(row) for row in beside]
    if sum(row.is_figures for row in rows) < _MIN_WIDE_FIGURE_ROWS:
        return [], list(segments)
    tables: list[Table] = []
    rest: list[Segment] = []
    place = 0
    for first_figures, end in _figure_runs(rows):
        first = max(place, _with_head(rows, first_figures))
        rest += [segment for row in rows[place:first] for segment in row.segments]
        tables.append(_figure_table(rows[first:end], rules))
        place = end
    rest += [segment for row in rows[place:] for segment in row.segments]
    return tables, rest


def _figure_runs(rows: Sequence[CellRow]) -> Iterator[tuple[int, int]]:
    """Yield where runs of rows of figures begin and end, labels between them included."""
    place = 0
    while place < len(rows):
        if not rows[place].is_figures:
            place += 1
            continue
        end = _run_end(rows, place)
        run = [row for row in rows[place:end] if row.is_figures]
        widest = max(len(row.cells) for row in run)
        least = _MIN_WIDE_FIGURE_ROWS if widest >= _WIDE_ROW else _MIN_FIGURE_ROWS
        if len(run) >= least:
            yield place, end
        place = end


def _run_end(rows: Sequence[CellRow], first: int) -> int:
    end = first + 1
    labels = apart = 0
    edge = rows[first].figures_from
    pitch = 2 * rows[first].box.height
    usual = math.inf
    for place in range(first + 1, len(rows)):
        row = rows[place]
        gap = row.box.top - rows[place - 1].box.bottom
        if gap > _GAP_PER_PITCH * pitch:
            break
        if row.is_figures:
            edge = min(edge, row.figures_from)
            usual = min(usual, gap) if labels == 0 else usual
            end, labels, apart = place + 1, 0, 0
        elif labels < _MAX_LABELS_BETWEEN and row.is_label_before(edge):
            labels += 1
            apart += gap > usual + _APART_PER_HEIGHT * row.box.height
            if apart > 1:
                break  # a title and a sentence: what follows is another table
        else:
            break
    if end < len(rows) and rows[end].continues and rows[end].is_label_before(edge):
        end += 1
    return end


def _with_head(rows: Sequence[CellRow], first: int) -> int:
    """Return where the head above a run of figures begins."""
    edge = rows[first].figures_from
    while rows[first].continues and first and _is_near(rows, first - 1):
        # A label of several lines whose figures stand beside the last.
        if not rows[first - 1].is_label_before(edge):
            break
        first -= 1
    for place in range(first - 1, max(-1, first - 1 - _MAX_HEAD_ROWS), -1):
        row = rows[place]
        words = sum(len(cell) for cell in row.cells)
        is_near = _is_near(rows, place)
        if _is_title_of_rows(rows, place, first=first, edge=edge):
            continue
        is_above_figures = len(row.cells) > 1 or row.box.left >= edge - 4 * row.box.height
        tells_unit = (
            len(row.cells) == 1
            and is_remark(said_of(row.cells[0]))
            and row.box.left <= rows[first].box.left + row.box.height
        )
        if (
            not is_near
            or not (is_above_figures or tells_unit)
            or words > _MAX_HEAD_WORDS * len(row.cells)
        ):
            return place + 1
    return max(0, first - _MAX_HEAD_ROWS)


def _is_near(rows: Sequence[CellRow], place: int, *, heights: float = 1.0) -> bool:
    """Say whether the row below follows closely."""
    row, below = rows[place], rows[place + 1]
    return below.box.top - row.box.bottom < heights * row.box.height


def _is_title_of_rows(rows: Sequence[CellRow], place: int, *, first: int, edge: float) -> bool:
    """Say whether a bold label stands between the head and the first row, as a title of these."""
    row = rows[place]
    return (
        place == first - 1
        and place > 0
        and row.is_label_before(edge)
        and all(word.style.is_bold for word in row.cells[0])
        and _is_near(rows, place, heights=_TITLE_HEIGHTS)
        and _is_near(rows, place - 1)
        and len(rows[place - 1].cells) > 1
    )


def _figure_table(rows: Sequence[CellRow], rules: Sequence[Box]) -> Table:
    length = head_length(rows)
    columns = column_places(rows[length:])
    body = [placed(row.cells, columns) for row in rows[length:]]
    label_left = labels_from(rows[length:])
    head = one_head(rows[:length], columns, rules, label_left=label_left) if length else []
    return table_of([*head, *_with_whole_labels(body)])


def _with_whole_labels(made: Sequence[list[list[Word]]]) -> list[list[list[Word]]]:
    """Return the rows with labels of several lines in one."""
    whole: list[list[list[Word]]] = []
    for cells in made:
        before = whole[-1] if whole else None
        is_label = not any(cells[1:])
        if before is not None and cells[0] and _goes_on(before, cells, is_label=is_label):
            before[:] = [[*one, *other] for one, other in zip(before, cells, strict=True)]
        else:
            whole.append([list(cell) for cell in cells])
    return whole


def _goes_on(
    before: Sequence[Sequence[Word]], cells: Sequence[Sequence[Word]], *, is_label: bool
) -> bool:
    """Say whether a row's label goes on with that of the row above."""
    if not before[0] or said_of(before[0]).endswith(":"):
        return False
    begins_small = cells[0][0].said[:1].islower() or cells[0][0].said[:1] in "$(,"
    before_is_label = not any(before[1:])
    return begins_small and (is_label or before_is_label)


# ---------------------------------------------------------------- cells that begin together


def text_tables(rows: Sequence[list[Segment]]) -> Iterator[list[Segment] | Table]:
    """Yield the rows of a part of a page in order, those that make a table as one."""
    rows = [list(map(segment_of, cells_of(row))) if len(row) > 1 else row for row in rows]
    place = 0
    while place < len(rows):
        beside = _passages_end(rows, place)
        if beside > place:
            yield from ([part] for part in _one_after_the_other(rows[place:beside]))
            place = beside
            continue
        end = _aligned_end(rows, place)
        if end - place >= _MIN_TEXT_ROWS:
            yield _text_table(rows[place:end])
            place = end
        else:
            yield rows[place]
            place += 1


def _passages_end(rows: Sequence[list[Segment]], first: int) -> int:
    """Return where two passages that stand side by side end; `first` where there are none.

    In a table a row begins a cell; in a passage most lines go on with the one above.
    """
    if len(rows[first]) != 2 or not _is_apart(rows[first]):  # noqa: PLR2004 - two passages
        return first
    edges = [segment.box for segment in rows[first]]
    end = first + 1
    most = math.inf
    while end < len(rows) and _is_line_of_passages(rows[end], edges):
        step = rows[end][0].box.top - rows[end - 1][0].box.top
        if step > most:
            break  # what is set apart is read apart: a row of long cells, say
        most = _STEP_PER_FIRST * step if end == first + 1 else most
        end += 1
    columns = list(zip(*(row for row in rows[first:end] if len(row) == 2), strict=True))  # noqa: PLR2004 - as above
    if len(columns[0]) < _MIN_TEXT_ROWS or not all(map(_runs_on, columns)):
        return first
    return end


def _is_line_of_passages(row: Sequence[Segment], edges: Sequence[Box]) -> bool:
    if len(row) == 1 and row[0].box.left < edges[1].left - _SAME_EDGE_POINTS < row[0].box.right:
        return False
    return _is_aligned(row, edges)


def _runs_on(column: Sequence[Segment]) -> bool:
    """Say whether most lines of a column go on with the sentence of the line above."""
    going_on = sum(
        segment.words[0].said[:1].islower() and not before.words[-1].said.endswith((".", ":", ";"))
        for before, segment in pairwise(column)
    )
    words = sum(len(segment.words) for segment in column)
    return going_on > _MOST_NEW * (len(column) - 1) and words >= _MIN_PASSAGE_WORDS * len(column)


def _one_after_the_other(rows: Sequence[Sequence[Segment]]) -> list[Segment]:
    """Return the lines of the left passage, then those of the right one."""
    edge = rows[0][1].box.left - _SAME_EDGE_POINTS
    return sorted(
        (segment for row in rows for segment in row), key=lambda segment: segment.box.left >= edge
    )


def _aligned_end(rows: Sequence[list[Segment]], first: int) -> int:
    """Return where a run of rows with the same left edges ends; `first` where there is none."""
    edges = [segment.box for segment in rows[first]]
    if len(edges) < 2 or not _is_apart(rows[first]):  # noqa: PLR2004 - a label and a value
        return first
    end = first + 1
    while end < len(rows) and _is_aligned(rows[end], edges):
        end += 1
    run = rows[first:end]
    cells = [segment for row in run for segment in row]
    words = sum(len(segment.words) for segment in cells)
    markers = sum(_MARKER.match(said_of(row[0].words)) is not None for row in run)
    several = sum(len(row) > 1 for row in run)
    is_table = (
        several >= _MIN_TEXT_ROWS
        and 2 * several > len(run)
        and words <= _MAX_MEAN_WORDS * len(cells)
        and 2 * markers < len(run)
    )
    return end if is_table else first


def _is_aligned(row: Sequence[Segment], edges: Sequence[Box]) -> bool:
    if len(row) == 1:  # a line of text may lie anywhere above the middle of a column
        left = row[0].box.left
        return any(abs(left - edge.left) <= _SAME_EDGE_POINTS for edge in edges)
    if not _is_apart(row):
        return False
    return len(row) <= len(edges) and all(
        any(_apart(segment.box, edge) <= _SAME_EDGE_POINTS for edge in edges) for segment in row
    )


def _apart(box: Box, column: Box) -> float:
    """Return how far a cell is from a column where it is nearest: at an edge or in the middle."""
    at_left, at_right = abs(box.left - column.left), abs(box.right - column.right)
    in_middle = abs(box.left + box.right - column.left - column.right) / 2
    return min(at_left, at_right, in_middle) if _meet(box, column) else at_left


def _meet(box: Box, column: Box) -> bool:
    return box.left < column.right and column.left < box.right


def _is_apart(row: Sequence[Segment]) -> bool:
    return all(
        after.box.left - before.box.right >= _CELL_GAP_PER_SIZE * before.words[0].style.size
        for before, after in pairwise(row)
    )


def _text_table(rows: Sequence[Sequence[Segment]]) -> Table:
    edges = [segment.box for segment in rows[0]]
    made: list[list[list[Word]]] = []
    steps = [after[0].box.top - before[0].box.top for before, after in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    for place, row in enumerate(rows):
        cells: list[list[Word]] = [[] for _ in edges]
        for segment in row:
            at = min(range(len(edges)), key=lambda n: _apart(segment.box, edges[n]))
            cells[at] += segment.words
        small = all(cell[0].said[:1].islower() for cell in cells if cell)
        near = place > 0 and steps[place - 1] <= usual
        if made and (small or not cells[0]) and near and len(row) < len(edges):
            made[-1] = [[*one, *other] for one, other in zip(made[-1], cells, strict=True)]
        else:
            made.append(cells)
    return table_of(made)
