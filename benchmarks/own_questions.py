"""Held-out cases -> what a calibration on a few of them is worth on the others. For `gate_signals`.

A user's questions are of one kind of document: sets are drawn within a language and a cut. Cost:
lost answers plus `bluff_cost` times bluffs, half of the questions answerable, per question.
"""

from collections.abc import Sequence

import numpy as np
from benchmarks.gate_cases import Case

from cytat.answering import margin_weights
from cytat.evaluation import GateCase, calibrate

SIZES = (10, 30, 60)
"""Questions of each kind in a set."""
BLUFF_COSTS = (1.0, 3.0, 10.0)
DRAWS = 40
STRATA = (("pl", "whole"), ("pl", "fine"), ("en", "fine"))
SEED = 20

Figures = dict[str, object]


def worth_of_own_questions(cases: Sequence[Case]) -> list[Figures]:
    """Return mean costs of the shipped and the calibrated gate on questions that fit neither."""
    drawn = np.random.default_rng(SEED)
    rows = []
    for language, cut in STRATA:
        some = [
            _gate_case(str(at), case)
            for at, case in enumerate(cases)
            if case.is_held_out and (case.language, case.cut) == (language, cut)
        ]
        for size in SIZES:
            for bluff_cost in BLUFF_COSTS:
                costs = [_costs(some, drawn, size, bluff_cost) for _ in range(DRAWS)]
                shipped, calibrated, promised = np.mean(costs, axis=0)
                rows.append(
                    {
                        "language": language,
                        "cut": cut,
                        "questions of each kind": size,
                        "bluff cost": bluff_cost,
                        "shipped": round(float(shipped), 3),
                        "calibrated": round(float(calibrated), 3),
                        "as held out within the set": round(float(promised), 3),
                    }
                )
    return list(rows)


def _gate_case(name: str, case: Case) -> GateCase:
    weights = margin_weights()
    margin = weights.intercept + sum(
        weight * case.signals[signal] for signal, weight in weights.of.items()
    )
    is_refused = case.is_missing_identifier or bool(case.signals["is_strange"])
    return GateCase(
        name, None, case.kind == "answerable", not is_refused, margin, dict(case.signals)
    )


def _costs(
    some: Sequence[GateCase], drawn: np.random.Generator, size: int, bluff_cost: float
) -> tuple[float, float, float]:
    """Return three costs: shipped, calibrated, and what the calibration's held-out errors say."""
    right = [case for case in some if case.is_answerable]
    wrong = [case for case in some if not case.is_answerable]
    known, others = list[GateCase](), list[GateCase]()
    for kind in (right, wrong):
        order = drawn.permutation(len(kind))
        known += [kind[at] for at in order[:size]]
        others += [kind[at] for at in order[size:]]
    made = calibrate(known, bluff_cost=bluff_cost, shipped=margin_weights())
    errors = made.held_out
    promised = (errors.lost.wrong + bluff_cost * errors.bluffs.wrong) / (2 * size)
    shipped = _cost(others, [case.margin or 0.0 for case in others], 0.0, bluff_cost)
    refitted = made.gate.refitted or margin_weights()
    margins = [
        refitted.intercept
        + sum(weight * (case.signals or {})[name] for name, weight in refitted.of.items())
        for case in others
    ]
    return shipped, _cost(others, margins, made.gate.stricter, bluff_cost), promised


def _cost(
    cases: Sequence[GateCase], margins: Sequence[float], stricter: float, bluff_cost: float
) -> float:
    passed = [
        case.is_answered and margin >= stricter for case, margin in zip(cases, margins, strict=True)
    ]
    lost = [not one for one, case in zip(passed, cases, strict=True) if case.is_answerable]
    bluffs = [one for one, case in zip(passed, cases, strict=True) if not case.is_answerable]
    return float(np.mean(lost) + bluff_cost * np.mean(bluffs)) / 2
