"""Survey + ranking + scored units -> may this be answered from the corpus? Before any model.

Raw signals only; fused scores carry no relevance. A logistic model over a few of them, each of
which can be said in words. Rules stand above it: an identifier of one document that is asked for
and stands nowhere in the corpus is not answered, and a place that is only named is quoted if it is
there.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise

from cytat.answering.identifiers import names_a_document
from cytat.answering.naming import named_place
from cytat.answering.scoring import (
    FittedModel,
    ScoredUnit,
    Weights,
    is_about,
    log_odds,
    shared_words,
    shipped_model,
)
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.grounding import read_passage
from cytat.records import Calibration, Confidence, GateWeights, Hit, RefusalReason, TermGroup
from cytat.text.notes import Note, NoteKind, note

MOST_UNKNOWN, FEW_WORDS = 0.5, 2
"""A known word narrowed by one that stands nowhere means something else, however near the rest
comes: "the deposit for the garage" where there is no garage. Longer questions may well be put in
other words than the documents, and so may one that begins with the unknown word: "how heavy"."""
LEAST_LEAD = 0.04
"""Of nearness. Across languages nothing else tells two passages apart: "deposit" is about as near
to "Kaucja" as to "Czynsz", and the wrong one must not be quoted."""
WORDS_PER_NEARNESS = 10.0
"""In `near_and_shared`: a tenth more of nearness is as good as all the question's words."""
FARTHEST = -9.0
WORDS_IN_COMMON = 0.25
"""A sentence that shares so much of the question can be compared by words, whatever the language
of its passage was taken for: a table of figures and units has none."""
FOREIGN_LEAD = 0.02
"""Of nearness: two languages' anchors are not so alike that less would tell."""
NEAR_HITS = 10
"""Passages in which the question's words are looked for."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Let through (`reason` is None) or refused; with the estimate and what it was made of."""

    reason: RefusalReason | None
    probability: float
    margin: float | None
    """Log odds of the estimate above the threshold's; None where a rule decided."""
    compares_words: bool
    """Decided by the words of question and passage too; else by their vectors alone."""
    signals: Mapping[str, float]
    note: Note | None


def decide(
    survey: Survey,
    hits: Sequence[Hit],
    units: Sequence[ScoredUnit],
    *,
    model: FittedModel,
    stricter: float = 0.0,
) -> GateDecision:
    """Return whether the question goes on to be answered.

    `stricter` moves the thresholds, in log odds; it is what a corpus was calibrated to.
    """
    signals = signals_of(survey, hits, units)
    foreign = is_foreign(survey, units)
    missing = missing_identifiers(survey)
    if missing:
        nowhere = note(NoteKind.IDENTIFIERS_NOWHERE, ", ".join(missing))
        return GateDecision(RefusalReason.WEAK_EVIDENCE, 0.0, None, not foreign, signals, nowhere)
    if named_place(survey, hits) is not None:
        return GateDecision(None, 1.0, None, not foreign, signals, None)
    weights = model.gate_without_words if foreign else model.gate
    threshold = model.threshold_without_words if foreign else model.threshold
    probability = weights.probability(signals)
    is_clear = signals["lead"] >= LEAST_LEAD if foreign else not signals["is_strange"]
    margin = weights.sum(signals) - log_odds(threshold) if is_clear else None
    if margin is not None and margin >= stricter:
        return GateDecision(None, probability, margin, not foreign, signals, None)
    shares = foreign or signals["passage_shared"] > 0
    reason = RefusalReason.WEAK_EVIDENCE if shares else RefusalReason.NO_EVIDENCE
    return GateDecision(reason, probability, margin, not foreign, signals, None)


def signals_of(
    survey: Survey, hits: Sequence[Hit], units: Sequence[ScoredUnit]
) -> dict[str, float]:
    """Return the signals of the model, by name."""
    unknown = unknown_words(survey, hits)
    return {
        "nearness": max((one.nearness for one in units), default=FARTHEST),
        "near_and_shared": max(
            (WORDS_PER_NEARNESS * one.nearness + one.shared for one in units), default=FARTHEST
        ),
        "passage_shared": max(
            (_passage_shared(survey, hit) for hit in hits[:NEAR_HITS]), default=0.0
        ),
        "unknown": unknown,
        "is_strange": float(unknown > MOST_UNKNOWN and _is_narrowed(survey, hits)),
        "lead": _lead(units),
        "stands_out": _stands_out(units),
        "log_chunks": math.log10(max(1, survey.chunks)),
    }


def unknown_words(survey: Survey, hits: Sequence[Hit]) -> float:
    """Return the share of the question's content words, by rarity, that stand nowhere.

    A word whose stem is unknown but whose kin stands in a hit is not counted: "lekarskie" is
    unknown where only "lekarzy" stands.
    """
    total = math.fsum(survey.rarity(group) for group in survey.query.content)
    unknown = math.fsum(survey.rarity(group) for group in _unknown(survey, hits))
    return unknown / total if total else 1.0


