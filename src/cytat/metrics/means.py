"""Scores -> their mean, over what was measured. Pure."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over `n` scores; `value` is None when nothing was measured."""

    value: float | None
    n: int
    not_measured: int


def mean_of(scores: Iterable[float | None]) -> Mean:
    """Return the mean of the scores that are numbers, and how many are none.

    None and NaN are "not measured": they count neither as failed nor as perfect.
    """
    given = list(scores)
    measured = [one for one in given if one is not None and not math.isnan(one)]
    value = math.fsum(measured) / len(measured) if measured else None
    return Mean(value, len(measured), len(given) - len(measured))
