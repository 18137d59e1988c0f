"""Paired scores of two runs -> can they be told apart? Exact, without any assumption of shape."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


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
    for place, at in enumerate(sorted(range(len(p_values)), key=lambda one: p_values[one])):
        so_far = max(so_far, min(1.0, p_values[at] * (len(p_values) - place)))
        corrected[at] = so_far
    return corrected
