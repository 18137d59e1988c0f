"""Rankings of one query -> one ranking. Pure.

Three ways: by ranks alone, and by scores made comparable, in two manners. Scores of different
rankers are never added as they are, and a fused score says nothing about relevance.

Ties are broken by chunk id. A ranker's mean and deviation are asked for only where a rule needs
them: to count them over all chunks takes longer than to find the best.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cytat.errors import UsageError
from cytat.protocols import Scored
from cytat.records import ChunkId

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
questions, and by less than so few can show (the same script)."""
VECTORS_WEIGHT = 0.7
"""Share of the vectors in a sum of standard scores: with the default encoder the best of 0.3 to
0.8, but for a tie with 0.8, on 200 Polish questions; `benchmarks/retrieval_quality.py --weight`
asks again."""

Ranked = list[tuple[ChunkId, float]]
"""Chunks and fused scores, best first."""


class Fusion(StrEnum):
    """How two rankings become one."""

    BEST_SHARES = "best-shares"
    STANDARD_SCORES = "standard-scores"
    RECIPROCAL_RANKS = "reciprocal-ranks"


FORMS = ("best-shares[:WEIGHT]", "standard-scores[:WEIGHT]", "reciprocal-ranks")


@dataclass(frozen=True, slots=True)
class FusionRule:
    """How two rankings become one, and what the vectors weigh; None: as the rule has it."""

    fusion: Fusion
    vectors_weight: float | None

    @property
    def text(self) -> str:
        """The name as a person writes it."""
        if self.vectors_weight is None:
            return self.fusion.value
        return f"{self.fusion.value}:{self.vectors_weight:g}"

    def fuse(self, words: Scored, vectors: Scored) -> Ranked:
        """Return the union of the best of both arms, best first."""
        if self.fusion is Fusion.RECIPROCAL_RANKS:
            return fuse_reciprocal_ranks(
                [[hit.chunk_id for hit in arm.hits] for arm in (words, vectors)]
            )
        chunk_ids = list(dict.fromkeys(hit.chunk_id for hit in (*words.hits, *vectors.hits)))
        if self.fusion is Fusion.BEST_SHARES:
            return fuse_best_shares(words, vectors, chunk_ids=chunk_ids, weight=self.vectors_weight)
        weight = VECTORS_WEIGHT if self.vectors_weight is None else self.vectors_weight
        # A chunk without a vector is neither near nor far.
        near = Arm(vectors, weight, absent=vectors.spread().mean)
        return fuse_standard_scores((Arm(words, 1 - weight, absent=0.0), near), chunk_ids=chunk_ids)


DEFAULT_FUSION = FusionRule(Fusion.BEST_SHARES, None)


def parse_fusion(name: str) -> FusionRule:
    """Return the rule of `standard-scores:0.5`.

    Raises:
        UsageError: the name is unknown, or the weight is not from 0 to 1.
    """
    kind, sign, number = name.strip().lower().partition(":")
    if kind not in set(Fusion) or (sign and kind == Fusion.RECIPROCAL_RANKS):
        raise UsageError(f"unknown fusion {name!r}", hint=f"one of: {', '.join(FORMS)}")
    if not sign:
        return FusionRule(Fusion(kind), None)
    try:
        weight = float(number)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise UsageError(
            f"the weight of the vectors must be a number from 0 to 1, not {number!r}",
            hint="for instance standard-scores:0.5",
        )
    return FusionRule(Fusion(kind), weight)


def fuse_reciprocal_ranks(rankings: Iterable[Sequence[ChunkId]], *, k: int = RRF_K) -> Ranked:
    """Fuse rankings of one query by reciprocal rank.

    score(c) = sum over rankings r that contain c of 1 / (k + rank_r(c))

    Returns:
        The union, best first; scores comparable only within it; ties broken by chunk id.

    Source:
        Cormack, Clarke, Buettcher, SIGIR 2009, doi:10.1145/1571941.1572114.
    """
    scores: dict[ChunkId, float] = defaultdict(float)
    for ranking in rankings:
        for rank, chunk_id in enumerate(ranking, start=1):
            scores[chunk_id] += 1 / (k + rank)
    return _ordered(scores)


@dataclass(frozen=True, slots=True)
class Arm:
    """One ranker's scores for a query, and its weight in a sum of standard scores.

    `absent` is what a chunk without a score counts for.
    """

    scored: Scored
    weight: float
    absent: float


def fuse_standard_scores(arms: Sequence[Arm], *, chunk_ids: Sequence[ChunkId]) -> Ranked:
    """Fuse by a weighted sum of standard scores.

    score(c) = sum over arms a of weight_a * (score_a(c) - mean_a) / deviation_a

    Mean and deviation are those of the arm over all chunks searched. An arm that scores all
    chunks alike says nothing.

    Returns:
        `chunk_ids`, best first; scores comparable only within this ranking; ties by chunk id.
    """
    scores = dict.fromkeys(chunk_ids, 0.0)
    for arm in arms:
        spread = arm.scored.spread()
        if spread.deviation == 0:
            continue
        found = arm.scored.scores_of(chunk_ids)
        for chunk_id in chunk_ids:
            standard = (found.get(chunk_id, arm.absent) - spread.mean) / spread.deviation
            scores[chunk_id] += arm.weight * standard
    return _ordered(scores)


def fuse_best_shares(
    words: Scored, vectors: Scored, *, chunk_ids: Sequence[ChunkId], weight: float | None = None
) -> Ranked:
    """Fuse by each score's share of the best of its arm; the weight adapts to the question.

    score(c) = (1 - w) * words(c) / best words + w * (cos(c) - mean) / (best cos - mean)

    w is `weight_of_vectors`, unless a fixed `weight` is given. Nothing in it grows with the corpus,
    as the standard score of a rare word does. A chunk without a score has share 0.

    Returns:
        `chunk_ids`, best first; scores comparable only within this ranking; ties by chunk id.
    """
    if not words.hits:
        weight = 1.0
    elif weight is None:
        weight = weight_of_vectors(vectors)
    shares = dict.fromkeys(chunk_ids, 0.0)
    floors = ((words, 0.0, 1 - weight), (vectors, vectors.spread().mean, weight))
    for arm, floor, of_arm in floors:
        span = arm.hits[0].score - floor if arm.hits else 0.0
        if span > 0:
            for chunk_id, score in arm.scores_of(chunk_ids).items():
                shares[chunk_id] += of_arm * (score - floor) / span
    return _ordered(shares)


def weight_of_vectors(vectors: Scored) -> float:
    """Return the share of the vectors in a fused score, from 0 to `VECTORS_SHARE`.

    It follows the peak: how many deviations the best cosine is above the mean, over what the
    best of as many random numbers would (the square root of 2 ln n). An encoder that does not
    know the question's language or subject finds everything about equally near. A small corpus
    cannot tell that.
    """
    if vectors.searched < ENOUGH_TO_JUDGE or not vectors.hits:
        return EVEN_SHARE
    spread = vectors.spread()
    if spread.deviation == 0:
        return EVEN_SHARE
    peak = (vectors.hits[0].score - spread.mean) / spread.deviation
    reached = peak / math.sqrt(2 * math.log(vectors.searched))
    trust = (reached - FLAT_PEAK) / (CLEAR_PEAK - FLAT_PEAK)
    return VECTORS_SHARE * min(1.0, max(0.0, trust))


def _ordered(scores: Mapping[ChunkId, float]) -> Ranked:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
