"""Scores -> the interval in which their true mean lies with 95 % confidence. Pure; seeded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Z_95 = 1.959963984540054
"""Two-sided 95 % point of the standard normal distribution."""
RESAMPLES = 4000
"""The ends of a percentile interval then vary by under a twentieth of its width from seed to seed:
tests/metrics/test_intervals.py."""
SEED = 20
DRAWN_AT_ONCE = 500_000
"""Values: a few megabytes, and for the usual gold set all resamples in one step."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of a 95 % interval, and how it was made: `wilson` or `bootstrap`."""

    low: float
    high: float
    method: str


def wilson(successes: int, trials: int) -> Interval:
    """Return the score interval of a share; of no trials at all, everything from 0 to 1.

    Source:
        Wilson, J. Am. Stat. Assoc. 22, 1927, doi:10.1080/01621459.1927.10502953.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no share")
    if trials == 0:
        return Interval(0.0, 1.0, "wilson")
    share, z2 = successes / trials, Z_95 * Z_95
    middle = share + z2 / (2 * trials)
    reach = Z_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    # At the ends of the scale the formula is exact and floats are not.
    low = 0.0 if successes == 0 else max(0.0, (middle - reach) / scale)
    high = 1.0 if successes == trials else min(1.0, (middle + reach) / scale)
    return Interval(low, high, "wilson")


def bootstrap_mean(values: Sequence[float], *, seed: int = SEED) -> Interval:
    """Return the percentile interval of a mean, by drawing the questions again with replacement.

    Source:
        Efron, Ann. Stat. 7, 1979, doi:10.1214/aos/1176344552.
    """
    if not values:
        raise ValueError("there are no values to draw from")
    drawn = np.random.default_rng(seed)
    given = np.asarray(values, dtype=np.float64)
    at_once = min(max(DRAWN_AT_ONCE // len(given), 1), RESAMPLES)
    means = []
    for done in range(0, RESAMPLES, at_once):
        resamples = min(at_once, RESAMPLES - done)
        places = drawn.integers(0, len(given), size=(resamples, len(given)))
        means.append(given[places].mean(axis=1))
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return Interval(float(low), float(high), "bootstrap")


def interval_of(values: Sequence[float]) -> Interval:
    """Return Wilson's interval where every value is 0 or 1, else the bootstrap's."""
    if all(value in {0.0, 1.0} for value in values):
        return wilson(round(math.fsum(values)), len(values))
    return bootstrap_mean(values)
