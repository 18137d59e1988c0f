"""Survey + ranking + scored units -> may this be answered from the corpus? Before any model.

Raw signals only; fused scores carry no relevance. A logistic model over a few of them, each of
which can be said in words. Two rules stand above it: an identifier that is asked for and stands
nowhere in the corpus is not answered, and neither is a question that shares nothing with it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cytat.answering.anchors import above_anchors, typical_cosine
from cytat.answering.scoring import ScoredUnit, is_about, shared_words
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.answering.weights import FittedModel
from cytat.grounding import read_passage
from cytat.protocols import Embedder
from cytat.records import Hit, RefusalReason

FEWEST_FOR_SPREAD = 8
"""Below so many chunks a deviation of cosines says nothing."""
MOST_UNKNOWN, FEW_WORDS = 0.5, 2
"""A question of one or two words of content, of which one stands nowhere, is about something else,
however near the rest comes: "the deposit for the garage" where there is no garage. Longer
questions may well be put in other words than the documents."""
NEAREST_COUNTED = 6.0
"""Nearer than that says no more; e5's right answers lie between 3 and 7."""
MOST_OUTSTANDING = 0.1
"""Of cosines; with e5 an answer seldom lies farther above its neighbours."""
FARTHEST = -99.0
FOREIGN_LEAD = 1.0
"""In deviations: two languages' anchors are not so alike that less would tell."""
NEAR_HITS = 10
"""Passages in which the question's words are looked for."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Let through (`reason` is None) or refused; with the estimate and what it was made of."""

    reason: RefusalReason | None
    probability: float
    signals: Mapping[str, float]
    note: str | None


def decide(
    survey: Survey,
    hits: Sequence[Hit],
    units: Sequence[ScoredUnit],
    *,
    embedder: Embedder,
    model: FittedModel,
) -> GateDecision:
    """Return whether the question goes on to be answered."""
    signals = signals_of(survey, hits, units, embedder=embedder)
    missing = missing_identifiers(survey)
    if missing:
        note = f"{', '.join(missing)} stands nowhere in the documents."
        return GateDecision(RefusalReason.WEAK_EVIDENCE, 0.0, signals, note)
    foreign = is_foreign(survey, units, embedder=embedder)
    weights = model.gate_without_words if foreign else model.gate
    threshold = model.threshold_without_words if foreign else model.threshold
    probability = weights.probability(signals)
    if probability >= threshold and (foreign or not signals["is_strange"]):
        return GateDecision(None, probability, signals, None)
    shares = foreign or signals["passage_shared"] > 0
    reason = RefusalReason.WEAK_EVIDENCE if shares else RefusalReason.NO_EVIDENCE
    return GateDecision(reason, probability, signals, None)


def signals_of(
    survey: Survey, hits: Sequence[Hit], units: Sequence[ScoredUnit], *, embedder: Embedder
) -> dict[str, float]:
    """Return the signals of the model, by name."""
    top_cosine = max((hit.why.vectors_score or 0.0 for hit in hits), default=0.0)
    best = units[0] if units else None
    nearest = max(above_anchors_of(survey, units, embedder=embedder), default=0.0)
    nearest = min(nearest, NEAREST_COUNTED)
    question = embedder.embed_query(survey.query.text)
    language = best.reading.language if best else None
    unknown = unknown_words(survey, hits)
    return {
        "above_anchors": nearest,
        "top_z": _in_deviations(survey, top_cosine),
        "best_unit_shared": max((one.shared for one in units), default=0.0),
        "chosen_unit_shared": best.shared if best else 0.0,
        "passage_shared": max(
            (_passage_shared(survey, hit) for hit in hits[:NEAR_HITS]), default=0.0
        ),
        "unknown": unknown,
        "is_strange": float(unknown > MOST_UNKNOWN and _asked_words(survey) <= FEW_WORDS),
        "stands_out": _stands_out(
            units, typical_cosine(question, language=language, embedder=embedder)
        ),
        "holds_expected": float(best.holds_expected) if best else 0.0,
        "has_spread": float(survey.chunks >= FEWEST_FOR_SPREAD),
        "log_chunks": math.log10(max(1, survey.chunks)),
    }


