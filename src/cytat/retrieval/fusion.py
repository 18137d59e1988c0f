"""Rankings of one query -> one ranking. Pure.

Two ways: by ranks alone, and by scores made comparable. Scores of different rankers are never
added as they are, and a fused score says nothing about relevance.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cytat.query import ScoredRows

RRF_K = 60
"""The constant of the paper named below."""

Key = TypeVar("Key", bound=Hashable)


def fuse_reciprocal_ranks(
    rankings: Iterable[Sequence[Key]], *, ids: Mapping[Key, str], k: int = RRF_K
) -> list[tuple[Key, float]]:
    """Fuse rankings of one query by reciprocal rank.

    score(c) = sum over rankings r that contain c of 1 / (k + rank_r(c))

    Returns:
        The union, best first; scores comparable only within it; ties broken by `ids`.

    Source:
        Cormack, Clarke, Buettcher, SIGIR 2009, doi:10.1145/1571941.1572114.
    """
    scores: dict[Key, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] += 1 / (k + rank)
    return _ordered(scores, ids)


@dataclass(frozen=True, slots=True)
class Arm:
    """One ranker's scores for a query, and its weight in a sum of standard scores.

    `absent` is what a chunk without a score counts for.
    """

    scored: ScoredRows
    weight: float
    absent: float


def fuse_standard_scores(
    arms: Sequence[Arm], *, rows: Sequence[int], ids: Mapping[int, str]
) -> list[tuple[int, float]]:
    """Fuse by a weighted sum of standard scores.

    score(c) = sum over arms a of weight_a * (score_a(c) - mean_a) / deviation_a

    Mean and deviation are those of the arm over all chunks searched. An arm that scores all
    chunks alike says nothing.

    Returns:
        `rows`, best first; scores comparable only within this ranking; ties broken by `ids`.
    """
    scores = dict.fromkeys(rows, 0.0)
    for arm in arms:
        if arm.scored.deviation == 0:
            continue
        found = arm.scored.scores_of(rows)
        for row in rows:
            standard = (found.get(row, arm.absent) - arm.scored.mean) / arm.scored.deviation
            scores[row] += arm.weight * standard
    return _ordered(scores, ids)


def _ordered(scores: Mapping[Key, float], ids: Mapping[Key, str]) -> list[tuple[Key, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], ids[pair[0]]))
