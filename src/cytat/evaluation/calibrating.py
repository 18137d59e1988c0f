"""Questions as the gate saw them + what a bluff costs -> a calibrated gate and its errors. Pure.

The threshold is moved to where the questions cost least. With many questions the weights are
fitted again, held close to the shipped ones, and kept if they separate held-out questions
better. What is reported as held out was decided without the question itself, threshold and
weights included.
"""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.errors import GoldSetError, UsageError
from cytat.evaluation.refitting import Example, confidence_of, log_loss, refit
from cytat.metrics import bootstrap_mean, wilson
from cytat.records import ErrorRate, GateErrors, GateWeights, SweepStep

FEWEST_QUESTIONS = 10
"""Of each kind. Of so few, without one bluff, the true rate may still be 28 % (Wilson)."""
MOST_BLUFF_COST = 1e6
"""More than any gold set has questions: a bluff is then worse than all lost answers together."""
REFIT_QUESTIONS = 60
"""Of each kind: fewer move the threshold alone."""
FOLDS = 5
SEED = 20
BEYOND = 0.5
"""Log odds by which a threshold lies beyond the last question that it keeps or lets through."""
STEP, FARTHEST = 0.25, 6.0
"""Of the sweep, in log odds."""


@dataclass(frozen=True, slots=True)
class GateCase:
    """A question of a gold set, asked with the gate let open."""

    id: str
    group: str | None
    is_answerable: bool
    is_answered: bool
    """Whether anything is quoted once the gate lets the question through."""
    margin: float | None
    """By the shipped gate; None where a rule decided."""
    signals: Mapping[str, float] | None
    """None where the question's words cannot be compared: those weights are never refitted."""


