"""A table or list with what introduces it -> its head, which goes along when it is cut. Pure.

A table's head is what stands above the `|---|` line, or a first row of names; a list's is the
sentence with a colon above it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from cytat.chunking.lead_ins import last_sentence
from cytat.chunking.seams import lines, trimmed
from cytat.records import Span

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_HEAD_ROWS = 6
"""Rows looked at for the rule below the head; heads of more than two rows are rare already."""
_CELL_END = re.compile(r"[|\t;,]")
_DIGIT = re.compile(r"\d")
_DATE_PARTS = re.compile(r"\b(?:19|20)\d\d\b|\b[A-Z][a-z]+\.? \d{1,2}(?=,)")


@dataclass(frozen=True, slots=True)
class Headed:
    """Rows or items with the words of their head; `whole` holds both, the rows at its end."""

    head: str
    whole: Span
    rows: Span


def list_head(text: str, above: Span, items: Span, *, fits: Callable[[str], bool]) -> Headed | None:
    """Return a list with the lead-in of the block above, or None if there is none that fits."""
    if text[above.end - 1] != ":":
        return None
    head = last_sentence(text, above)
    return Headed(head, Span(above.start, items.end), items) if fits(head) else None


def table_head(text: str, table: Span) -> Headed:
    """Return a table with its head; without one the words are empty and all rows are rows."""
    first_rows = lines(text, Span(table.start, _after_rows(text, table)))
    for index, row in enumerate(first_rows[1:], start=1):
        if "-" in row.of(text) and _RULE.fullmatch(row.of(text)):
            return _headed(text, table, Span(table.start, first_rows[index - 1].end), row.end)
    if len(first_rows) > 1 and _names_columns(first_rows[0].of(text), first_rows[1].of(text)):
        return _headed(text, table, first_rows[0], first_rows[0].end)
    return Headed("", table, table)


def _headed(text: str, table: Span, head: Span, head_end: int) -> Headed:
    rows = trimmed(text, head_end, table.end)
    return Headed(head.of(text), table, rows) if rows else Headed("", table, table)


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
    """Without a rule, a first row of two cells or more and no figure is a head above figures.

    Years and days of a date are names of columns.
    """
    names = _CELL_END.search(first) and not _DIGIT.search(_DATE_PARTS.sub("", first))
    return bool(names and _DIGIT.search(_DATE_PARTS.sub("", second)))
