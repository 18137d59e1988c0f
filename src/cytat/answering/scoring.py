"""Question + hits -> the quotable units of the best hits, scored. Read by quoting and the gate.

A unit's score is a weighted sum of what can be seen: how much of the question's rare words it
shares, its cosine to the question (read under its headings), whether it holds the kind of thing
that is asked for, and how well its passage was ranked. The weights are fitted; see `weights`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cytat.answering.expected import Expected, expected_of, holds_expected
from cytat.answering.survey import Survey
from cytat.answering.weights import Weights
from cytat.grounding import Reading, Unit, read_passage
from cytat.grounding.words import is_met
from cytat.protocols import Embedder
from cytat.query import TermGroup
from cytat.records import Hit
from cytat.text.identity import passage_text

MOST_PASSAGES = 5
"""Passages whose sentences are weighed."""
MOST_UNITS = 48
"""Sentences that are embedded for one question: about as long as reading one page aloud takes
no one; beyond it the sentences that share no word of the question are left out first."""
LABEL_CHARACTERS = 60
"""A line so short that ends without a stop and is neither row nor item is a title or a label."""
HEADING_SHARE = 0.7
"""A word that stands only in the headings counts for less than one in the sentence."""


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit that may be quoted, with what was seen of it."""

    reading: Reading
    unit: Unit
    score: float
    shared: float
    """Share of the question's words, weighted by rarity, in the unit and its headings."""
    cosine: float
    holds_expected: bool
    signals: Mapping[str, float]
    """What `score` is the weighted sum of."""


def score_units(
    survey: Survey, hits: Sequence[Hit], *, embedder: Embedder, weights: Weights
) -> list[ScoredUnit]:
    """Return the units of the best hits, best first; ties in the order of ranking and text."""
    expected = expected_of(survey.query.text)
    units = _candidates(survey, [read_passage(hit) for hit in hits[:MOST_PASSAGES]])
    if not units:
        return []
    cosines = _cosines(survey.query.text, units, embedder)
    highest = max(cosines)
    scored = [
        _score(survey, reading, unit, expected, (cosine, highest), weights)
        for (reading, unit), cosine in zip(units, cosines, strict=True)
    ]
    return sorted(scored, key=lambda one: -one.score)


def shared_words(survey: Survey, terms: Collection[str], headings: Collection[str]) -> float:
    """Return the share of the question's content words, weighted by rarity, that terms meet."""
    total = met = 0.0
    for group in survey.query.content:
        weight = survey.rarity(group)
        total += weight
        met += weight * max(_met(group, terms), HEADING_SHARE * _met(group, headings))
    return met / total if total else 0.0


def is_about(group: TermGroup, terms: Collection[str]) -> bool:
    """Say whether terms hold the word of a group, in some form."""
    return _met(group, terms) > 0


def _met(group: TermGroup, terms: Collection[str]) -> float:
    if group.met_by(terms):
        return 1.0
    if group.is_identifier:
        return 0.0
    return float(any(is_met(one, terms) for one in group.alternatives))


def _is_label(unit: Unit) -> bool:
    is_open = not unit.text.endswith((".", "!", "?", ";", ":", "…"))
    return is_open and not (unit.is_row or unit.is_item) and len(unit.text) < LABEL_CHARACTERS


def _candidates(survey: Survey, readings: Sequence[Reading]) -> list[tuple[Reading, Unit]]:
    every = [(reading, unit) for reading in readings for unit in reading.units]
    if len(every) <= MOST_UNITS:
        return every
    shares = [shared_words(survey, unit.terms, reading.heading_terms) for reading, unit in every]
    best = sorted(range(len(every)), key=lambda row: (-shares[row], row))[:MOST_UNITS]
    return [every[row] for row in sorted(best)]


def _cosines(
    question: str, units: Sequence[tuple[Reading, Unit]], embedder: Embedder
) -> list[float]:
    texts = [
        passage_text(reading.hit.title, reading.hit.heading_path, "", unit.text)
        for reading, unit in units
    ]
    vectors = embedder.embed_documents(texts)
    return [float(value) for value in vectors @ embedder.embed_query(question)]


def _score(
    survey: Survey,
    reading: Reading,
    unit: Unit,
    expected: Expected,
    cosines: tuple[float, float],
    weights: Weights,
) -> ScoredUnit:
    cosine, highest = cosines
    shared = shared_words(survey, unit.terms, reading.heading_terms)
    holds = holds_expected(expected, unit.text)
    signals = {
        "shared": shared,
        "own": shared_words(survey, unit.terms, ()),
        "below_highest_cosine": highest - cosine,
        "holds_expected": float(holds),
        "rank": 1.0 / reading.hit.rank,
        "is_question": float(unit.text.rstrip().endswith("?")),
        "is_label": float(_is_label(unit)),
    }
    return ScoredUnit(reading, unit, weights.sum(signals), shared, cosine, holds, signals)
