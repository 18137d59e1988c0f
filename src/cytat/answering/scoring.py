"""Question + hits -> the quotable units of the best hits, scored. Read by quoting and the gate.

A unit's score is a weighted sum of what can be seen: how much of the question's rare words it
shares, how near it is to the question (read under its headings), whether it holds the kind of thing
that is asked for, and how well its passage was ranked. The weights are fitted by
`benchmarks/fit_gate.py` and kept in `model.json` of this package.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from weakref import WeakKeyDictionary

import numpy as np

from cytat.answering.anchors import anchors_of, nearness
from cytat.answering.expected import CERTAIN, CONTACTS, Expected, expected_of, holds_expected
from cytat.answering.identifiers import year_in
from cytat.answering.labels import stands_alone
from cytat.answering.survey import Survey
from cytat.grounding import Reading, Unit, read_passage
from cytat.grounding.passages import is_met
from cytat.protocols import Embedder, Vectors
from cytat.records import Hit, TermGroup
from cytat.text.identity import passage_text


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear model over named signals; every signal it knows has to be given."""

    intercept: float
    of: Mapping[str, float]

    def sum(self, seen: Mapping[str, float]) -> float:
        """Return intercept + sum over signals of weight * value."""
        return self.intercept + math.fsum(weight * seen[name] for name, weight in self.of.items())

    def probability(self, seen: Mapping[str, float]) -> float:
        """Return 1 / (1 + exp(-sum))."""
        total = max(-30.0, min(30.0, self.sum(seen)))
        return 1.0 / (1.0 + math.exp(-total))


@dataclass(frozen=True, slots=True)
class FittedModel:
    """What is shipped: weights for choosing sentences, weights and thresholds for refusing."""

    sentence: Weights
    gate: Weights
    gate_without_words: Weights
    threshold: float
    threshold_without_words: float
    fitted_on: str


def log_odds(probability: float) -> float:
    """Return ln(p / (1 - p))."""
    return math.log(probability / (1.0 - probability))


@cache
def shipped_model() -> FittedModel:
    """Return the model of the package."""
    text = resources.files("cytat.answering").joinpath("model.json").read_text("utf-8")
    return parse_model(text)


def parse_model(text: str) -> FittedModel:
    """Return the model that a JSON text describes; KeyError when a part is missing."""
    read = json.loads(text)
    return FittedModel(
        sentence=_weights(read["sentence"]),
        gate=_weights(read["gate"]),
        gate_without_words=_weights(read["gate_without_words"]),
        threshold=float(read["gate"]["threshold"]),
        threshold_without_words=float(read["gate_without_words"]["threshold"]),
        fitted_on=str(read["fitted_on"]),
    )


def _weights(read: Mapping[str, object]) -> Weights:
    of = read["weights"]
    if not isinstance(of, dict):
        raise TypeError("weights are not an object")
    return Weights(float(str(read["intercept"])), {str(k): float(v) for k, v in of.items()})


MOST_PASSAGES = 5
"""Passages whose sentences are weighed."""
MOST_UNITS = 8
"""Sentences that are embedded for one question, those first that share its words and whose
passage ranks high. How seldom more would change what is quoted: `benchmarks/quoting.py`."""
RANK_BEFORE_EMBEDDING = 0.3
"""Of 1 / rank, against the share of the question's words, in choosing what is embedded."""
VECTORS_KEPT = 4096
"""Sentences whose vectors are kept for the next questions: 6 MB of 384 dimensions."""
PROMISE_OF_KIND = 0.3
"""Of holding a thing of the kind asked for, in choosing what is embedded."""
LACKS_KIND = 1.5
"""Taken from the score of a unit without the kind of thing that is plainly asked for: a date, an
amount, a telephone number. Chosen, not fitted: about what sharing most of the
question's words brings."""
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
    nearness: float
    """To the question, above what both reach with anything; see `anchors`."""
    holds_expected: bool
    signals: Mapping[str, float]
    """What `score` is the weighted sum of."""


