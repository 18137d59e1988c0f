"""Words of each page -> lines in reading order, column by column. Pure.

Where right-hand lines share a left edge and leave a gap to the left of it, the gap may be a
gutter. What runs across it parts the page into bands, and each band is read down its left column
first. A table without drawn lines has gaps too; its cells are short, or its rows stand apart.

Writing of each direction is laid out by itself, the one with most characters first. Tables are
found before columns, for both have gaps: a table's cells are short and stand in rows.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Self

from cytat.reading.pdf.cells import Segment, rows_of, segments_of
from cytat.reading.pdf.model import Box, LineKind, PdfLine, PdfPage, Word, line_of
from cytat.reading.pdf.ruled_tables import ruled_tables
from cytat.reading.pdf.tables import Table, figure_tables, text_tables

LayoutPart = Segment | Table

_MIN_LINES = 4
"""Lines of a document that begin at a gutter before it counts as one."""
_MIN_LINES_HERE = 2
_MIN_SHARE = 0.3
"""Share of a page's lines that a gutter must part."""
_MIN_WORDS_A_LINE = 2.5
"""Mean words on each side of a gutter; cells of tables have fewer."""
_MAX_FIGURES = 0.4
"""Share of words with digits from which a side is figures rather than prose."""
_BIN_POINTS = 4
"""Left edges this near are one edge."""
_TRIED = 6
_GAP_PER_PITCH = 1.25
_MAX_DEPTH = 5
_MIN_COLUMN_LINES = 8
_MIN_COLUMN_SHARE = 0.5
"""Lines, and share of the lines beside others, that stand together in columns of running text:
names of authors stand in rows above a paper's columns, and its columns do not."""
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Gutters:
    """Left edges, in bins, at which lines of a document begin beside others."""

    votes: Counter[int]

    @classmethod
    def of(cls, pages: Sequence[Sequence[Segment]]) -> Self:
        """Count the edges of all pages."""
        votes: Counter[int] = Counter()
        for segments in pages:
            votes.update(_bin(segment.box.left) for segment in segments)
        return cls(votes)

    def on(self, parts: Sequence[LayoutPart]) -> list[float]:
        """Return the likeliest places of a gutter among some parts, best first."""
        first = min(_bin(part.box.left) for part in parts)
        here = Counter(_bin(part.box.left) for part in parts if _bin(part.box.left) > first + 1)
        likely = sorted(
            (
                (_with_next(here, edge), edge)
                for edge in here
                if _with_next(self.votes, edge) >= _MIN_LINES
                and _with_next(here, edge) >= _MIN_LINES_HERE
            ),
            reverse=True,
        )
        return [(edge - 0.75) * _BIN_POINTS for _, edge in likely[:_TRIED]]


def _bin(left: float) -> int:
    return round(left / _BIN_POINTS)


def _with_next(votes: Counter[int], edge: int) -> int:
    return votes[edge] + max(votes[edge - 1], votes[edge + 1])


def in_columns(
    parts: Sequence[LayoutPart], gutters: Gutters, depth: int = 0
) -> Iterator[list[LayoutPart]]:
    """Yield the parts of a page that are read from top to bottom, in reading order."""
    gutter = _gutter(parts, gutters) if depth < _MAX_DEPTH else None
    if gutter is None:
        if parts:
            yield list(parts)
        return
    for band in _with_names_above(_bands(parts, gutter)):
        for side in (band.across, band.left, band.right):
            yield from in_columns(side, gutters, depth + 1)


@dataclass(slots=True)
class _Band:
    """What runs across both columns, and the columns below it."""

    across: list[LayoutPart]
    left: list[LayoutPart]
    right: list[LayoutPart]


def _gutter(parts: Sequence[LayoutPart], gutters: Gutters) -> float | None:
    """Return the gutter that parts most lines of running text; None if there is none."""
    if len(parts) < 2 * _MIN_LINES_HERE:
        return None
    best, most = None, 0
    for place in gutters.on(parts):
        parted = _parted_lines(parts, place)
        if parted > most:
            best, most = place, parted
    return best


