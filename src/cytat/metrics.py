"""Numbers of retrieval and answering, and how sure they are. Pure: no text, no store, no clock.

An id that is ranked twice counts at its first rank. A question without a relevant id has no such
numbers: asking for them is an error, never a 0 and never a 1.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
    measured = [score for score in given if score is not None and not math.isnan(score)]
    value = math.fsum(measured) / len(measured) if measured else None
    return Mean(value, len(measured), len(given) - len(measured))


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
        raise ValueError(f"{successes} of {trials} is not a share")
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
    return np.array([pairs.count(place) for place in order], dtype=np.float64)


def _kappas(counts: Counts) -> NDArray[np.float64]:
    """Return kappa of each row, NaN where both raters have but one verdict between them."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    both, first, second, neither = shares.T
    by_chance = (both + first) * (both + second) + (neither + second) * (neither + first)
    possible = 1 - by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(possible > 0, (both + neither - by_chance) / possible, np.nan)


@dataclass(frozen=True, slots=True)
class SignTest:
    """Questions on which the second run is better or worse, and how likely that is by chance."""

    better: int
    worse: int
    equal: int
    p: float


def sign_test(pairs: Sequence[tuple[float, float]]) -> SignTest:
    """Return the exact two-sided sign test on the pairs that differ: (first run, second run).

    p = min(1, 2 * P(at most min(better, worse) of n fair coins show heads))
    """
    better = sum(after > before for before, after in pairs)
    worse = sum(after < before for before, after in pairs)
    differing, fewer = better + worse, min(better, worse)
    ways = sum(math.comb(differing, count) for count in range(fewer + 1))
    return SignTest(better, worse, len(pairs) - differing, min(1.0, 2 * ways / 2**differing))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number, in the order given.

    Source:
        Holm, Scand. J. Stat. 6, 1979, https://www.jstor.org/stable/4615733.
    """
    corrected = [1.0] * len(p_values)
    so_far = 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        so_far = max(so_far, min(1.0, p_values[at] * (len(p_values) - place)))
        corrected[at] = so_far
    return corrected


def distinct(ranked: Iterable[str]) -> list[str]:
    """Return the ids in their order, each at its first rank only."""
    return list(dict.fromkeys(ranked))


def hit_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return 1 if a relevant id stands among the first `depth`, else 0."""
    return float(_found(ranked, grades, depth) > 0)


def recall_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return the share of the relevant ids that stand among the first `depth`."""
    return _found(ranked, grades, depth) / len(_relevant(grades))


def precision_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return relevant ids among the first `depth`, divided by `depth`, also of a shorter list."""
    return _found(ranked, grades, depth) / depth


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return 1 / rank of the first relevant id; 0 where none is ranked."""
    relevant = _relevant(grades)
    for rank, one in enumerate(distinct(ranked), start=1):
        if one in relevant:
            return 1.0 / rank
    return 0.0


def ndcg_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return the discounted gain of the first `depth` ids over that of the best order.

    DCG = sum over ranks r of (2^grade - 1) / log2(r + 1)

    A grade below 0, by which some judges mark spam, gains nothing and costs nothing, as one of 0.

    Source:
        Burges et al., ICML 2005, doi:10.1145/1102351.1102363.
    """
    gains = [2.0 ** max(0, grades.get(one, 0)) - 1 for one in distinct(ranked)[:depth]]
    best = sorted((2.0**grade - 1 for grade in _relevant(grades).values()), reverse=True)
    return _discounted(gains) / _discounted(best[:depth])


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _found(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> int:
    relevant = _relevant(grades)
    return sum(one in relevant for one in distinct(ranked)[:depth])


def _relevant(grades: Mapping[str, int]) -> Mapping[str, int]:
    relevant = {one: grade for one, grade in grades.items() if grade > 0}
    if not relevant:
        raise ValueError("no id is relevant: the question cannot be measured")
    return relevant


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return the chance that a right one scores above a wrong one; ties count half.

    Source:
        Hanley, McNeil, Radiology 143, 1982, doi:10.1148/radiology.143.1.7063747.
    """
    if not right or not wrong:
        raise ValueError("one of the two kinds is missing")
    above = np.asarray(right)[:, None]
    below = np.asarray(wrong)[None, :]
    return float(((above > below) + 0.5 * (above == below)).mean())
