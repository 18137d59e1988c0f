"""A document's text -> the markers that open its legal units: "§ 3", "18)", "(b)". Pure.

A marker opens a unit at the beginning of a line, after other markers, or in running text where it
is the next of its row ("... 2) ...").
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.records import Span
from cytat.text.unit_references import UnitKind, normal_number

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
TITLE_CHARACTERS = 60
"""The longest line that is a title above a marker."""

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
class UnitMark:
    """A marker in a text, `start` to `end`; smaller depths hold greater ones."""

    kind: UnitKind | None
    """None: a heading or division that closes units and is none."""
    number: str
    start: int
    end: int
    depth: int


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


def marks_in(text: str, headings: Sequence[Span]) -> Iterator[UnitMark]:
    """Yield the markers of a text in order; `headings` are the spans of its headings, in order."""
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


def _marks_of_line(line: _UnitLine, last: dict[int, str]) -> Iterator[UnitMark]:
    """Yield the markers of one line; `last` has the number last opened at each depth."""
    opening = _MARKUP.match(line.words)
    place = opening.end() if opening else 0
    if _RULE_ABOVE_NOTES.fullmatch(line.words):
        yield UnitMark(None, "", line.start, line.start + len(line.words), _DIVISION_DEPTH)
        return
    if _DIVISION.match(line.words, place) and len(line.words) <= 2 * TITLE_CHARACTERS:
        yield UnitMark(None, "", line.start, line.start + len(line.words), _DIVISION_DEPTH)
        return
    place = len(line.words) - len(line.words.lstrip()) if line.words[place:] == "" else place
    found = list(_run_of_marks(line, place, last, is_inline=False))
    yield from found
    if line.in_heading:
        if not found:
            yield UnitMark(None, "", line.start, line.start + len(line.words), _HEADING_DEPTH)
        return
    for gap in _INLINE.finditer(line.words, found[-1].end - line.start if found else 0):
        yield from _run_of_marks(line, gap.end(), last, is_inline=True)


def _run_of_marks(
    line: _UnitLine, place: int, last: dict[int, str], *, is_inline: bool
) -> Iterator[UnitMark]:
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


def _mark_at(line: _UnitLine, place: int) -> UnitMark | None:
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
        return UnitMark(opened, number, line.start + place, line.start + end, depth)
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


def _may_open(line: _UnitLine, mark: UnitMark, last: dict[int, str], *, is_inline: bool) -> bool:
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
    return len(line.before) <= TITLE_CHARACTERS and not _RUNS_ON.search(line.before)


def _is_after_end(line: _UnitLine) -> bool:
    is_short = len(line.before) <= TITLE_CHARACTERS
    return not line.before or is_short or _CLOSED.search(line.before) is not None


def _is_first(number: str) -> bool:
    return number in {"1", "a", "i", "–", "—", "-"}


def _follows(mark: UnitMark, last: dict[int, str], *, most: int) -> bool:
    """Say whether a number is the first of a row, or comes next in it."""
    known = last.get(mark.depth)
    if known is None or _is_first(mark.number):
        return most > 1 or _is_first(mark.number)
    here, there = _value(mark.number), _value(known)
    return there <= here <= there + most and mark.number != known


def _value(number: str) -> int:
    digits = re.match(r"\d{1,6}", number)
    return int(digits.group()) if digits else sum(ord(sign) - 96 for sign in number[:1])
