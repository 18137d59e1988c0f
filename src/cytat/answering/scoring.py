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
from cytat.answering.expected import Expected, expected_of, holds_expected, stands_alone
from cytat.answering.identifiers import year_in
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
    units = _candidates(survey, [read_passage(hit) for hit in hits[:MOST_PASSAGES]])
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


def is_about(group: TermGroup, terms: Collection[str]) -> bool:
    """Say whether terms hold the word of a group, in some form."""
    return _met(group, terms) > 0


def _met(group: TermGroup, terms: Collection[str]) -> float:
    if group.met_by(terms):
        return 1.0
    if group.is_identifier:
        return float(year_in(group.surface) in terms)
    return float(any(is_met(one, terms) for one in group.alternatives))


def _candidates(survey: Survey, readings: Sequence[Reading]) -> list[tuple[Reading, Unit]]:
    every = [(reading, unit) for reading in readings for unit in reading.units]
    if len(every) <= MOST_UNITS:
        return every
    promise = [
        shared_words(survey, unit.terms, reading.heading_terms)
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
    shared = shared_words(survey, unit.terms, reading.heading_terms)
    holds = holds_expected(expected, unit.text)
    signals = {
        "shared": shared,
        "below_nearest": nearest - own,
        "holds_expected": float(holds),
        "rank": 1.0 / reading.hit.rank,
        "is_label": float(not stands_alone(reading, unit)),
    }
    return ScoredUnit(reading, unit, weights.sum(signals), shared, own, holds, signals)