def _unknown(survey: Survey, hits: Sequence[Hit]) -> list[TermGroup]:
    near = frozenset[str]().union(*(_terms(hit) for hit in hits[:NEAR_HITS]))
    return [
        group
        for group in _asked(survey)
        if not survey.frequencies.get(group.surface, 0) and not is_about(group, near)
    ]


def _asked(survey: Survey) -> list[TermGroup]:
    """Return the words of the question that carry content and are not words of asking."""
    return [group for group in survey.query.content if group.surface not in GENERIC_WORDS]


def _is_narrowed(survey: Survey, hits: Sequence[Hit]) -> bool:
    """Say whether one of few words stands nowhere and follows one that is known."""
    asked, unknown = _asked(survey), _unknown(survey, hits)
    if len(asked) > FEW_WORDS:
        return False
    return any(one not in unknown and two in unknown for one, two in pairwise(asked))


def missing_identifiers(survey: Survey) -> list[str]:
    """Return the identifiers of one document that are asked for and stand nowhere."""
    return [
        group.surface
        for group in survey.query.content
        if group.is_identifier
        and not survey.frequencies.get(group.surface, 0)
        and names_a_document(group.surface)
    ]


def is_foreign(survey: Survey, units: Sequence[ScoredUnit]) -> bool:
    """Say whether what answers is in another language, so that words cannot be compared.

    It is if no sentence is in the question's own language, or if one of another language lies
    clearly nearer than all that are.
    """
    if survey.query.language is None:
        return False
    own, others = FARTHEST, FARTHEST
    for one in units:
        if one.reading.language in {None, survey.language} or one.shared > WORDS_IN_COMMON:
            own = max(own, one.nearness)
        else:
            others = max(others, one.nearness)
    return others > own + FOREIGN_LEAD


def _stands_out(units: Sequence[ScoredUnit]) -> float:
    """Return how far the nearest sentence lies above the nearest ones of other passages."""
    nearest, *others = _by_passage(units)
    return nearest - math.fsum(others) / len(others) if others else 0.0


def _lead(units: Sequence[ScoredUnit]) -> float:
    """Return how far the nearest sentence lies above the next passage's; much, without another."""
    nearest, *others = _by_passage(units)
    return nearest - others[0] if others else 1.0


def _by_passage(units: Sequence[ScoredUnit]) -> list[float]:
    """Return the nearness of each passage's nearest sentence, highest first."""
    best: dict[str, float] = {}
    for one in units:
        passage = str(one.reading.hit.chunk_id)
        best[passage] = max(best.get(passage, FARTHEST), one.nearness)
    return sorted(best.values(), reverse=True) or [0.0]


def _terms(hit: Hit) -> frozenset[str]:
    reading = read_passage(hit)
    return reading.heading_terms.union(*(unit.terms for unit in reading.units))


def _passage_shared(survey: Survey, hit: Hit) -> float:
    """Return the share of the question's words, by rarity, in one whole passage."""
    reading = read_passage(hit)
    terms = frozenset[str]().union(*(unit.terms for unit in reading.units))
    return shared_words(survey, terms, reading.heading_terms)


HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Gate:
    """A model, how much stricter than its threshold it decides, and what that rests on."""

    model: FittedModel
    stricter: float
    calibration: Calibration | None
    """None: as shipped, or let open."""

    def confidence(self, margin: float | None) -> Confidence | None:
        """Return the estimate for an answer; None where no question of the corpus' own tells."""
        if self.calibration is None or margin is None:
            return None
        odds = self.calibration.slope * margin + self.calibration.offset
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
        return Confidence(round(chance, 4), self.calibration.calibrated_on)


def shipped_gate() -> Gate:
    """Return the gate of a corpus that was never calibrated."""
    return Gate(shipped_model(), 0.0, None)


def open_gate() -> Gate:
    """Return a gate that lets through whatever no rule refuses: what a calibration looks at."""
    return Gate(shipped_model(), -math.inf, None)


def calibrated_gate(calibration: Calibration) -> Gate:
    """Return the gate that a corpus was calibrated to."""
    model = shipped_model()
    if calibration.refitted is not None:
        intercept = calibration.refitted.intercept + log_odds(model.threshold)
        model = replace(model, gate=Weights(intercept, calibration.refitted.of))
    return Gate(model, calibration.stricter, calibration)


def margin_weights() -> GateWeights:
    """Return the shipped gate as weights whose sum is the margin above its threshold."""
    model = shipped_model()
    return GateWeights(model.gate.intercept - log_odds(model.threshold), model.gate.of)


def gate_hash() -> str:
    """Return what identifies the shipped gate: margins of another one mean something else."""
    shown = asdict(shipped_model())
    parts = {name: value for name, value in shown.items() if name != "sentence"}
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:HASH_DIGITS]
