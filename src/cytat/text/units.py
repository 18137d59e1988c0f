"""A document's text -> its legal units with their spans, found by the markers that open them. Pure.

    Art. 43. 1. Zwalnia się od podatku:      Art. 43 ─ ust. 1 ─ pkt 18 ─ lit. a
    18) usługi:
    a) ...

A unit ends where a unit that is as high begins.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from cytat.records import Span
from cytat.text.unit_markers import TITLE_CHARACTERS, UnitMark, marks_in
from cytat.text.unit_references import Step, UnitKind


@dataclass(frozen=True, slots=True)
class LegalUnit:
    """One unit: its markers are in the text at `span.start`, `body` is where they end."""

    kind: UnitKind
    number: str
    span: Span
    body: int
    depth: int


def units_of(text: str, headings: Sequence[Span]) -> list[LegalUnit]:
    """Return the units of a text in order; `headings` are the spans of its headings, in order."""
    return list(_closed(list(marks_in(text, headings)), text))


def find_unit(units: Sequence[LegalUnit], chain: Sequence[Step]) -> list[LegalUnit]:
    """Return the units that a chain of steps leads to, in text order; all of one document."""
    found = [one for one in units if _is_head(one, chain[0], units)]
    for step in chain[1:]:
        found = [inner for outer in found for inner in _below(units, outer, step)]
    return found


def highest_number(
    units: Sequence[LegalUnit], kind: UnitKind, outer: LegalUnit | None
) -> str | None:
    """Return the highest number of a kind of unit, or of what is numbered in its place.

    `outer`: only those within it count. None where there are none.
    """
    kinds = (_INNER if outer else _HEADS).get(kind, (kind,))
    numbers = [
        one.number
        for one in units
        if one.kind in kinds
        and (outer is None or (outer.span.holds(one.span) and one.depth > outer.depth))
    ]
    return max(numbers, key=_in_parts, default=None)


def _in_parts(number: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,6}", number)]


# ---------------------------------------------------------------- looking for a unit

_HEADS: dict[UnitKind, tuple[UnitKind, ...]] = {
    UnitKind.SIGN: (UnitKind.SIGN,),
    UnitKind.SECTION: (UnitKind.SECTION, UnitKind.NUMBERED, UnitKind.SIGN, UnitKind.USTEP),
    UnitKind.CLAUSE: (
        UnitKind.CLAUSE,
        UnitKind.NUMBERED,
        UnitKind.SECTION,
        UnitKind.SIGN,
        UnitKind.USTEP,
    ),
    UnitKind.RULE: (UnitKind.RULE, UnitKind.NUMBERED, UnitKind.USTEP),
    UnitKind.REGULATION: (UnitKind.REGULATION, UnitKind.NUMBERED, UnitKind.USTEP),
    UnitKind.PUNKT: (UnitKind.NUMBERED, UnitKind.USTEP, UnitKind.PUNKT),
}
_INNER: dict[UnitKind, tuple[UnitKind, ...]] = {
    UnitKind.USTEP: (UnitKind.USTEP, UnitKind.NUMBERED, UnitKind.BRACKET),
    UnitKind.PUNKT: (UnitKind.PUNKT, UnitKind.USTEP, UnitKind.NUMBERED, UnitKind.BRACKET),
    UnitKind.LITERA: (UnitKind.LITERA, UnitKind.BRACKET),
    UnitKind.BRACKET: (UnitKind.BRACKET, UnitKind.USTEP, UnitKind.PUNKT, UnitKind.LITERA),
    UnitKind.SIGN: (UnitKind.SIGN, UnitKind.BRACKET, UnitKind.USTEP),
    UnitKind.SECTION: (UnitKind.SECTION, UnitKind.NUMBERED),
    UnitKind.CLAUSE: (UnitKind.CLAUSE, UnitKind.NUMBERED, UnitKind.USTEP, UnitKind.BRACKET),
}
_UNWORDED = frozenset((UnitKind.NUMBERED, UnitKind.USTEP, UnitKind.PUNKT))


def _is_head(unit: LegalUnit, step: Step, units: Sequence[LegalUnit]) -> bool:
    """Say whether a unit can be what a reference begins with."""
    if unit.number != step.number or unit.kind not in _HEADS.get(step.kind, (step.kind,)):
        return False
    if unit.kind is step.kind and step.kind is not UnitKind.PUNKT:
        return True
    # A number without a word is "clause 5" only where nothing higher holds it.
    return unit.kind not in _UNWORDED or not any(
        one.depth < unit.depth
        and one.span.holds(unit.span)
        and one.kind is not UnitKind.SCHEDULE
        and not unit.number.startswith(f"{one.number}.")
        for one in units
    )


def _below(units: Sequence[LegalUnit], outer: LegalUnit, step: Step) -> list[LegalUnit]:
    """Return the highest unit within `outer` that a step names, of the likeliest kind."""
    numbers = {step.number, f"{outer.number}.{step.number}"}
    for kind in _INNER.get(step.kind, (step.kind,)):
        inner = [
            one
            for one in units
            if one.kind is kind
            and one.number in numbers
            and one.depth > outer.depth
            and outer.span.holds(one.span)
        ]
        if inner:
            return [min(inner, key=lambda one: (one.depth, one.span.start))]
    return []


# ---------------------------------------------------------------- spans


def _closed(marks: Sequence[UnitMark], text: str) -> Iterator[LegalUnit]:
    """Yield each marker's unit with where it ends: at the next marker that is as high."""
    ends: dict[int, int] = {}
    open_at: list[int] = []
    for index, mark in enumerate(marks):
        while open_at and marks[open_at[-1]].depth >= mark.depth:
            ends[open_at.pop()] = mark.start
        open_at.append(index)
    tirets = 0
    for index, mark in enumerate(marks):
        tirets = tirets + 1 if mark.kind is UnitKind.TIRET else 0
        if mark.kind is None:
            continue
        until = ends.get(index, len(text))
        end = _without_next_title(text, mark, until) if until < len(text) else until
        span = Span(mark.start, mark.start + len(text[mark.start : end].rstrip(" \t\r\n\f#*_>")))
        number = str(tirets) if mark.kind is UnitKind.TIRET else mark.number
        yield LegalUnit(
            mark.kind, number, _with_markup(text, span), min(mark.end, span.end), mark.depth
        )