@dataclass(frozen=True, slots=True)
class FittedGate:
    """What calibrating chose; see `records.Calibration`."""

    stricter: float
    refitted: GateWeights | None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The gate that was chosen, the confidence of its answers, and its errors."""

    gate: FittedGate
    slope: float
    offset: float
    shipped: GateErrors
    chosen: GateErrors
    held_out: GateErrors
    folds: int
    sweep: tuple[SweepStep, ...]
    notes: tuple[str, ...]


SHIPPED = FittedGate(0.0, None)


def calibrate(cases: Sequence[GateCase], *, bluff_cost: float, shipped: GateWeights) -> Calibrated:
    """Return the gate under which lost answers plus `bluff_cost` times bluffs are fewest.

    Args:
        cases: the questions.
        bluff_cost: lost answers that one bluff is as bad as.
        shipped: the weights whose sum is the margin of a case.

    Raises:
        UsageError: the cost is not above 0, or beyond any count of questions.
        GoldSetError: there are too few questions of a kind.
    """
    if not 0 < bluff_cost <= MOST_BLUFF_COST:
        raise UsageError(
            f"a bluff cannot cost {bluff_cost:g} lost answers", hint="for instance --bluff-cost 10"
        )
    _check_size(cases)
    gate = _fit(cases, bluff_cost=bluff_cost, shipped=shipped)
    folds = [
        (fold, _fit(rest, bluff_cost=bluff_cost, shipped=shipped)) for fold, rest in _folds(cases)
    ]
    held_out = [(case, _passes(case, other)) for fold, other in folds for case in fold]
    slope, offset = confidence_of(_examples(cases, gate.refitted))
    before = [(case, _passes(case, SHIPPED)) for case in cases]
    return Calibrated(
        gate=gate,
        slope=slope,
        offset=offset,
        shipped=_errors(before),
        chosen=_errors([(case, _passes(case, gate)) for case in cases]),
        held_out=_errors(held_out),
        folds=len(folds),
        sweep=tuple(_sweep(cases, gate)),
        notes=tuple(
            _notes(cases, _errors(held_out), before, held_out, gate, bluff_cost=bluff_cost)
        ),
    )


def _check_size(cases: Sequence[GateCase]) -> None:
    wrong = sum(not case.is_answerable for case in cases)
    right = len(cases) - wrong
    for count, kind in ((right, "answerable"), (wrong, "unanswerable")):
        if count < FEWEST_QUESTIONS:
            raise GoldSetError(
                f"{count or 'no'} {kind} questions are too few to choose a threshold by",
                hint=f"give at least {FEWEST_QUESTIONS} of each kind, better 30 and more; "
                '`"answerable": false` marks what the documents do not answer',
            )


# ---------------------------------------------------------------- choosing


def _fit(cases: Sequence[GateCase], *, bluff_cost: float, shipped: GateWeights) -> FittedGate:
    refitted = _refit_if_better(cases, shipped)
    return FittedGate(_cheapest(cases, refitted, bluff_cost=bluff_cost), refitted)


def _refit_if_better(cases: Sequence[GateCase], shipped: GateWeights) -> GateWeights | None:
    """Return weights that separate held-out questions better than the default ones, or None."""
    comparable = [case for case in cases if case.signals is not None and case.is_answered]
    wrong = sum(not case.is_answerable for case in comparable)
    if min(wrong, len(comparable) - wrong) < REFIT_QUESTIONS:
        return None
    before, after = list[Example](), list[Example]()
    for fold, rest in _folds(comparable):
        weights = refit(_signals(rest), shipped)
        before += _placed(_examples(rest, None), _examples(fold, None))
        after += _placed(_examples(rest, weights), _examples(fold, weights))
    return refit(_signals(comparable), shipped) if log_loss(after) < log_loss(before) else None


def _placed(known: Sequence[Example], held_out: Sequence[Example]) -> list[Example]:
    """Return held-out margins on the scale of the confidence fitted without them."""
    slope, offset = confidence_of(known)
    return [(slope * margin + offset, is_right) for margin, is_right in held_out]


def _cheapest(
    cases: Sequence[GateCase], refitted: GateWeights | None, *, bluff_cost: float
) -> float:
    """Return the threshold of least cost; of several stretches, in the one nearest the shipped.

    Between two neighbouring margins all thresholds decide alike: the middle is taken, or the
    shipped one where it lies there.
    """
    scored = [(_score(case, refitted), case.is_answerable) for case in cases]
    margins = sorted({score for score, _ in scored if math.isfinite(score)})
    edges = [-math.inf, *margins, math.inf]
    stretches = []
    for low, high in pairwise(edges):
        lost = sum(is_right and score < high for score, is_right in scored)
        bluffs = sum(not is_right and score >= high for score, is_right in scored)
        stretches.append((lost + bluff_cost * bluffs, low, high))
    least = min(cost for cost, _, _ in stretches)
    places = [_middle(low, high) for cost, low, high in stretches if cost <= least]
    nearest = min(places, key=lambda place: (abs(place), place))
    return round(nearest, 4)


def _middle(low: float, high: float) -> float:
    if low < 0 <= high:
        return 0.0
    if math.isinf(low):
        return high - BEYOND
    return low + BEYOND if math.isinf(high) else (low + high) / 2


def _score(case: GateCase, refitted: GateWeights | None) -> float:
    """Return the margin; infinite where no threshold changes what happens."""
    if not case.is_answered:
        return -math.inf
    if case.margin is None:
        return math.inf
    if refitted is None or case.signals is None:
        return case.margin
    return refitted.intercept + math.fsum(
        weight * case.signals[name] for name, weight in refitted.of.items()
    )


def _passes(case: GateCase, gate: FittedGate) -> bool:
    return _score(case, gate.refitted) >= gate.stricter


def _examples(cases: Sequence[GateCase], refitted: GateWeights | None) -> list[Example]:
    scored = [(_score(case, refitted), case.is_answerable) for case in cases]
    return [signal for signal in scored if math.isfinite(signal[0])]


def _signals(cases: Sequence[GateCase]) -> list[tuple[Mapping[str, float], bool]]:
    return [(case.signals, case.is_answerable) for case in cases if case.signals is not None]


def _folds(cases: Sequence[GateCase]) -> list[tuple[list[GateCase], list[GateCase]]]:
    """Return each fold with the rest; every kind and group is spread over all folds."""
    drawn = random.Random(SEED)  # noqa: S311 (deals questions, not secrets)
    kinds: dict[tuple[bool, str], list[GateCase]] = {}
    for case in sorted(cases, key=lambda case: case.id):
        kinds.setdefault((case.is_answerable, case.group or ""), []).append(case)
    dealt = []
    for kind in sorted(kinds):
        drawn.shuffle(kinds[kind])
        dealt += kinds[kind]
    folds = [dealt[at::FOLDS] for at in range(FOLDS)]
    return [
        (fold, [case for other in folds if other is not fold for case in other]) for fold in folds
    ]


# ---------------------------------------------------------------- errors


def _errors(decided: Sequence[tuple[GateCase, bool]]) -> GateErrors:
    lost = [not passed for case, passed in decided if case.is_answerable]
    unanswerable = [(case, passed) for case, passed in decided if not case.is_answerable]
    groups = sorted({case.group for case, _ in unanswerable if case.group is not None})
    return GateErrors(
        lost=error_rate("lost", lost),
        bluffs=error_rate("bluffs", [passed for _, passed in unanswerable]),
        groups=tuple(
            error_rate(group, [passed for case, passed in unanswerable if case.group == group])
            for group in groups
        ),
    )


def error_rate(name: str, is_wrong: Sequence[bool]) -> ErrorRate:
    """Return how many are wrong, with the interval of their share."""
    wrong = sum(is_wrong)
    interval = wilson(wrong, len(is_wrong))
    return ErrorRate(name, wrong, len(is_wrong), interval.low, interval.high)


def _sweep(cases: Sequence[GateCase], gate: FittedGate) -> Iterator[SweepStep]:
    """Yield the errors at even steps over all margins, and at the threshold that was chosen."""
    margins = [margin for margin, _ in _examples(cases, gate.refitted)] or [0.0]
    first = math.floor(max(-FARTHEST, min(*margins, 0.0)) / STEP)
    last = math.ceil(min(FARTHEST, max(*margins, 0.0)) / STEP) + 1
    places = {STEP * at for at in range(first, last + 1)} | {gate.stricter}
    for place in sorted(places):
        moved = FittedGate(place, gate.refitted)
        yield SweepStep(place, _errors([(case, _passes(case, moved)) for case in cases]))


# ---------------------------------------------------------------- in words


def _notes(
    cases: Sequence[GateCase],
    errors: GateErrors,
    before: Sequence[tuple[GateCase, bool]],
    after: Sequence[tuple[GateCase, bool]],
    gate: FittedGate,
    *,
    bluff_cost: float,
) -> Iterator[str]:
    yield (
        f"Held out, {errors.bluffs.wrong} of {errors.bluffs.among} unanswerable questions were "
        f"answered: the true rate may be as high as {errors.bluffs.high:.0%}. "
        f"{errors.lost.wrong} of {errors.lost.among} answerable ones were lost: it may be as high "
        f"as {errors.lost.high:.0%}."
    )
    yield _compared(before, after, bluff_cost=bluff_cost)
    if not errors.groups:
        yield (
            'No unanswerable question has a `group`: with "refuse-near" and "refuse-far", bluffs '
            "on the documents' own subject are shown apart."
        )
    decided = sum(not math.isfinite(_score(case, gate.refitted)) for case in cases)
    if decided:
        yield (
            f"{decided} questions come out alike at every threshold: a rule decides them, or no "
            "sentence can be quoted."
        )
    if gate.refitted is not None:
        yield "The weights were fitted again: they separate held-out questions better."


def _compared(
    before: Sequence[tuple[GateCase, bool]],
    after: Sequence[tuple[GateCase, bool]],
    *,
    bluff_cost: float,
) -> str:
    """Return what the default and the calibrated gate cost, and whether they differ."""
    shipped, calibrated = _costs(before, bluff_cost), _costs(after, bluff_cost)
    said = (
        f"Held out, the calibrated gate costs {sum(calibrated.values()):g} lost answers and the "
        f"shipped one {sum(shipped.values()):g}"
    )
    saved = bootstrap_mean([shipped[name] - calibrated[name] for name in sorted(shipped)])
    if saved.low > 0:
        return f"{said}: more than chance explains, the calibrated one is better."
    if saved.high < 0:
        return f"{said}: more than chance explains, the shipped one is better."
    return f"{said}: on these questions the two do not differ significantly."


def _costs(decided: Sequence[tuple[GateCase, bool]], bluff_cost: float) -> dict[str, float]:
    """Return what each question costs, by id."""
    return {
        case.id: 0.0 if passed is case.is_answerable else 1.0 if case.is_answerable else bluff_cost
        for case, passed in decided
    }
