"""Scored units -> one to three verbatim statements, with their spans. Used when no model is named.

The best unit is quoted. Others follow only if they are nearly as good and say something else.
A line that introduces a list brings its items, an item brings the line that introduces it, and a
table's row brings the head of its columns: without them the words are verbatim and say nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.answering.scoring import ScoredUnit
from cytat.answering.survey import Survey
from cytat.grounding import Reading, Unit
from cytat.records import Span

MOST_STATEMENTS = 3
SCORE_MARGIN = 0.8
"""A further sentence is quoted if its score is at most so far below the best one's."""
MOST_ALIKE = 0.8
"""Share of a sentence's words that another quoted sentence already has: it repeats it."""
LONGEST_LIST_CHARACTERS = 700
"""Items of a list that are quoted with the line that introduces them."""


REFERENCE_WORDS = frozenset(
    ("art", "artykuł", "article", "ust", "pkt", "par", "paragraf", "section", "sekcja", "rozdział")
)
"""With a number they name a place in a text."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """One statement of a quoting answer: a passage and the span that is quoted of it."""

    reading: Reading
    span: Span

    @property
    def text(self) -> str:
        """The quote for display: on one line."""
        hit = self.reading.hit
        words = hit.text[self.span.start - hit.span.start : self.span.end - hit.span.start]
        return " ".join(words.split())


def choose_quotes(survey: Survey, units: Sequence[ScoredUnit]) -> list[Quoted]:
    """Return what is quoted: best passage first, text order within a passage, nothing twice."""
    if units and _only_refers(survey):
        return [_opening(min(units, key=lambda one: one.reading.hit.rank).reading)]
    chosen = _choose([one for one in units if not _is_left_open(one)] or units)
    passages = list(dict.fromkeys(one.reading.hit.chunk_id for one in chosen))
    ordered = sorted(
        chosen, key=lambda one: (passages.index(one.reading.hit.chunk_id), one.unit.span)
    )
    quotes: dict[tuple[str, Span], Quoted] = {}
    for one in ordered:
        for quoted in _with_surroundings(one.reading, one.unit):
            inside = any(
                other.reading.hit.document_id == quoted.reading.hit.document_id
                and other.span.holds(quoted.span)
                for other in quotes.values()
            )
            if not inside:
                quotes[str(quoted.reading.hit.document_id), quoted.span] = quoted
    return list(quotes.values())


def _only_refers(survey: Survey) -> bool:
    """Say whether a question is nothing but a place or a thing's name: "Art. 43", "PHD-07"."""
    return all(
        group.is_identifier
        or group.surface in REFERENCE_WORDS
        or any(sign.isdigit() for sign in group.surface)
        for group in survey.query.content
    )


def _opening(reading: Reading) -> Quoted:
    """Return a passage from its beginning, whole units only, as far as a quote may go."""
    first = reading.units[0].span
    ends = [
        unit.span.end
        for unit in reading.units
        if unit.span.end - first.start <= LONGEST_LIST_CHARACTERS
    ]
    return Quoted(reading, Span(first.start, max(ends, default=first.end)))


def _choose(units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    chosen: list[ScoredUnit] = []
    for one in units:
        if len(chosen) == MOST_STATEMENTS or one.score < units[0].score - SCORE_MARGIN:
            break
        if not any(_repeats(one.unit, other.unit) for other in chosen):
            chosen.append(one)
    return chosen


def _is_left_open(one: ScoredUnit) -> bool:
    """Say whether a unit introduces a list of which its passage has nothing."""
    return one.unit.text.endswith(":") and one.reading.units[-1] is one.unit


def _repeats(unit: Unit, other: Unit) -> bool:
    if not unit.terms:
        return True
    return len(unit.terms & other.terms) >= MOST_ALIKE * len(unit.terms)


def _with_surroundings(reading: Reading, unit: Unit) -> Iterator[Quoted]:
    """Yield a unit with what it cannot be understood without."""
    at = reading.units.index(unit)
    if unit.is_row:
        head = _first_row(reading, at)
        if head is not unit:
            yield Quoted(reading, head.span)
        yield Quoted(reading, unit.span)
    elif unit.text.endswith(":"):
        yield Quoted(reading, Span(unit.span.start, _end_of_list(reading, at)))
    else:
        lead = _lead_of_item(reading, at)
        if lead is not None:
            yield Quoted(reading, lead.span)
        yield Quoted(reading, unit.span)


def _first_row(reading: Reading, at: int) -> Unit:
    while at > 0 and reading.units[at - 1].is_row:
        at -= 1
    return reading.units[at]


def _end_of_list(reading: Reading, at: int) -> int:
    """Return where the items end that the unit at `at` introduces."""
    start = reading.units[at].span.start
    end = reading.units[at].span.end
    for unit in reading.units[at + 1 :]:
        if not unit.is_item or unit.span.end - start > LONGEST_LIST_CHARACTERS:
            break
        end = unit.span.end
    return end


def _lead_of_item(reading: Reading, at: int) -> Unit | None:
    """Return the line that introduces the list whose item stands at `at`, if the passage has it."""
    if not reading.units[at].is_item:
        return None
    for unit in reversed(reading.units[:at]):
        if not unit.is_item:
            return unit if unit.text.endswith(":") else None
    return None