def unknown_words(survey: Survey, hits: Sequence[Hit]) -> float:
    """Return the share of the question's content words, by rarity, that stand nowhere.

    A word whose stem is unknown but whose kin stands in a hit is not counted: "lekarskie" is
    unknown where only "lekarzy" stands.
    """
    near = frozenset().union(*(_terms(hit) for hit in hits[:NEAR_HITS]))
    total = sum(survey.rarity(group) for group in survey.query.content)
    unknown = sum(
        survey.rarity(group)
        for group in survey.query.content
        if not survey.frequencies.get(group.surface, 0)
        and group.surface not in GENERIC_WORDS
        and not is_about(group, near)
    )
    return unknown / total if total else 1.0


def _asked_words(survey: Survey) -> int:
    """Return how many words of the question carry content and are not words of asking."""
    return sum(group.surface not in GENERIC_WORDS for group in survey.query.content)


def missing_identifiers(survey: Survey) -> list[str]:
    """Return the identifiers asked for that stand nowhere in the corpus."""
    return [
        group.surface
        for group in survey.query.content
        if group.is_identifier and not survey.frequencies.get(group.surface, 0)
    ]


def is_foreign(survey: Survey, units: Sequence[ScoredUnit], *, embedder: Embedder) -> bool:
    """Say whether what answers is in another language, so that words cannot be compared.

    It is if no sentence is in the question's own language, or if one of another language lies
    clearly nearer than all that are.
    """
    if survey.query.language is None:
        return False
    nearness = above_anchors_of(survey, units, embedder=embedder)
    own, others = FARTHEST, FARTHEST
    for one, near in zip(units, nearness, strict=True):
        if one.reading.language in {None, survey.language}:
            own = max(own, near)
        else:
            others = max(others, near)
    return others > own + FOREIGN_LEAD


def above_anchors_of(
    survey: Survey, units: Sequence[ScoredUnit], *, embedder: Embedder
) -> list[float]:
    """Return how far above the anchors of its language each unit's cosine lies."""
    question = embedder.embed_query(survey.query.text)
    return [
        above_anchors(question, one.cosine, language=one.reading.language, embedder=embedder)
        for one in units
    ]


def _stands_out(units: Sequence[ScoredUnit], typical: float) -> float:
    """Return how far the nearest sentence's cosine lies above the best ones of other passages.

    A single passage is compared with the anchors' typical cosine.
    """
    best: dict[str, float] = {}
    for one in units:
        passage = str(one.reading.hit.chunk_id)
        best[passage] = max(best.get(passage, -1.0), one.cosine)
    highest, *others = sorted(best.values(), reverse=True) or [0.0]
    others = others or [typical]
    return min(highest - sum(others) / len(others), MOST_OUTSTANDING)


def _terms(hit: Hit) -> frozenset[str]:
    reading = read_passage(hit)
    return reading.heading_terms.union(*(unit.terms for unit in reading.units))


def _passage_shared(survey: Survey, hit: Hit) -> float:
    """Return the share of the question's words, by rarity, in one whole passage."""
    reading = read_passage(hit)
    terms = frozenset[str]().union(*(unit.terms for unit in reading.units))
    return shared_words(survey, terms, reading.heading_terms)


def _in_deviations(survey: Survey, cosine: float) -> float:
    """Return how far the best chunk's cosine lies above the corpus' mean, in its deviations.

    In a corpus too small for a spread, or without vectors, nothing: the anchors speak then.
    """
    mean, deviation = survey.cosine_mean, survey.cosine_deviation
    if mean is None or not deviation or survey.chunks < FEWEST_FOR_SPREAD or not cosine:
        return 0.0
    return (cosine - mean) / deviation