def _with_markup(text: str, span: Span) -> Span:
    """Return a span with the signs of bold around its marker and after its last words."""
    start, end = span.start, span.end
    while start and text[start - 1] in "*_":
        start -= 1
    span = Span(start, end)
    while end < len(text) and text[end] in "*_" and text.count("**", span.start, end) % 2:
        end += 1
    return Span(span.start, end)


_LAST_TITLE = re.compile(r"\n\s*\n[ \t]*(?P<title>[^\W\d_][^\n]{1,60})\s*\Z")


def _without_next_title(text: str, mark: UnitMark, end: int) -> int:
    """Return where a unit ends without the title of the next one, which stands above its marker."""
    found = _LAST_TITLE.search(text, max(mark.end, end - 4 * TITLE_CHARACTERS), end)
    if found is None or found["title"].rstrip(" *_").endswith((".", ";", ":", ",", "!", "?")):
        return end
    is_alone = not text[mark.end : found.start()].strip(" .*_\n")
    return end if is_alone or not found["title"][0].isupper() else found.start()


def spans_without(span: Span, left_out: Collection[Span]) -> tuple[Span, ...]:
    """Return what of a span lies outside others, such as the running headers of pages."""
    parts, start = [], span.start
    for other in sorted(left_out):
        if other.overlaps(span):
            parts.append((start, max(start, other.start)))
            start = max(start, other.end)
    parts.append((start, max(start, span.end)))
    return tuple(Span(begin, end) for begin, end in parts if end > begin)
