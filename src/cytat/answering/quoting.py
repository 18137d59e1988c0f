"""Scored units -> one to three verbatim statements, with their spans. Used when no model is named.

An item needs the line that introduces its list, a row the head of its table, and where only a
heading names what was asked for, that heading. They often stand outside the chunk, so the
document's text is read again; spans count in it, as everywhere.

The best unit is quoted. Another follows only if it is nearly as good and holds a word of the
question, or the kind of thing asked for, that is still missing. An item brings the line that
introduces it, a row the head of its table, a form's description the heading that names the form:
without them the words are verbatim and say nothing. A question that only names a place or a thing
gets what the document says there, from its beginning.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from cytat.answering.expected import Expected, expected_of, holds_expected, is_record, stands_alone
from cytat.answering.naming import Named, heading_terms, named_place
from cytat.answering.scoring import ScoredUnit, is_about
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.grounding import (
    LOOK_AHEAD_CHARACTERS,
    LOOK_BACK_CHARACTERS,
    CitableTexts,
    Reading,
    Unit,
    is_row,
    item_sign,
    read_passage,
    read_span,
)
from cytat.records import Hit, Span
from cytat.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Before:
    """The text of a document that ends where a unit or passage begins."""

    text: str
    start: int

    def span(self, start: int, end: int) -> Span:
        """Return a stretch of `text` as a span of the document."""
        return Span(self.start + start, self.start + end)


def text_before(hit: Hit, at: int, texts: CitableTexts) -> Before:
    """Return the text of the hit's document that ends at `at`, as far as one looks back."""
    start = max(0, at - LOOK_BACK_CHARACTERS)
    return Before(read_span(hit, Span(start, at), texts) if at else "", start)


def lead_in(unit: Unit, before: Before) -> Span | None:
    """Return the line that introduces the list whose item `unit` is.

    All between the two must be items of the same list: "2." after "7)" belongs to another.
    """
    sign = item_sign(unit.text)
    if sign is None:
        return None
    for span in reversed(sentence_spans(before.text)):
        words = span.of(before.text)
        if words.endswith(":"):
            return before.span(span.start, span.end)
        begins_line = span.start == 0 or before.text[span.start - 1] == "\n"
        if begins_line and item_sign(words) != sign:
            return None
    return None


def head_of_table(before: Before) -> Span | None:
    """Return the first row of the table that the text before a row ends with; None at the head."""
    lines = before.text.removesuffix("\n").split("\n") if before.text.strip() else []
    rows = list(takewhile(is_row, reversed(lines)))
    if not rows:
        return None
    end = len(before.text.removesuffix("\n")) - sum(len(row) + 1 for row in rows[:-1])
    start = end - len(rows[-1])
    words = rows[-1].strip()
    start += rows[-1].index(words)
    return before.span(start, start + len(words))


def heading_span(words: str, before: Before) -> Span | None:
    """Return where a heading stands last before a passage; None when it is no line of the text.

    A heading path may join two lines: "Rozdział I" and its title below.
    """
    parts = [re.escape(part.rstrip(".")) for part in words.split()]
    if not parts:
        return None
    between = r"\W{1,6}"
    pattern = re.compile(rf"(?m)^[#\s]*({between.join(parts)})")
    found = list(pattern.finditer(before.text))
    return before.span(*found[-1].span(1)) if found else None


MOST_STATEMENTS = 3
SCORE_MARGIN = 0.8
"""A further sentence is quoted if its score is at most so far below the best one's."""
MOST_ALIKE = 0.8
"""Share of a sentence's words that another quoted sentence already has: it repeats it."""
LONGEST_LIST_CHARACTERS = 700
"""Items of a list that are quoted with the line that introduces them."""
OPENING_CHARACTERS = 450
"""What is quoted of a place that is only named: a short invoice whole, a section's beginning."""


FIGURES = frozenset({Expected.AMOUNT, Expected.NUMBER})
"""A sentence without a figure does not answer "how much". Dates and names are written in too many
ways for the same to be asked of them."""
_LEADS_ON = (":", "|", ".", ";", ",", "–")
"""Ends after which the next quote can follow in one line; after others a dash parts the two."""
_BULLET = re.compile(r"[-*•]\s+")