def score_units(
    survey: Survey, hits: Sequence[Hit], *, embedder: Embedder, weights: Weights
) -> list[ScoredUnit]:
    """Return the units of the best hits, best first; ties in the order of ranking and text."""
    expected = expected_of(survey.query.text)
    units = _candidates(survey, [read_passage(hit) for hit in hits[:MOST_PASSAGES]], expected)
    if not units:
        return []
    near = _nearness(survey, units, embedder)
    scored = [
        _score(survey, reading, unit, expected, (own, max(near)), weights)
        for (reading, unit), own in zip(units, near, strict=True)
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


def own_terms(reading: Reading, unit: Unit) -> Collection[str]:
    """Return the terms of a unit; of a value without words, with those of the line above it."""
    at = reading.units.index(unit)
    is_bare_value = at and not any(sign.isalpha() for sign in unit.text)
    return unit.terms | reading.units[at - 1].terms if is_bare_value else unit.terms


def terms_around(expected: Expected, reading: Reading, unit: Unit) -> Collection[str]:
    """Return the terms under which a unit is read: of its headings; around a contact line, all."""
    if expected not in CONTACTS or not holds_expected(expected, unit.text):
        return reading.heading_terms
    return reading.heading_terms.union(*(one.terms for one in reading.units))


def is_about(group: TermGroup, terms: Collection[str]) -> bool:
    """Say whether terms hold the word of a group, in some form."""
    return _met(group, terms) > 0


def _met(group: TermGroup, terms: Collection[str]) -> float:
    if group.met_by(terms):
        return 1.0
    if group.is_identifier:
        return float(year_in(group.surface) in terms)
    return float(any(is_met(one, terms) for one in group.alternatives))


def _candidates(
    survey: Survey, readings: Sequence[Reading], expected: Expected
) -> list[tuple[Reading, Unit]]:
    every = [(reading, unit) for reading in readings for unit in reading.units]
    if len(every) <= MOST_UNITS:
        return every
    promise = [
        shared_words(survey, own_terms(reading, unit), terms_around(expected, reading, unit))
        + PROMISE_OF_KIND * (expected in CERTAIN and holds_expected(expected, unit.text))
        + RANK_BEFORE_EMBEDDING / reading.hit.rank
        for reading, unit in every
    ]
    best = sorted(range(len(every)), key=lambda row: (-promise[row], row))[:MOST_UNITS]
    return [every[row] for row in sorted(best)]


def _nearness(
    survey: Survey, units: Sequence[tuple[Reading, Unit]], embedder: Embedder
) -> list[float]:
    texts = [
        passage_text(reading.hit.title, reading.hit.heading_path, "", unit.text)
        for reading, unit in units
    ]
    return nearness(
        embedder.embed_query(survey.query.text),
        _vectors(texts, embedder),
        question_language=survey.query.language,
        sentence_languages=[reading.language for reading, _ in units],
        anchors=anchors_of(embedder),
    )


_KEPT: WeakKeyDictionary[Embedder, dict[str, Vectors]] = WeakKeyDictionary()


def _vectors(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """Return the sentences' vectors; a sitting's questions often meet the same sentences."""
    kept = _KEPT.setdefault(embedder, {})
    known = {text: kept[text] for text in texts if text in kept}
    new = list(dict.fromkeys(text for text in texts if text not in known))
    if new:
        known.update(zip(new, embedder.embed_documents(new), strict=True))
    kept.update(known)
    for oldest in list(kept)[: max(0, len(kept) - VECTORS_KEPT)]:
        kept.pop(oldest, None)  # another thread may have taken it out
    return np.stack([known[text] for text in texts])


def _score(
    survey: Survey,
    reading: Reading,
    unit: Unit,
    expected: Expected,
    near: tuple[float, float],
    weights: Weights,
) -> ScoredUnit:
    own, nearest = near
    shared = shared_words(survey, own_terms(reading, unit), terms_around(expected, reading, unit))
    holds = holds_expected(expected, unit.text)
    states = (
        stands_alone(reading, unit)
        or (expected is Expected.DATE and bool(unit.claims.dates))
        or (expected in CONTACTS and holds)
    )
    signals = {
        "shared": shared,
        "below_nearest": nearest - own,
        "holds_expected": float(holds),
        "rank": 1.0 / reading.hit.rank,
        "is_label": float(not states),
    }
    score = weights.sum(signals) - LACKS_KIND * (expected in CERTAIN and not holds)
    return ScoredUnit(reading, unit, score, shared, own, holds, signals)
