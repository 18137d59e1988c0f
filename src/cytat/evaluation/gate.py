"""Questions asked with the gate let open -> a calibration; a run -> its errors by threshold.

The calibration is a record that the corpus keeps: see `calibrating` for how it is chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.answering import AskOutcome, gate_hash, margin_weights
from cytat.evaluation.calibrating import FARTHEST, Calibrated, GateCase, calibrate, error_rate
from cytat.evaluation.gold.locating import LocatedQuestion
from cytat.protocols import Moment
from cytat.records import (
    Answer,
    Calibration,
    CalibrationReport,
    GateErrors,
    QuestionOutcome,
    SweepStep,
)

DIGITS = 4
"""Of margins and signals: what lies below is the arithmetic of one machine, and fits would take it
for a difference."""
EVEN_COST = 1.0
"""A bluff is as bad as a lost answer: who thinks otherwise says how much worse."""


@dataclass(frozen=True, slots=True)
class CalibrationGold:
    """The gold set that a gate is calibrated on: its name, and its hash."""

    name: str
    hash: str


def shipped_margin(outcome: AskOutcome) -> float | None:
    """Return the log odds above the shipped threshold; None where a rule decided, or nothing."""
    decision = outcome.decision
    if decision is None or decision.margin is None:
        return None
    return round(decision.margin, DIGITS)


def gate_case(located: LocatedQuestion, outcome: AskOutcome) -> GateCase:
    """Return a question as the gate saw it; it was asked with the gate let open."""
    decision = outcome.decision
    signals = None
    if decision is not None and decision.compares_words:
        signals = {name: round(value, DIGITS) for name, value in decision.signals.items()}
    return GateCase(
        id=located.gold.id,
        group=located.gold.group,
        is_answerable=located.gold.is_answerable,
        is_answered=isinstance(outcome.reply, Answer),
        margin=shipped_margin(outcome),
        signals=signals,
    )


def calibration_of(
    moment: Moment, gold: CalibrationGold, cases: Sequence[GateCase], *, bluff_cost: float
) -> CalibrationReport:
    """Return what the questions say of the gate; nothing is stored.

    `moment` is the one they were asked in.
    """
    made = calibrate(cases, bluff_cost=bluff_cost, shipped=margin_weights())
    right, space = sum(case.is_answerable for case in cases), moment.space()
    calibration = Calibration(
        gold=gold.name,
        gold_hash=gold.hash,
        generation=moment.generation,
        weights=space.weights if space else "",
        gate=gate_hash(),
        answerable=right,
        unanswerable=len(cases) - right,
        bluff_cost=bluff_cost,
        stricter=made.gate.stricter,
        refitted=made.gate.refitted,
        slope=made.slope,
        offset=made.offset,
    )
    return _report(calibration, made)


def _report(calibration: Calibration, made: Calibrated) -> CalibrationReport:
    return CalibrationReport(
        calibration=calibration,
        is_stored=False,
        shipped=made.shipped,
        chosen=made.chosen,
        held_out=made.held_out,
        folds=made.folds,
        sweep=made.sweep,
        notes=made.notes,
    )


# ---------------------------------------------------------------- errors by threshold


STEPS = 60
"""Of the curve: finer than a page shows."""
BEYOND = 0.2
"""Log odds by which the curve goes on beyond the last margin."""


def errors_by_threshold(outcomes: Sequence[QuestionOutcome]) -> tuple[SweepStep, ...]:
    """Return the errors at even steps over all margins; 0 is the threshold in force.

    What a rule decided has no margin and is left out. Empty where margins are of one kind of
    question alone: there is nothing to weigh against.
    """
    margins = [
        (outcome.reply.margin, outcome.is_answerable)
        for outcome in outcomes
        if outcome.reply is not None and outcome.reply.margin is not None
    ]
    right = [margin for margin, is_answerable in margins if is_answerable]
    wrong = [margin for margin, is_answerable in margins if not is_answerable]
    if not right or not wrong:
        return ()
    low = max(-FARTHEST, min(*right, *wrong) - BEYOND)
    high = min(FARTHEST, max(*right, *wrong) + BEYOND)
    places = (low + (high - low) * at / STEPS for at in range(STEPS + 1))
    return tuple(SweepStep(place, _errors(right, wrong, place)) for place in places)


def _errors(right: Sequence[float], wrong: Sequence[float], threshold: float) -> GateErrors:
    return GateErrors(
        lost=error_rate("lost", [margin < threshold for margin in right]),
        bluffs=error_rate("bluffs", [margin >= threshold for margin in wrong]),
        groups=(),
    )