@dataclass(frozen=True, slots=True)
class Quoted:
    """One statement of a quoting answer: a passage and what is quoted of its document."""

    reading: Reading
    spans: tuple[Span, ...]
    text: str
    """The quotes for display, each on one line."""


def choose_quotes(
    survey: Survey, hits: Sequence[Hit], units: Sequence[ScoredUnit], *, texts: CitableTexts
) -> list[Quoted]:
    """Return what is quoted: best passage first, text order within a passage, nothing twice.

    Nothing, when no unit states anything by itself, or when a figure is asked for and none of
    the quotes gives one.
    """
    named = named_place(survey, hits)
    if named is not None:
        return [_opening(named, hits, texts)]
    chosen = _choose(survey, [one for one in units if stands_alone(one.reading, one.unit)])
    passages = list(dict.fromkeys(one.reading.hit.chunk_id for one in chosen))
    ordered = sorted(
        chosen, key=lambda one: (passages.index(one.reading.hit.chunk_id), one.unit.span)
    )
    quotes = list(_without_repeats(_with_surroundings(survey, one, texts) for one in ordered))
    expected = expected_of(survey.query.text)
    lacks_figure = expected in FIGURES and not any(
        holds_expected(expected, quoted.text) for quoted in quotes
    )
    return [] if lacks_figure else quotes


# ---------------------------------------------------------------- a place that is only named


def _opening(named: Named, hits: Sequence[Hit], texts: CitableTexts) -> Quoted:
    """Return the beginning of a named place: whole units, with the heading where it has one."""
    hit, path = named.hit, named.hit.heading_path[: named.depth]
    siblings = [
        one.span
        for one in hits
        if one.document_id == hit.document_id and path and one.heading_path[: named.depth] == path
    ] or [hit.span]
    heading = heading_span(path[-1], text_before(hit, hit.span.start, texts)) if path else None
    start = heading.end if heading else min(span.start for span in siblings)
    end = min(start + LOOK_AHEAD_CHARACTERS, max(span.end for span in siblings))
    text = read_span(hit, Span(start, end), texts)
    opening = _opening_units(text, start)
    spans = (heading, opening) if heading else (opening,)
    return _quoted(read_passage(hit), spans, texts)


def _opening_units(text: str, start: int) -> Span:
    """Return the first units of `text`, as far as an opening may go, and at least one."""
    spans = sentence_spans(text)
    kept = [span for span in spans if span.end - spans[0].start <= OPENING_CHARACTERS]
    last = (kept or spans)[-1] if kept else spans[0]
    return Span(start + spans[0].start, start + last.end)


# ---------------------------------------------------------------- choosing


