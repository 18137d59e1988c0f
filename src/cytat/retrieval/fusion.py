"""Rankings of one query -> one ranking. Pure.

Three ways: by ranks alone, and by scores made comparable, in two manners. Scores of different
rankers are never added as they are, and a fused score says nothing about relevance.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cytat.analysis import ScoredRows

RRF_K = 60
"""The constant of the paper named below."""

VECTORS_SHARE = 0.65
"""Of a fused score, where the vectors are trusted in full."""
FLAT_PEAK, CLEAR_PEAK = 0.5, 1.1
"""Below the one the vectors say nothing, above the other all they can. These three were chosen on
SciFact's training claims and PoQuAD's questions, with encoders that know the language and with
one that does not: `benchmarks/fusion_weights.py`."""
ENOUGH_TO_JUDGE, EVEN_SHARE = 1_000, 0.5
"""Among fewer chunks, often all about one matter, a peak is low also where the encoder is good:
there both arms weigh the same. Of 0.3 to 0.75 only 0.4 did better on the 39 answerable example
questions, and by less than so few can tell (the same script)."""

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


def fuse_best_shares(
    words: ScoredRows,
    vectors: ScoredRows,
    *,
    rows: Sequence[int],
    ids: Mapping[int, str],
    weight: float | None = None,
) -> list[tuple[int, float]]:
    """Fuse by each score's share of the best of its arm; the weight adapts to the question.

    score(c) = (1 - w) * words(c) / best words + w * (cos(c) - mean) / (best cos - mean)

    w is `weight_of_vectors`, unless a fixed `weight` is given. Nothing in it grows with the corpus,
    as the standard score of a rare word does. A chunk without a score has share 0.

    Returns:
        `rows`, best first; scores comparable only within this ranking; ties broken by `ids`.
    """
    if not words.hits:
        weight = 1.0
    elif weight is None:
        weight = weight_of_vectors(vectors)
    shares = dict.fromkeys(rows, 0.0)
    for arm, floor, of_arm in ((words, 0.0, 1 - weight), (vectors, vectors.mean, weight)):
        span = arm.hits[0][1] - floor if arm.hits else 0.0
        if span > 0:
            for row, score in arm.scores_of(rows).items():
                shares[row] += of_arm * (score - floor) / span
    return _ordered(shares, ids)


def weight_of_vectors(vectors: ScoredRows) -> float:
    """Return the share of the vectors in a fused score, from 0 to `VECTORS_SHARE`.

    It follows the peak: how many deviations the best cosine stands above the mean, over what the
    best of as many random numbers would (the square root of 2 ln n). An encoder that does not
    know the question's language or subject finds everything about equally near. A small corpus
    cannot tell that.
    """
    if vectors.searched < ENOUGH_TO_JUDGE or vectors.deviation == 0 or not vectors.hits:
        return EVEN_SHARE
    peak = (vectors.hits[0][1] - vectors.mean) / vectors.deviation
    reached = peak / math.sqrt(2 * math.log(vectors.searched))
    trust = (reached - FLAT_PEAK) / (CLEAR_PEAK - FLAT_PEAK)
    return VECTORS_SHARE * min(1.0, max(0.0, trust))


def _ordered(scores: Mapping[Key, float], ids: Mapping[Key, str]) -> list[tuple[Key, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], ids[pair[0]]))
