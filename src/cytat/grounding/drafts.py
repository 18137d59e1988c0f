"""Draft -> statements with the passages they name. Pure; the same for every split into pieces.

A draft is untrusted text. It is cut at line ends and sentence ends, list bullets and table bars
are taken off, every marker is read wherever it stands, and a sentence is cut again where its
clauses carry markers of their own. A statement is given out as soon as nothing that may still
arrive can change it. `parse_draft(text)` is `feed(text)` and `finish()`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.grounding.model_output import (
    OPENERS,
    Marker,
    ReasoningFilter,
    Restart,
    find_markers,
    marker_at,
    may_open_marker,
    without_half_marker,
)

NO_ANSWER = "NO_ANSWER"
"""What the prompt asks a model to write when the passages do not hold the answer."""

_ABBREVIATED = """
    art ust pkt poz par lit zał nr np tj tzn tzw itd itp m.in min mln mld tys zob por ok ul
    al pl os godz r w wg ww prof dr mgr inż hab św ks gen płk red str s t cz rozdz wyd dz u
    e.g i.e cf vs etc approx no nos fig sec ch mr mrs ms st jr sr inc ltd vol p pp al
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_LAST_WORD = re.compile(r"[^\s(\[„\"]+$")
_BLANKS = re.compile(r"[^\S\n]*")
_BULLET = re.compile(r"^\s*(?:>\s*)*(?:(?:[-*•–—+]|\d{1,2}[.)]|[a-z]\))\s+)?")
_TABLE_RULE = re.compile(r"^[\s|:\-+=]*$")
_HEADING = re.compile(r"^\s*#{1,6}\s")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_CLAUSE = re.compile(r"\s*[,;]\s+")
_CLOSERS = "\"”»’')*_"
ITEM_DIGITS = 2
"""A line may open with "12." and still be one statement."""
_CLAUSE_WORDS = 2


@dataclass(frozen=True, slots=True)
class DraftStatement:
    """A statement as the draft has it: text without markers, and the passages it names."""

    text: str
    markers: tuple[int, ...]

    @property
    def is_no_answer(self) -> bool:
        """Say whether it is the sign for "the passages do not hold the answer"."""
        return self.text.strip(" .`*\"'") == NO_ANSWER


class DraftParser:
    """Takes a draft in pieces of any size and gives out its statements, each once."""

    def __init__(self) -> None:
        self._reasoning = ReasoningFilter()
        self._text = ""

    def feed(self, piece: str) -> list[DraftStatement | Restart]:
        """Return the statements that `piece` completes; a `Restart` unsays all before it."""
        return self._take(self._reasoning.feed(piece))

    def finish(self) -> list[DraftStatement | Restart]:
        """Return what is left; a marker torn by a cut stream is dropped."""
        events = self._take(self._reasoning.finish())
        self._text = without_half_marker(self._text)
        events.extend(self._complete(at_end=True))
        return events

    def _take(self, pieces: Sequence[str | Restart]) -> list[DraftStatement | Restart]:
        events: list[DraftStatement | Restart] = []
        for piece in pieces:
            if isinstance(piece, Restart):
                self._text = ""
                events.append(piece)
            else:
                self._text += piece
                events.extend(self._complete(at_end=False))
        return events

    def _complete(self, *, at_end: bool) -> Iterator[DraftStatement]:
        while self._text:
            self._text = self._text.lstrip()
            cut = _boundary(self._text, at_end=at_end)
            if cut is None:
                return
            raw, self._text = self._text[:cut], self._text[cut:]
            yield from _statements(raw)


def parse_draft(text: str) -> list[DraftStatement]:
    """Return the statements of a whole draft."""
    parser = DraftParser()
    return without_unsaid([*parser.feed(text), *parser.finish()])


def without_unsaid(events: Sequence[DraftStatement | Restart]) -> list[DraftStatement]:
    """Return the statements that no later restart unsays."""
    kept: list[DraftStatement] = []
    for event in events:
        if isinstance(event, Restart):
            kept.clear()
        else:
            kept.append(event)
    return kept


# ---------------------------------------------------------------- where a statement ends


class _Waiting(Exception):  # noqa: N818 (no error: more text decides)
    """The text so far does not tell."""


def _boundary(text: str, *, at_end: bool) -> int | None:
    """Return where the first statement of `text` ends, or None while that is open."""
    try:
        return _first_end(text, at_end=at_end)
    except _Waiting:
        return len(text) if at_end and text else None