def _choose(survey: Survey, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    chosen: list[ScoredUnit] = []
    for one in units:
        if len(chosen) == MOST_STATEMENTS or one.score < units[0].score - SCORE_MARGIN:
            break
        if not chosen or (_adds(survey, one, chosen) and not _repeats(one, chosen)):
            chosen.append(one)
    return chosen


def _adds(survey: Survey, one: ScoredUnit, chosen: Sequence[ScoredUnit]) -> bool:
    """Say whether a unit of the same document holds what the chosen ones lack."""
    if one.reading.hit.document_id != chosen[0].reading.hit.document_id:
        return False
    if one.holds_expected and not any(other.holds_expected for other in chosen):
        return True
    held = frozenset[str]().union(
        *(other.unit.terms | other.reading.heading_terms for other in chosen)
    )
    return any(
        is_about(group, one.unit.terms) and not is_about(group, held)
        for group in survey.query.content
        if group.surface not in GENERIC_WORDS
    )


def _repeats(one: ScoredUnit, chosen: Sequence[ScoredUnit]) -> bool:
    terms = one.unit.terms
    return any(len(terms & other.unit.terms) >= MOST_ALIKE * len(terms) for other in chosen)


def _without_repeats(quotes: Iterator[Quoted]) -> Iterator[Quoted]:
    """Yield quotes whose last span, the unit itself, no earlier one has."""
    seen: list[tuple[str, Span]] = []
    for quoted in quotes:
        document = str(quoted.reading.hit.document_id)
        if not any(known == document and span.holds(quoted.spans[-1]) for known, span in seen):
            seen.extend((document, span) for span in quoted.spans)
            yield quoted


# ---------------------------------------------------------------- with what belongs to it


def _with_surroundings(survey: Survey, one: ScoredUnit, texts: CitableTexts) -> Quoted:
    """Return a unit with what it cannot be understood without."""
    reading, unit = one.reading, one.unit
    if _needs_whole_record(survey, one):
        whole = Span(reading.units[0].span.start, reading.units[-1].span.end)
        return _quoted(reading, (whole,), texts)
    before = text_before(reading.hit, unit.span.start, texts)
    leading: Span | None
    if unit.is_row:
        leading = _head_of(reading, unit, texts)
    elif unit.text.endswith(":"):
        return _quoted(reading, (Span(unit.span.start, _end_of_list(reading, unit)),), texts)
    else:
        leading = lead_in(unit, before)
    heading = _naming_heading(survey, reading, unit)
    named = heading_span(heading, before) if heading else None
    spans = tuple(span for span in (named, leading, unit.span) if span is not None)
    return _quoted(reading, spans, texts)


def _needs_whole_record(survey: Survey, one: ScoredUnit) -> bool:
    """Say whether a line of a short record answers only together with the others.

    The line with the buyer's name does not say what they paid.
    """
    reading, unit = one.reading, one.unit
    if len(reading.hit.text) > OPENING_CHARACTERS or not is_record(reading):
        return False
    elsewhere = frozenset[str]().union(
        *(other.terms for other in reading.units if other is not unit)
    )
    return not one.holds_expected or any(
        is_about(group, elsewhere) and not is_about(group, unit.terms)
        for group in survey.query.content
        if group.surface not in GENERIC_WORDS
    )


def _head_of(reading: Reading, unit: Unit, texts: CitableTexts) -> Span | None:
    """Return the first row of a row's table, in its passage or before it; None at the head."""
    at = reading.units.index(unit)
    while at and reading.units[at - 1].is_row:
        at -= 1
    first = reading.units[at]
    above = None if at else head_of_table(text_before(reading.hit, first.span.start, texts))
    return above or (None if first is unit else first.span)


def _naming_heading(survey: Survey, reading: Reading, unit: Unit) -> str | None:
    """Return the innermost heading with an identifier of the question that the unit lacks.

    A unit that holds no word of the question at all is named by any heading that does.
    """
    asked = [group for group in survey.query.content if group.surface not in GENERIC_WORDS]
    missing = [group for group in asked if not is_about(group, unit.terms)]
    if len(missing) < len(asked):
        missing = [group for group in missing if group.is_identifier]
    for heading in reversed(reading.hit.heading_path):
        terms = heading_terms(heading, reading.hit)
        if any(is_about(group, terms) for group in missing):
            return heading
    return None


def _end_of_list(reading: Reading, unit: Unit) -> int:
    """Return where the items end that a unit introduces."""
    end = unit.span.end
    for item in reading.units[reading.units.index(unit) + 1 :]:
        if not item.is_item or item.span.end - unit.span.start > LONGEST_LIST_CHARACTERS:
            break
        end = item.span.end
    return end


def _quoted(reading: Reading, spans: tuple[Span, ...], texts: CitableTexts) -> Quoted:
    words = [on_one_line(read_span(reading.hit, span, texts)) for span in spans]
    *leading, last = words
    led = [one if one.endswith(_LEADS_ON) else f"{one} –" for one in leading]
    return Quoted(reading, spans, " ".join((*led, last)))


def on_one_line(text: str) -> str:
    """Return a quote as one line for reading: bullets become semicolons, nothing else changes."""
    line = ""
    for part in filter(None, map(str.strip, text.splitlines())):
        bare = _BULLET.sub("", part)
        if line and bare != part and line[-1] not in ".:;,!?":
            line += ";"
        line = f"{line} {bare}" if line else bare
    return " ".join(line.split())
