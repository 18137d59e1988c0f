"""Signals or margins of questions -> logistic weights that few questions cannot lead astray. Pure.

Both fits begin at what cytat ships and leave it only as far as the questions insist.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cytat.records import GateWeights

Example = tuple[float, bool]
"""A margin, and whether the question can be answered."""
Matrix = NDArray[np.float64]

NEWTON_STEPS = 60
REFIT_HOLD = 10.0
"""Weight of the squared distance from the shipped weights, in spreads of a signal: with a hundred
questions each weight may go about half of where they would have it."""
SLOPE_HOLD = 4.0
"""As much as a margin that is right as it is shipped would be known from some ten questions."""
LEAST_SPREAD = 1e-6


def refit(
    examples: Sequence[tuple[Mapping[str, float], bool]], shipped: GateWeights
) -> GateWeights:
    """Return logistic weights near the shipped ones; only the intercept is free."""
    names = sorted(shipped.of)
    values = np.array([[signals[name] for name in names] for signals, _ in examples])
    wanted = np.array([is_right for _, is_right in examples], dtype=np.float64)
    middle, spread = values.mean(axis=0), np.maximum(values.std(axis=0), LEAST_SPREAD)
    start = np.array([shipped.of[name] for name in names])
    margin = shipped.intercept + values @ start
    moved = _newton(
        np.column_stack(((values - middle) / spread, np.ones(len(values)))),
        wanted,
        margin,
        hold=np.array([REFIT_HOLD] * len(names) + [LEAST_SPREAD]),
    )
    change = moved[:-1] / spread
    return GateWeights(
        round(float(shipped.intercept + moved[-1] - middle @ change), 4),
        dict(zip(names, np.round(start + change, 4).tolist(), strict=True)),
    )


def confidence_of(examples: Sequence[Example]) -> tuple[float, float]:
    """Return slope and offset that turn a margin into the chance that there is an answer.

    Of no example at all, slope 0 and an even chance. The targets are drawn in a little, so that
    questions that are separated without an error do not create certainty.

    Source:
        Platt, Advances in Large Margin Classifiers, 1999, section 2.2.
    """
    right = sum(is_right for _, is_right in examples)
    if not examples:
        return 0.0, 0.0
    high, low = (right + 1) / (right + 2), 1 / (len(examples) - right + 2)
    margins = np.array([margin for margin, _ in examples])
    moved = _newton(
        np.column_stack((margins, np.ones(len(margins)))),
        np.array([high if is_right else low for _, is_right in examples]),
        margins,
        hold=np.array([SLOPE_HOLD, LEAST_SPREAD]),
    )
    # A margin that speaks against an answer says nothing that could be believed.
    slope = max(0.0, 1.0 + float(moved[0]))
    offset = float(moved[1]) if slope else math.log((right + 1) / (len(examples) - right + 1))
    return round(slope, 4), round(offset, 4)


def log_loss(examples: Sequence[Example]) -> float:
    """Return the mean of -ln p over what came true, p = 1 / (1 + exp(-margin))."""
    signed = [margin if is_right else -margin for margin, is_right in examples]
    return math.fsum(np.logaddexp(0.0, -margin) for margin in signed) / len(signed)


def _newton(values: Matrix, wanted: Matrix, margins: Matrix, *, hold: Matrix) -> Matrix:
    """Return the change of weights that fits `wanted`, pulled back to none by `hold`."""
    moved = np.zeros(values.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(margins + values @ moved, -30, 30)))
        slope = values.T @ (wanted - chance) - hold * moved
        bend = (values * (chance * (1 - chance))[:, None]).T @ values + np.diag(hold)
        step = np.linalg.solve(bend, slope)
        moved = moved + step * min(1.0, 4.0 / max(LEAST_SPREAD, float(np.abs(step).max())))
        if float(np.abs(step).max()) < 1e-8:  # noqa: PLR2004 (far below the four digits kept)
            break
    return moved
