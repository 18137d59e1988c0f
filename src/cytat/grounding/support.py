"""Statement + cited passages -> does the evidence say so? Code only, no model.

Checked: every number with its unit, every date and identifier of the statement stands in the
evidence; a negation stands on both sides or on none; enough of the content words are shared.
Across languages words cannot be compared: then numbers, identifiers and names decide alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.analysis.language import detect_language
from cytat.grounding.claims import (
    MONTH_NAMES,
    Claims,
    Quantity,
    claims_of,
    number_values,
    plain_words,
)
from cytat.grounding.passages import Reading, Unit, content_stems, is_met, names
from cytat.records import Span, Verdict
from cytat.text.folding import clean, fold

LEAST_SHARED_WORDS = 0.5
"""Half of a statement's content words stand in its evidence; a statement that shares less says
something else, or says it so freely that code cannot tell."""
FEWEST_VERBATIM_WORDS = 2
"""One word is no sentence, wherever it stands."""
LEAST_SHARED_NAMES = 0.5
WIDEST_WINDOW = 3
"""A quote of more than three sentences is a passage, not a quote."""
MOST_WINDOWS = 2
_ADDRESS = re.compile(
    r"\]\s*[(\[][^)\]]*[)\]]?|(?:\b[a-z][a-z0-9+.-]*:)?//[^\s)>\]]+|\bwww\.\S+"
    r"|\b(?:javascript|data|vbscript|file|mailto):\S+",
    re.IGNORECASE,
)
"""What a page or a chat window would make a link or load a picture from."""
_NAME_LETTERS = 4
"""Warszawa and Warsaw, Londyn and London: names agree in their first letters."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement made ready for comparing."""

    text: str
    language: str | None
    stems: frozenset[str]
    claims: Claims


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the quotes that carry it as (passage, span), and the reason if it is dropped."""

    verdict: Verdict
    quotes: tuple[tuple[Reading, Span], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Window:
    reading: Reading
    units: tuple[Unit, ...]

    @property
    def span(self) -> Span:
        return Span(self.units[0].span.start, self.units[-1].span.end)


def judge(text: str, cited: Sequence[Reading]) -> Judgement:
    """Return whether the cited passages carry the statement `text`, and with which words."""
    verbatim = [(reading, span) for reading in cited if (span := _find_verbatim(text, reading))]
    if verbatim:
        return Judgement(Verdict.QUOTED, tuple(verbatim), "")
    windows = [
        window for reading in cited for window in _best_windows(_said(text, reading), reading)
    ]
    fault = _fault(text, windows)
    if fault:
        return Judgement(fault[0], (), fault[1])
    quotes = tuple((window.reading, window.span) for window in windows)
    return Judgement(Verdict.UNCHECKED, quotes, "")


def _said(text: str, reading: Reading) -> Said:
    """Compare words in the passage's language unless the statement is plainly in another."""
    language = detect_language(text)
    stems = frozenset(content_stems(text, language or reading.language))
    return Said(text, language, stems, claims_of(text))


def _find_verbatim(text: str, reading: Reading) -> Span | None:
    words = text.strip().rstrip(".!?…;,:").split()
    if len(words) < FEWEST_VERBATIM_WORDS:
        return None
    pattern = r"(?<!\w)" + r"\s+".join(re.escape(word) for word in words) + r"(?!\w)[.!?…]*"
    match = re.search(pattern, reading.hit.text)
    if not match:
        return None
    start = reading.hit.span.start
    return Span(start + match.start(), start + match.end())


def _best_windows(said: Said, reading: Reading) -> Iterator[_Window]:
    """Yield the one or two stretches of a passage that carry most of the statement."""
    wanted = len(said.claims.quantities) + len(said.claims.dated) + len(said.claims.identifiers)
    taken: list[_Window] = []
    for _ in range(MOST_WINDOWS):
        best = max(_windows(reading), key=lambda window: _gain(said, taken, window), default=None)
        if best is None or (taken and _gain(said, taken, best) <= _gain(said, taken, taken[0])):
            break
        taken.append(best)
        if len(_missing(said.claims, taken)) == 0 or not wanted:
            break
    yield from taken


def _windows(reading: Reading) -> Iterator[_Window]:
    count = len(reading.units)
    for size in range(1, min(WIDEST_WINDOW, count) + 1):
        for start in range(count - size + 1):
            units = reading.units[start : start + size]
            if size == 1 or all(_adjoin(one, two) for one, two in pairwise(units)):
                yield _Window(reading, units)


def _adjoin(one: Unit, two: Unit) -> bool:
    return not (one.is_row or two.is_row) and two.span.start >= one.span.end


def _gain(said: Said, taken: Sequence[_Window], window: _Window) -> float:
    """Return how much of the statement `window` carries beside what is taken; shorter is better."""
    units = [unit for one in (*taken, window) for unit in one.units]
    there = frozenset().union(*(unit.stems for unit in units))
    shared = sum(is_met(stem, there) for stem in said.stems)
    found = -len(_missing(said.claims, (*taken, window)))
    return 2 * found + shared / max(1, len(said.stems)) - 0.1 * len(window.units)


