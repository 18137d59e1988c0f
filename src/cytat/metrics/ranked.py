"""Ranked ids + grades -> recall, precision, reciprocal rank, nDCG of one question. Pure.

An id that is ranked twice counts at its first rank. A question without a relevant id has no such
numbers: asking for them is an error, never a 0 and never a 1.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np


def distinct(ranked: Iterable[str]) -> list[str]:
    """Return the ids in their order, each at its first rank only."""
    return list(dict.fromkeys(ranked))


def hit_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return 1 if a relevant id is among the first `depth`, else 0."""
    return float(_found(ranked, grades, depth) > 0)


def recall_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return the share of the relevant ids that are among the first `depth`."""
    return _found(ranked, grades, depth) / len(_relevant(grades))


def precision_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return relevant ids among the first `depth`, divided by `depth`, also of a shorter list."""
    return _found(ranked, grades, depth) / depth


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return 1 / rank of the first relevant id; 0 where none is ranked."""
    relevant = _relevant(grades)
    for rank, id_ in enumerate(distinct(ranked), start=1):
        if id_ in relevant:
            return 1.0 / rank
    return 0.0


def ndcg_at(ranked: Sequence[str], grades: Mapping[str, int], *, depth: int) -> float:
    """Return the discounted gain of the first `depth` ids over that of the best order.

    DCG = sum over ranks r of (2^grade - 1) / log2(r + 1)

    A grade below 0, by which some judges mark spam, gains nothing and costs nothing, as one of 0.

    Source:
        Burges et al., ICML 2005, doi:10.1145/1102351.1102363.
    """
    gains = [2.0 ** max(0, grades.get(id_, 0)) - 1 for id_ in distinct(ranked)[:depth]]
    best = sorted((2.0**grade - 1 for grade in _relevant(grades).values()), reverse=True)
    return _discounted(gains) / _discounted(best[:depth])


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _found(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> int:
    relevant = _relevant(grades)
    return sum(id_ in relevant for id_ in distinct(ranked)[:depth])


def _relevant(grades: Mapping[str, int]) -> Mapping[str, int]:
    relevant = {id_: grade for id_, grade in grades.items() if grade > 0}
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
