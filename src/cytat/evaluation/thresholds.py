"""Outcomes of a run -> both errors of the gate alone, wherever its threshold stood. Pure."""

from collections.abc import Sequence

from cytat.evaluation.calibrating import FARTHEST, error_rate
from cytat.records import GateErrors, QuestionOutcome, SweepStep

STEPS = 60
"""Of the curve: finer than a page shows."""
BEYOND = 0.2
"""Log odds by which the curve goes on beyond the last margin."""


def errors_by_threshold(outcomes: Sequence[QuestionOutcome]) -> tuple[SweepStep, ...]:
    """Return the errors at even steps over all margins; 0 is the threshold in force.

    What a rule decided has no margin and is left out. None where margins are of one kind of
    question alone: there is nothing to weigh against.
    """
    margins = [
        (one.reply.margin, one.is_answerable)
        for one in outcomes
        if one.reply is not None and one.reply.margin is not None
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
