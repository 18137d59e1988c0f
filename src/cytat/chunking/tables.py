"""A table's text -> its head: what stands above the `|---|` line, or a first row of names. Pure."""

import re
from dataclasses import dataclass

from cytat.chunking.seams import lines, trimmed
from cytat.records import Span

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_HEAD_ROWS = 6
"""Rows looked at for the rule below the head; heads of more than two rows are rare already."""
_CELL_END = re.compile(r"[|\t;,]")


@dataclass(frozen=True, slots=True)
class TableHead:
    """The words of a head, and where the rows below it begin."""

    words: str
    rows_start: int


def table_head(text: str, table: Span) -> TableHead:
    """Return the head of a table; without one its words are empty."""
    rows = lines(text, Span(table.start, _after_rows(text, table)))
    for index, row in enumerate(rows):
        if "-" in row.of(text) and _RULE.fullmatch(row.of(text)):
            head = trimmed(text, table.start, row.start) if index else None
            return TableHead(head.of(text) if head else "", row.end)
    if len(rows) > 1 and _names_columns(rows[0].of(text), rows[1].of(text)):
        return TableHead(rows[0].of(text), rows[0].end)
    return TableHead("", table.start)


def _after_rows(text: str, table: Span) -> int:
    """Return where the first rows end, so that a long table is not cut twice."""
    end = table.start
    for _ in range(_HEAD_ROWS + 1):
        following = text.find("\n", end, table.end)
        if following < 0:
            return table.end
        end = following + 1
    return end


def _names_columns(first: str, second: str) -> bool:
    """Without a rule, a first row of two cells or more and no digit is a head above digits."""
    has_digit = re.compile(r"\d")
    return bool(
        _CELL_END.search(first) and not has_digit.search(first) and has_digit.search(second)
    )