def _first_end(text: str, *, at_end: bool) -> int:
    is_row = text.startswith("|")
    at = 0
    while at < len(text):
        if text[at] in OPENERS and not is_row:
            at = _past_marker(text, at, at_end=at_end)
        elif text[at] == "\n":
            end = _end_of_line(text, at, at_end=at_end)
            if end is not None:
                return end
            at += 1
        elif text[at] in ".!?…" and not is_row:
            end, at = _end_of_sentence(text, at, at_end=at_end)
            if end is not None:
                return end
        else:
            at += 1
    raise _Waiting


def _past_marker(text: str, at: int, *, at_end: bool) -> int:
    """Return the position after a marker at `at`, or one character on if there is none."""
    marker = marker_at(text, at)
    if marker:
        return marker.end
    if not at_end and may_open_marker(text, at):
        raise _Waiting
    return at + 1


def _past_markers(text: str, at: int, *, at_end: bool) -> int:
    """Return the position after blanks and markers that follow each other from `at`."""
    while True:
        start = _skip_blanks(text, at)
        if start == len(text) and not at_end:
            raise _Waiting
        after = (
            _past_marker(text, start, at_end=at_end) if text[start : start + 1] in OPENERS else 0
        )
        if start == len(text) or after <= start or marker_at(text, start) is None:
            return at
        at = after


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _end_of_line(text: str, at: int, *, at_end: bool) -> int | None:
    """Return where the line that breaks at `at` ends as a statement; None if it runs on."""
    after = len(text) - len(text[at:].lstrip())
    if after == len(text):
        if at_end:
            return after
        raise _Waiting
    if (
        text[after].islower()
        and text[at + 1 : after].strip(" ") == ""
        and text[at - 1] not in ".!?…:;|"
    ):
        return None  # a wrapped line
    past = _past_markers(text, after, at_end=at_end)
    only_markers = past > after and text[_skip_blanks(text, past) :][:1] in ("", "\n")
    return past if only_markers else at + 1


def _end_of_sentence(text: str, at: int, *, at_end: bool) -> tuple[int | None, int]:
    """Return where the sentence ends if the stop at `at` ends one, and where to go on."""
    stop = at
    while at < len(text) and text[at] in ".!?…" + _CLOSERS:
        at += 1
    if at == len(text) and not at_end:
        raise _Waiting
    if text[stop] == "." and not _may_end(text[:stop]):
        return None, at
    past = _past_markers(text, at, at_end=at_end)
    start = _skip_blanks(text, past)
    if start == len(text) or text[start] == "\n":
        return (past, past) if past > at or start == len(text) else (None, at)
    opens = text[start].isupper() or text[start].isdigit() or text[start] in "\"„“«*-•–'"
    return (past, past) if opens and start > at else (None, at)


def _may_end(before: str) -> bool:
    """Say whether a full stop after `before` may end a sentence."""
    match = _LAST_WORD.search(before)
    word = match[0] if match else ""
    if word.casefold().strip('()„"') in _ABBREVIATIONS:
        return False
    if len(word) == 1 and word.isupper() and len(before) > 1:
        return False  # an initial
    return not (word.isdigit() and len(word) <= ITEM_DIGITS and len(before.strip()) == len(word))


# ---------------------------------------------------------------- what a statement says


def _statements(raw: str) -> Iterator[DraftStatement]:
    """Yield the statements of one raw sentence, row or list item."""
    if _TABLE_RULE.match(raw) or _HEADING.match(raw):
        return
    for clause in _clauses(raw, find_markers(raw)):
        markers = find_markers(clause)
        text = _plain(clause, markers)
        if text.strip(" .,;:!?*-–|()"):
            numbers = dict.fromkeys(number for marker in markers for number in marker.numbers)
            yield DraftStatement(text, tuple(numbers))


def _clauses(raw: str, markers: Sequence[Marker]) -> Iterator[str]:
    """Cut a sentence after each marker that a comma and another cited clause follow."""
    start = 0
    for marker, following in pairwise(markers):
        comma = _CLAUSE.match(raw, marker.end)
        if not comma:
            continue
        before, after = raw[start : marker.start], raw[comma.end() : following.start]
        if min(len(before.split()), len(after.split())) >= _CLAUSE_WORDS:
            yield raw[start : marker.end]
            start = comma.end()
    yield raw[start:]


def _plain(raw: str, markers: Sequence[Marker]) -> str:
    """Return `raw` without markers, bullet, table bars and emphasis, on one line."""
    pieces: list[str] = []
    at = 0
    for marker in markers:
        pieces.append(raw[at : marker.start].rstrip())
        at = marker.end
    pieces.append(raw[at:])
    text = _EMPHASIS.sub("", _BULLET.sub("", "".join(pieces), count=1))
    if text.lstrip().startswith("|"):
        text = " | ".join(cell.strip() for cell in text.strip().strip("|").split("|"))
    return " ".join(text.split())
