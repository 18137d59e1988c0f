"""A document's text -> its legal units with their spans, found by the markers that open them. Pure.

    Art. 43. 1. Zwalnia się od podatku:      Art. 43 ─ ust. 1 ─ pkt 18 ─ lit. a
    18) usługi:
    a) ...

A marker opens a unit at the beginning of a line, after other markers, or in running text where it
is the next of its row ("... 2) ..."). A unit ends where a unit that is as high begins.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from cytat.records import Span
from cytat.text.unit_references import Step, UnitKind, normal_number

_DIVISION_DEPTH = 0
_HEADING_DEPTH = 20
_LIST_DEPTH = 30
_DEPTH = {
    UnitKind.SCHEDULE: 1,
    UnitKind.ARTICLE: 10,
    UnitKind.RULE: 10,
    UnitKind.REGULATION: 10,
    UnitKind.SECTION: 15,
    UnitKind.CLAUSE: 15,
    UnitKind.SIGN: 16,
    UnitKind.NUMBERED: _HEADING_DEPTH,
    UnitKind.USTEP: _LIST_DEPTH,
    UnitKind.PUNKT: 40,
    UnitKind.LITERA: 50,
    UnitKind.TIRET: 60,
    UnitKind.BRACKET: 45,
}
_SKIPPED_NUMBERS = 3
"""Repealed points are left out of a row; a number further on is of something else."""
_TITLE_CHARACTERS = 60

_RAISED = r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉ]{1,5}|\^\d{1,3}[a-z]?)?"
_N = rf"\d{{1,4}}(?:\.\d{{1,3}}){{0,4}}[a-z]{{0,3}}{_RAISED}"
_AFTER = r"(?=[.:)*_—–]|\s*$|\s+[^\W\d_a-z]|\s+[„\"(\[§\d*–—-]|\()"
_WORDED: tuple[tuple[UnitKind, str], ...] = (
    (UnitKind.ARTICLE, r"Art\.|ART\.|Art|Artykuł|ARTYKUŁ|Article|ARTICLE"),
    (UnitKind.SIGN, r"§|Paragraf|PARAGRAF|Par\.|Paragraph|PARAGRAPH"),
    (UnitKind.SECTION, r"Section|SECTION|Sec\."),
    (UnitKind.CLAUSE, r"Clause|CLAUSE|Klauzula"),
    (UnitKind.RULE, r"Rule|RULE"),
    (UnitKind.REGULATION, r"Regulation|REGULATION|Reg\."),
    (UnitKind.SCHEDULE, r"Schedule|SCHEDULE"),
    (UnitKind.USTEP, r"Ust\.|ust\.|Ustęp"),
    (UnitKind.PUNKT, r"Pkt|pkt|Punkt"),
    (UnitKind.LITERA, r"Lit\.|lit\."),
)
_WORDED_FORMS = tuple(
    (kind, re.compile(rf"(?:{words})\s{{0,3}}(?P<number>{_N}){_AFTER}")) for kind, words in _WORDED
)
_LIT_WORDED = re.compile(r"[Ll]it\.\s?(?P<number>[a-z]{1,2})(?=[.:)]|\s)")
_BARE_FORMS = (
    (UnitKind.USTEP, re.compile(rf"(?P<number>\d{{1,3}}[a-z]{{0,2}}{_RAISED})\.(?=\s|$|—|\()")),
    (UnitKind.NUMBERED, re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,4})\.?(?=\s)")),
    (UnitKind.PUNKT, re.compile(rf"(?P<number>\d{{1,3}}[a-z]{{0,2}}{_RAISED})\)(?=\s|$)")),
    (UnitKind.LITERA, re.compile(r"(?P<number>[a-z]{1,2})\)(?=\s|$)")),
    (UnitKind.BRACKET, re.compile(r"\((?P<number>\d{1,3}[a-z]?|[a-z]{1,4})\)(?=\s|$|\()")),
    (UnitKind.TIRET, re.compile(r"(?P<number>[–—-])(?=\s)")),
)
_DIVISION = re.compile(
    r"(?:CZĘŚĆ|Część|PART|Part|KSIĘGA|Księga|TYTUŁ|Tytuł|TITLE|Title|DZIAŁ|Dział|ROZDZIAŁ"
    r"|Rozdział|CHAPTER|Chapter|ANNEX|Annex|APPENDIX|Appendix|ZAŁĄCZNIK|Załącznik|ODDZIAŁ|Oddział)"
    r"(?:\s+[Nn]r)?\s+(?:[IVXLC]{1,7}|\d{1,3}|[A-Z])[a-z]?(?![^\W_])"
    r"|(?:ARTICLE|Article)\s+[IVXLC]{1,7}(?![^\W_])"
)
_UNWORDED_FORMS = frozenset(form for _, form in _BARE_FORMS)
_ROMAN_LETTERS = frozenset("ivx")
"""In brackets they count parts of a letter far more often than they are letters."""
_RULE_ABOVE_NOTES = re.compile(r"\s{0,80}_{5,}")
_MARKUP = re.compile(r"[\s>#*]*(?:[-+]\s+(?=(?:Art|§|\*\*)))?[*_]*")
_CLOSED = re.compile(r"[.;:,!?)\]”\"*_–—-]$|\s(?:oraz|lub|albo|i|a|or|and)$")
_RUNS_ON = re.compile(
    r"(?:^|\s)(?:w|z|ze|do|na|od|po|za|o|i|lub|oraz|art\.|§|in|of|to|under|by|and|or|with|the"
    r"|section|clause|article)$",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"(?<=[.;:,–—])\s(?=(?:§\s?\d{1,4}[a-z]?\.|\d{1,3}[a-z]?[.)]|[a-z]\)|\([0-9a-z]{1,3}\))\s)"
)
_ENTRY_OF_CONTENTS = re.compile(r"\.{4}|(?:\s\.){4}")


@dataclass(frozen=True, slots=True)
class LegalUnit:
    """One unit: its markers are in the text at `span.start`, `body` is where they end."""

    kind: UnitKind
    number: str
    span: Span
    body: int
    depth: int


@dataclass(frozen=True, slots=True)
class _Mark:
    kind: UnitKind | None
    """None: a heading or division that closes units and is none."""
    number: str
    start: int
    end: int
    depth: int


def units_of(text: str, headings: Sequence[Span]) -> list[LegalUnit]:
    """Return the units of a text in order; `headings` are the spans of its headings, in order."""
    return list(_closed(list(_marks(text, headings)), text))


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


# ---------------------------------------------------------------- markers


@dataclass(frozen=True, slots=True)
class _UnitLine:
    start: int
    words: str
    before: str
    """The line above without blanks at its end; "" where it is blank."""
    in_heading: bool


def _lines(text: str, headings: Sequence[Span]) -> Iterator[_UnitLine]:
    starts = [span.start for span in headings]
    place, before = 0, ""
    for words in text.splitlines(keepends=True):
        indent = len(words) - len(words.lstrip())
        at = bisect_right(starts, place + indent) - 1
        in_heading = at >= 0 and place + indent < headings[at].end
        bare = words.rstrip()
        yield _UnitLine(place, bare, before, in_heading)
        before = "" if in_heading else bare
        place += len(words)


def _marks(text: str, headings: Sequence[Span]) -> Iterator[_Mark]:
    last: dict[int, str] = {}
    for line in _lines(text, headings):
        if not line.words.strip() or _ENTRY_OF_CONTENTS.search(line.words):
            continue
        for mark in _marks_of_line(line, last):
            for depth in [one for one in last if one > mark.depth]:
                del last[depth]
            if mark.kind is not None:
                last[mark.depth] = mark.number
            yield mark


def _marks_of_line(line: _UnitLine, last: dict[int, str]) -> Iterator[_Mark]:
    """Yield the markers of one line; `last` has the number last opened at each depth."""
    opening = _MARKUP.match(line.words)
    place = opening.end() if opening else 0
    if _RULE_ABOVE_NOTES.fullmatch(line.words):
        yield _Mark(None, "", line.start, line.start + len(line.words), _DIVISION_DEPTH)
        return
    if _DIVISION.match(line.words, place) and len(line.words) <= 2 * _TITLE_CHARACTERS:
        yield _Mark(None, "", line.start, line.start + len(line.words), _DIVISION_DEPTH)
        return
    place = len(line.words) - len(line.words.lstrip()) if line.words[place:] == "" else place
    found = list(_run_of_marks(line, place, last, is_inline=False))
    yield from found
    if line.in_heading:
        if not found:
            yield _Mark(None, "", line.start, line.start + len(line.words), _HEADING_DEPTH)
        return
    for gap in _INLINE.finditer(line.words, found[-1].end - line.start if found else 0):
        yield from _run_of_marks(line, gap.end(), last, is_inline=True)


def _run_of_marks(
    line: _UnitLine, place: int, last: dict[int, str], *, is_inline: bool
) -> Iterator[_Mark]:
    """Yield the markers that follow one another from a place of a line on."""
    above = -1
    while True:
        mark = _mark_at(line, place)
        if mark is None or mark.depth <= above:
            return
        if above < 0 and not _may_open(line, mark, last, is_inline=is_inline):
            return
        if above >= 0 and mark.depth >= _LIST_DEPTH and not _is_first(mark.number):
            return
        yield mark
        above = mark.depth
        place = mark.end - line.start
        while place < len(line.words) and line.words[place] in " \t\u00a0*_—":
            place += 1


def _mark_at(line: _UnitLine, place: int) -> _Mark | None:
    words = line.words
    for kind, form in (*_WORDED_FORMS, (UnitKind.LITERA, _LIT_WORDED), *_BARE_FORMS):
        found = form.match(words, place)
        if found is None:
            continue
        number = normal_number(found["number"])
        end = found.end() + (words[found.end() : found.end() + 1] in {".", ":", ")"})
        opened = (
            _numbered(kind, number, in_heading=line.in_heading) if form in _UNWORDED_FORMS else kind
        )
        depth = _depth_of(opened, number, in_heading=line.in_heading)
        return _Mark(opened, number, line.start + place, line.start + end, depth)
    return None


def _numbered(kind: UnitKind, number: str, *, in_heading: bool) -> UnitKind:
    """Return what a marker without a word opens: in a heading, "5." is a clause."""
    is_number = kind is UnitKind.USTEP or (kind is UnitKind.NUMBERED and "." in number)
    return UnitKind.NUMBERED if in_heading and is_number else kind


def _depth_of(kind: UnitKind, number: str, *, in_heading: bool) -> int:
    if kind in {UnitKind.USTEP, UnitKind.NUMBERED}:
        return (_HEADING_DEPTH if in_heading else _LIST_DEPTH) + number.count(".")
    if kind is UnitKind.BRACKET and not number[0].isdigit():
        return _DEPTH[UnitKind.LITERA] + (len(number) > 1 or number in _ROMAN_LETTERS)
    return _DEPTH[kind]


def _may_open(line: _UnitLine, mark: _Mark, last: dict[int, str], *, is_inline: bool) -> bool:
    """Say whether a marker at the start of a line, or in it, opens a unit."""
    rest = line.words[mark.end - line.start :].strip(" \t*_")
    if is_inline:
        return _follows(mark, last, most=1)
    if mark.depth < _LIST_DEPTH and not line.in_heading:
        return _opens_paragraph(line, rest)
    if mark.kind is UnitKind.USTEP and (rest[:1].islower() or not _is_after_end(line)):
        return False
    is_free = line.in_heading or mark.kind in {UnitKind.TIRET, UnitKind.NUMBERED, UnitKind.BRACKET}
    return is_free or _follows(mark, last, most=_SKIPPED_NUMBERS)


def _opens_paragraph(line: _UnitLine, rest: str) -> bool:
    if not line.before or not rest or _CLOSED.search(line.before):
        return not _RUNS_ON.search(line.before)
    return len(line.before) <= _TITLE_CHARACTERS and not _RUNS_ON.search(line.before)


def _is_after_end(line: _UnitLine) -> bool:
    is_short = len(line.before) <= _TITLE_CHARACTERS
    return not line.before or is_short or _CLOSED.search(line.before) is not None


def _is_first(number: str) -> bool:
    return number in {"1", "a", "i", "–", "—", "-"}


def _follows(mark: _Mark, last: dict[int, str], *, most: int) -> bool:
    """Say whether a number is the first of a row, or comes next in it."""
    known = last.get(mark.depth)
    if known is None or _is_first(mark.number):
        return most > 1 or _is_first(mark.number)
    here, there = _value(mark.number), _value(known)
    return there <= here <= there + most and mark.number != known


def _value(number: str) -> int:
    digits = re.match(r"\d{1,6}", number)
    return int(digits.group()) if digits else sum(ord(sign) - 96 for sign in number[:1])


# ---------------------------------------------------------------- spans


def _closed(marks: Sequence[_Mark], text: str) -> Iterator[LegalUnit]:
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


def _without_next_title(text: str, mark: _Mark, end: int) -> int:
    """Return where a unit ends without the title of the next one, which stands above its marker."""
    found = _LAST_TITLE.search(text, max(mark.end, end - 4 * _TITLE_CHARACTERS), end)
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