def _parted_lines(parts: Sequence[LayoutPart], gutter: float) -> int:
    """Return how many lines of running text stand beside others; 0 for a table."""
    segments = [part for part in parts if isinstance(part, Segment)]
    left: list[list[Segment]] = []
    right: list[list[Segment]] = []
    longest = 0
    for band in _bands(parts, gutter):
        on_left = rows_of([part for part in band.left if isinstance(part, Segment)])
        on_right = rows_of([part for part in band.right if isinstance(part, Segment)])
        if on_left and on_right:
            left += on_left
            right += on_right
            longest = max(longest, _longest_columns(on_left, on_right))
    parted = min(len(left), len(right))
    if parted < max(_MIN_LINES_HERE, _MIN_SHARE * len(rows_of(segments))):
        return 0
    if not (_is_running_text(left) and _is_running_text(right)):
        return 0
    are_columns = longest >= max(_MIN_COLUMN_LINES, _MIN_COLUMN_SHARE * parted)
    return parted if are_columns or not _stand_in_rows(left, right) else 0


def _bands(parts: Sequence[LayoutPart], gutter: float) -> list[_Band]:
    across = sorted((part for part in parts if _is_across(part.box, gutter)), key=_middle)
    middles = [part.box.middle for part in across]
    bands = [_Band([], [], []), *(_Band([part], [], []) for part in across)]
    for part in parts:
        if not _is_across(part.box, gutter):
            band = bands[bisect_left(middles, part.box.middle)]
            (band.left if part.box.right <= gutter + _BIN_POINTS else band.right).append(part)
    return _merged(bands)


def _merged(bands: Sequence[_Band]) -> list[_Band]:
    """Return the bands, neighbours that hold nothing but lines across made one."""
    merged: list[_Band] = []
    for band in bands:
        if merged and not (merged[-1].left or merged[-1].right):
            merged[-1].across += band.across
            merged[-1].left, merged[-1].right = band.left, band.right
        else:
            merged.append(band)
    return merged


def _with_names_above(bands: Sequence[_Band]) -> Iterator[_Band]:
    """Yield the bands, with what stands in the middle above the first columns before these.

    Names and addresses of a paper's authors stand side by side above its columns; read down the
    left column first, they would part a sentence that runs on into the right one.
    """
    is_first = True
    for band in bands:
        if is_first and band.left and band.right:
            is_first = False
            above = _names_above(band)
            if above:
                names = set(map(id, above))
                yield _Band([*band.across, *above], [], [])
                left = [part for part in band.left if id(part) not in names]
                right = [part for part in band.right if id(part) not in names]
                yield _Band([], left, right)
                continue
        yield band


def _names_above(band: _Band) -> list[Segment]:
    """Return what stands in rows at the top, no part of which begins at the edge of its column."""
    edges = {_edge_of(band.left), _edge_of(band.right)}
    segments = [part for part in [*band.left, *band.right] if isinstance(part, Segment)]
    above: list[Segment] = []
    some: list[Segment] = []
    for row in rows_of(segments):
        if any(abs(segment.box.left - edge) <= _BIN_POINTS for segment in row for edge in edges):
            break
        some += row
        if len(row) > 1:
            above += some
            some = []
    return above


def _edge_of(parts: Sequence[LayoutPart]) -> float:
    """Return where most lines of a column begin."""
    lefts = Counter(round(part.box.left) for part in parts)
    return max(lefts, key=lambda left: (lefts[left], -left))


def _is_across(box: Box, gutter: float) -> bool:
    return box.left < gutter - 1 and box.right > gutter + _BIN_POINTS


def _middle(part: LayoutPart) -> float:
    return part.box.middle


def _is_running_text(rows: Sequence[Sequence[Segment]]) -> bool:
    words = [word for row in rows for segment in row for word in segment.words]
    figures = sum(_FIGURE.search(word.said) is not None for word in words)
    return len(words) >= _MIN_WORDS_A_LINE * len(rows) and figures <= _MAX_FIGURES * len(words)


def _stand_in_rows(left: Sequence[Sequence[Segment]], right: Sequence[Sequence[Segment]]) -> bool:
    """Say whether both sides have their gaps at the same heights, as rows of a table do."""
    shared = _shared_gaps(left, right)
    fewest = min(len(_gaps(left)), len(_gaps(right)))
    return fewest > 1 and len(shared) >= max(2, 0.6 * fewest)


def _shared_gaps(
    left: Sequence[Sequence[Segment]], right: Sequence[Sequence[Segment]]
) -> list[tuple[float, float]]:
    """Return the gaps on the left beside which there is one on the right."""
    others = _gaps(right)
    return [
        (low, high)
        for low, high in _gaps(left)
        if any(low < other_high and other_low < high for other_low, other_high in others)
    ]


def _longest_columns(left: Sequence[Sequence[Segment]], right: Sequence[Sequence[Segment]]) -> int:
    """Return how many lines on the shorter side stand together at most between shared gaps."""
    gaps = _shared_gaps(left, right)
    return min(
        max(Counter(sum(low <= row[0].box.top for low, _ in gaps) for row in rows).values())
        for rows in (left, right)
    )


