"""A question that names a legal unit -> what is quoted of it. Pure.

"§ 3 ust. 2" is answered with that unit, whole and no more. A question that also asks for something
("ile wynosi kaucja w § 5") is answered with the sentences of the unit that hold it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.answering.expected import Expected, expected_of, holds_expected
from cytat.answering.quoting import FIGURES, Quoted, on_one_line
from cytat.answering.scoring import is_about
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.grounding import read_passage
from cytat.records import Span, TermGroup
from cytat.retrieval import FoundUnit, UnitSearch
from cytat.text.notes import Note, NoteKind, note

MOST_NAMED = 5
"""Documents named in a note."""
_WRONG_OF_UNIT = frozenset((NoteKind.IDENTIFIER_MISSING, NoteKind.ONLY_HOLDERS))
"""What the words index says of a reference that it does not know as a unit."""


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """What is quoted of units, and what has to be said of them; no quotes: a refusal."""

    quotes: tuple[Quoted, ...]
    notes: tuple[Note, ...]


def answer_from_unit(survey: Survey, search: UnitSearch | None) -> UnitAnswer | None:
    """Return what a unit that is named answers; None where other passages may answer.

    A unit that no document has is refused with what the documents have instead.
    """
    if search is None:
        return None
    if not search.found:
        missing = tuple(_missing(search))
        return UnitAnswer((), missing) if missing and search.is_bare else None
    if search.is_bare:
        quotes = tuple(_whole(one) for one in search.found)
    else:
        quotes = tuple(_asked(survey, search.found))
    return UnitAnswer(quotes, tuple(_in_several(search)))


def without_wrong_notes(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Return notes without those that say that a unit is not there."""
    return tuple(one for one in notes if one.kind not in _WRONG_OF_UNIT)


def _missing(search: UnitSearch) -> Iterator[Note]:
    """Yield, for some documents, the last unit of the kind that was asked for."""
    for source, last in search.highest[:MOST_NAMED]:
        yield note(NoteKind.UNIT_MISSING, search.reference.surface, source, last)


def _in_several(search: UnitSearch) -> Iterator[Note]:
    if len(search.sources) > 1:
        named = ", ".join(search.sources[:MOST_NAMED])
        yield note(NoteKind.UNIT_IN_SEVERAL, search.reference.surface, len(search.sources), named)


def _whole(one: FoundUnit) -> Quoted:
    text = " ".join(_words_of(one, span) for span in one.quoted)
    return Quoted(read_passage(one.hit), one.quoted, text)


def _words_of(one: FoundUnit, span: Span) -> str:
    start = one.hit.span.start
    return on_one_line(one.hit.text[span.start - start : span.end - start])


# ---------------------------------------------------------------- asked for something in it


def _asked(survey: Survey, found: Sequence[FoundUnit]) -> Iterator[Quoted]:
    """Yield, of each unit that has it, the sentence that holds most of what is asked for."""
    expected = expected_of(survey.query.text)
    content = [
        group
        for group in survey.query.content
        if group.surface not in GENERIC_WORDS and not group.is_identifier
    ]
    for one in found:
        best = _best_sentence(survey, one, content, expected)
        if best is not None:
            yield Quoted(read_passage(one.hit), (best,), _words_of(one, best))
        elif expected is Expected.ANYTHING or _holds_some(content, one, expected):
            yield _whole(one)


def _holds_some(content: Sequence[TermGroup], one: FoundUnit, expected: Expected) -> bool:
    """Say whether a unit as a whole holds a word asked for and the kind of thing."""
    terms = frozenset[str]().union(*(unit.terms for unit in read_passage(one.hit).units))
    is_met = any(is_about(group, terms) for group in content)
    return is_met and holds_expected(expected, one.hit.text)


def _best_sentence(
    survey: Survey, one: FoundUnit, content: Sequence[TermGroup], expected: Expected
) -> Span | None:
    """Return the sentence with the rarest words asked for, and the kind of thing; None: none."""
    scored = [
        (sum(survey.rarity(group) for group in content if is_about(group, unit.terms)), unit)
        for unit in read_passage(one.hit).units
    ]
    holding = [
        (holds_expected(expected, unit.text), score, unit.span)
        for score, unit in scored
        if score > 0 and (expected not in FIGURES or holds_expected(expected, unit.text))
    ]
    return max(holding, key=lambda one: one[:2])[2] if holding else None
