"""Two raters' verdicts -> do they agree beyond chance? Pure; seeded."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cytat.metrics.intervals import RESAMPLES, SEED, Interval

Counts = NDArray[np.float64]
"""Shape (…, 4): both yes, the first alone, the second alone, both no."""


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa: 1 for full agreement, 0 for that of chance; None where all say one.

    kappa = (p_o - p_e) / (1 - p_e), with p_o the share of equal verdicts and p_e the share that
    two raters with these shares of yes would have by chance.

    Source:
        Cohen, Educ. Psychol. Meas. 20, 1960, doi:10.1177/001316446002000104.
    """
    value = float(_kappas(_counts(pairs)[None, :])[0]) if pairs else np.nan
    return None if np.isnan(value) else value


def kappa_interval(pairs: Sequence[tuple[bool, bool]], *, seed: int = SEED) -> Interval | None:
    """Return the percentile interval of kappa, by drawing the pairs again with replacement."""
    if kappa(pairs) is None:
        return None
    counts = _counts(pairs)
    chance = np.random.default_rng(seed)
    drawn = chance.multinomial(len(pairs), counts / len(pairs), size=RESAMPLES)
    low, high = np.nanquantile(_kappas(drawn.astype(np.float64)), (0.025, 0.975))
    return Interval(float(low), float(high), "bootstrap")


def _counts(pairs: Sequence[tuple[bool, bool]]) -> Counts:
    order = [(True, True), (True, False), (False, True), (False, False)]
    return np.array([pairs.count(one) for one in order], dtype=np.float64)


def _kappas(counts: Counts) -> NDArray[np.float64]:
    """Return kappa of each row, NaN where both raters have but one verdict between them."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    both, first, second, neither = shares.T
    by_chance = (both + first) * (both + second) + (neither + second) * (neither + first)
    possible = 1 - by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(possible > 0, (both + neither - by_chance) / possible, np.nan)