def _gaps(rows: Sequence[Sequence[Segment]]) -> list[tuple[float, float]]:
    """Return where more than the usual step lies between two lines."""
    boxes = [row[0].box for row in rows]
    steps = [after.top - before.top for before, after in pairwise(boxes)]
    if not steps:
        return []
    usual = median(steps)
    return [
        (before.bottom, after.top)
        for before, after in pairwise(boxes)
        if after.top - before.top > _GAP_PER_PITCH * usual
    ]


_QUARTER = 90


def laid_out(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Return the pages with their lines in reading order."""
    sides = [_sides(page) for page in pages]
    gutters = Gutters.of([segments for side in sides for segments in side])
    return [
        replace(page, lines=tuple(_lines(page, side, gutters)))
        for page, side in zip(pages, sides, strict=True)
    ]


def _sides(page: PdfPage) -> list[list[Segment]]:
    """Return the segments of a page for each direction of writing; the main one is first."""
    by_turn: dict[int, list[Word]] = defaultdict(list)
    for word in page.words:
        by_turn[word.style.turn].append(word)
    if not by_turn.keys() - {0}:
        return [segments_of(page.words)] if page.words else []
    ordered = sorted(by_turn, key=lambda turn: (turn < 0, -sum(map(_length, by_turn[turn])), turn))
    return [segments_of(by_turn[turn]) for turn in ordered]


def _length(word: Word) -> int:
    return len(word.said)


def _lines(
    page: PdfPage, sides: Sequence[Sequence[Segment]], gutters: Gutters
) -> Iterator[PdfLine]:
    for segments in sides:
        turn = segments[0].words[0].style.turn
        if turn < 0:
            yield from _asides(segments)
        else:
            rules = [_turned(rule, page, turn) for rule in page.rules]
            yield from _side_lines(segments, rules, gutters)


def _side_lines(
    segments: Sequence[Segment], rules: Sequence[Box], gutters: Gutters
) -> Iterator[PdfLine]:
    ruled, rest = ruled_tables(segments, rules)
    figures, rest = figure_tables(rest, rules)
    for region in in_columns([*rest, *ruled, *figures], gutters):
        yield from _region_lines(region, rules)


def _region_lines(region: Sequence[Segment | Table], rules: Sequence[Box]) -> Iterator[PdfLine]:
    """Yield the lines of a part of a page that is read from top to bottom."""
    reach = max(part.box.right for part in region)
    figures, rest = figure_tables([part for part in region if isinstance(part, Segment)], rules)
    tables = [part for part in region if isinstance(part, Table)]
    for stretch in _between_tables([*rest, *tables, *figures]):
        if isinstance(stretch, Table):
            yield from stretch.rows
            continue
        for rows in text_tables(rows_of(stretch)):
            if isinstance(rows, Table):
                yield from rows.rows
            else:
                yield line_of([word for part in rows for word in part.words], reach=reach)


def _between_tables(region: Sequence[Segment | Table]) -> Iterator[list[Segment] | Table]:
    stretch: list[Segment] = []
    for part in sorted(region, key=_top):
        if isinstance(part, Table):
            if stretch:
                yield stretch
            yield part
            stretch = []
        else:
            stretch.append(part)
    if stretch:
        yield stretch


def _top(part: Segment | Table) -> float:
    # A segment's middle: what stands beside a table's first row is not above it.
    return part.box.top if isinstance(part, Table) else part.box.middle


def _asides(segments: Sequence[Segment]) -> Iterator[PdfLine]:
    """Yield writing at an angle as PDFium orders it; its boxes say nothing about lines."""
    by_run: dict[int, list[Word]] = defaultdict(list)
    for segment in segments:
        for word in segment.words:
            by_run[word.run].append(word)
    for words in by_run.values():
        yield line_of(words, kind=LineKind.ASIDE)


def _turned(rule: Box, page: PdfPage, turn: int) -> Box:
    """Return a drawn line in the frame of writing that is turned."""
    if turn == _QUARTER:
        return Box(rule.top, page.width - rule.right, rule.bottom, page.width - rule.left)
    if turn == 2 * _QUARTER:
        return Box(page.width - rule.right, page.height - rule.bottom,
                   page.width - rule.left, page.height - rule.top)  # fmt: skip
    if turn == 3 * _QUARTER:
        return Box(page.height - rule.bottom, rule.left, page.height - rule.top, rule.right)
    return rule