def _missing(claims: Claims, windows: Sequence[_Window]) -> list[str]:
    """Return the numbers, dates and identifiers, as written, that the windows do not hold."""
    units = [unit.claims for window in windows for unit in window.units]
    headings = [window.reading.heading_claims for window in windows]
    text = "\n".join(unit.text for window in windows for unit in window.units)
    everything = frozenset().union(*(one.identifiers for one in (*units, *headings)))
    missing = sorted(claims.identifiers - everything)
    dates = frozenset().union(*(one.dates for one in (*units, *headings)))
    if claims.dates and not claims.dates & dates:
        missing.extend(claims.dated)
    missing.extend(
        quantity.written for quantity in claims.quantities
        if not _holds(quantity, units, headings, text)
    )  # fmt: skip
    return missing


def _holds(
    quantity: Quantity, units: Sequence[Claims], headings: Sequence[Claims], text: str
) -> bool:
    stated = [other for one in units for other in one.quantities if other.values & quantity.values]
    if stated:
        # "10. dnia ... 3 200 zł" is not "10 zł": a unit is lent only where no number has it.
        near = {unit for one in units for unit in one.free_units}
        near |= {unit for one in headings for unit in one.units}
        return any(
            quantity.agrees(other)
            and (quantity.unit is None or other.unit or quantity.unit in near)
            for other in stated
        ) or (quantity.unit is None)
    in_words = number_values(text) | frozenset().union(
        *({value for other in one.quantities for value in other.values} for one in headings)
    )
    return bool(quantity.values & in_words)


def _fault(text: str, windows: Sequence[_Window]) -> tuple[Verdict, str] | None:
    """Return why the windows do not carry the statement, if they do not."""
    if not windows:
        return Verdict.UNSUPPORTED, "the cited passage holds no sentence"
    address = _foreign_address(text, windows)
    if address:
        return Verdict.UNSUPPORTED, f"the address {address!r} is not in the cited passage"
    missing = _missing(claims_of(text), windows)
    if missing:
        return Verdict.UNSUPPORTED, f"{missing[0]!r} is not in the cited passage"
    if _is_foreign(text, windows):
        return _foreign_fault(text, windows)
    return _negation_fault(text, windows) or _words_fault(text, windows)


def _foreign_address(text: str, windows: Sequence[_Window]) -> str | None:
    """Return a link of the statement that no cited passage holds: it could carry words away."""
    passages = [window.reading.hit.text for window in windows]
    links = (found[0].rstrip(".,;:!?") for found in _ADDRESS.finditer(text))
    return next((link for link in links if not any(link in words for words in passages)), None)


def _is_foreign(text: str, windows: Sequence[_Window]) -> bool:
    """Say whether statement and evidence may be in two languages, with something else to go by.

    Where a language is not known, numbers that agree without a single shared word show it.
    """
    language = detect_language(text)
    theirs = {window.reading.language for window in windows}
    if language and None not in theirs:
        return language not in theirs
    claims = claims_of(text)
    has_claims = bool(claims.quantities or claims.dates or claims.identifiers)
    return has_claims and _share_of_words(text, windows) == 0


def _foreign_fault(text: str, windows: Sequence[_Window]) -> tuple[Verdict, str] | None:
    wanted = {name[:_NAME_LETTERS] for name in names(text) - MONTH_NAMES}
    there = {
        fold(clean(word))[:_NAME_LETTERS]
        for window in windows
        for word in re.findall(r"\w+", window.reading.hit.text + " " + window.reading.hit.title)
    }
    if wanted and len(wanted & there) < LEAST_SHARED_NAMES * len(wanted):
        return Verdict.UNSUPPORTED, "the names of the statement are not in the cited passage"
    return None


def _words_fault(text: str, windows: Sequence[_Window]) -> tuple[Verdict, str] | None:
    said = _said(text, windows[0].reading)
    claims = said.claims
    if not (said.stems or claims.quantities or claims.dated or claims.identifiers):
        return Verdict.UNSUPPORTED, "it says nothing that can be looked for"
    if _share_of_words(text, windows) < LEAST_SHARED_WORDS:
        return Verdict.UNSUPPORTED, "the cited passage says something else"
    return None


def _share_of_words(text: str, windows: Sequence[_Window]) -> float:
    """Return the share of the statement's content words in the evidence and its headings."""
    said = _said(text, windows[0].reading)
    there = frozenset().union(
        *(unit.stems for window in windows for unit in window.units),
        *(window.reading.heading_stems for window in windows),
    )
    shared = sum(is_met(stem, there) for stem in said.stems)
    return shared / len(said.stems) if said.stems else 1.0


def _negation_fault(text: str, windows: Sequence[_Window]) -> tuple[Verdict, str] | None:
    """A negation must stand on both sides: at the same word, where the word is shared."""
    units = [unit for window in windows for unit in window.units]
    denies = claims_of(text).has_negation
    denied = any(unit.claims.has_negation for unit in units)
    if denies and not denied:
        return Verdict.CONTRADICTED, "the statement denies what the cited passage states"
    if denied and not denies:
        theirs = frozenset().union(*(unit.claims.negated for unit in units))
        plain = frozenset().union(*(plain_words(unit.text) for unit in units))
        if plain_words(text) & theirs - plain:
            return Verdict.CONTRADICTED, "the cited passage denies what the statement says"
    return None
