"""Words of each page -> lines in reading order. Pure.

Writing of each direction is laid out by itself, the one with most characters first. Tables are
found before columns, for both have gaps: a table's cells are short and stand in rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cytat.reading.pdf_columns import Gutters, in_columns
from cytat.reading.pdf_model import Box, Line, LineKind, PdfPage, Word, line_of
from cytat.reading.pdf_ruled import ruled_tables
from cytat.reading.pdf_segments import Segment, rows_of, segments_of
from cytat.reading.pdf_tables import Table, figure_tables, text_tables

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


def _lines(page: PdfPage, sides: Sequence[Sequence[Segment]], gutters: Gutters) -> Iterator[Line]:
    for segments in sides:
        turn = segments[0].words[0].style.turn
        if turn < 0:
            yield from _asides(segments)
        else:
            rules = [_turned(rule, page, turn) for rule in page.rules]
            yield from _side_lines(segments, rules, gutters)


def _side_lines(
    segments: Sequence[Segment], rules: Sequence[Box], gutters: Gutters
) -> Iterator[Line]:
    ruled, rest = ruled_tables(segments, rules)
    figures, rest = figure_tables(rest, rules)
    for region in in_columns([*rest, *ruled, *figures], gutters):
        yield from _region_lines(region, rules)


def _region_lines(region: Sequence[Segment | Table], rules: Sequence[Box]) -> Iterator[Line]:
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


def _asides(segments: Sequence[Segment]) -> Iterator[Line]:
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
