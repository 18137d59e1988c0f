"""Words of a question -> the chunks with the highest sums, exactly, without adding up every chunk.

What a word adds to a score is bounded. The rare words are added up first. Once the score that a
hit must reach is higher than all the other words together can add, a chunk that holds none of the
rare ones cannot be a hit: of the frequent words only the scores of the few chunks left are
computed.

Source:
    Turtle, Flood, "Query evaluation: strategies and optimizations", 1995,
    doi:10.1016/0306-4573(95)00020-H (MaxScore), here over arrays instead of posting by posting.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cytat.analysis.places import Places, PlaceSet
from cytat.fulltext.postings import NOWHERE, TermWeights
from cytat.fulltext.words import QuestionWord

SLACK = 1 - 1e-9
"""Sums differ by their order in the last bits, which must not lose a hit: bounds leave room."""
PROBED = 2
"""Times `depth` chunks whose whole scores are computed to see what a hit must reach at least."""
FEW_ALLOWED = 8
"""A filter that keeps so many times fewer chunks than there are postings: only those are scored."""
FEW_NEAR = 1_000
"""So many chunks are scored as soon as they are all that is left: no word more is looked at."""
EXPECTED = 0.9
"""Of the bound of the last word that is needed to hold `depth` chunks: about what a hit reaches.
A wrong guess costs time alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Summed:
    """What several words add to the scores of the chunks that hold any of them, in any order."""

    places: Places
    scores: TermWeights

    def where(self, is_kept: np.ndarray) -> "Summed":
        """Return a part of it."""
        return Summed(self.places[is_kept], self.scores[is_kept])

    def highest(self, count: int) -> "Summed":
        """Return the highest, or all where there are no more than `count`, by place."""
        if len(self.scores) <= count:
            at = np.argsort(self.places)
        else:
            at = np.argpartition(self.scores, len(self.scores) - count)[-count:]
            at = at[np.argsort(self.places[at])]
        return self.where(at)


def all_scores(words: Sequence[QuestionWord], norms: TermWeights) -> TermWeights:
    """Return the sum of all words at each place, added in the order of the words."""
    if not words:
        return np.zeros(len(norms))
    places = np.concatenate([word.postings.places for word in words])
    scores = np.concatenate([word.scores(norms) for word in words])
    return np.asarray(np.bincount(places, scores, minlength=len(norms)), dtype=np.float64)


def scores_at(words: Sequence[QuestionWord], norms: TermWeights, places: Places) -> TermWeights:
    """Return the sums at some places, rising: to the last bit those of `all_scores`."""
    scores = np.zeros(len(places))
    norms_there = norms.take(places)
    for word in words:
        scores += word.scores_at(places, norms_there)
    return scores


def best_sums(
    words: Sequence[QuestionWord],
    norms: TermWeights,
    *,
    lowest_norm: float,
    depth: int,
    allowed: PlaceSet | None,
) -> tuple[Places, TermWeights]:
    """Return the chunks whose sum is above 0 and among the `depth` highest, ties with the last too.

    Args:
        words: each held by some chunk.
        norms: of all places.
        lowest_norm: of the chunks that may be read.
        depth: hits wanted, 1 or more.
        allowed: places that may be hits; None means all.

    Returns:
        Places, rising, and their sums, which are those of `all_scores` to the last bit.
    """
    if not words:
        return NOWHERE.places, np.zeros(0)
    if allowed is not None and FEW_ALLOWED * len(allowed) < sum(map(len, words)):
        places = allowed.places
    else:
        places = _candidates(words, norms, lowest_norm=lowest_norm, depth=depth, allowed=allowed)
    scores = scores_at(words, norms, places)
    is_kept = scores > 0
    if len(scores) > depth:
        is_kept &= scores >= _last_of(scores, depth)
    return places[is_kept], scores[is_kept]


def _last_of(scores: TermWeights, depth: int) -> float:
    """Return the lowest of the `depth` highest."""
    return float(np.partition(scores, len(scores) - depth)[len(scores) - depth])


def _candidates(
    words: Sequence[QuestionWord],
    norms: TermWeights,
    *,
    lowest_norm: float,
    depth: int,
    allowed: PlaceSet | None,
) -> Places:
    """Return places among which are the best, rising."""
    rarest_first = sorted(words, key=len)
    bounds = [word.highest(lowest_norm) for word in rarest_first]
    for added in range(_expected(rarest_first, bounds, depth), len(words) + 1):
        summed = _summed(rarest_first[:added], norms)
        if allowed is not None:
            summed = summed.where(allowed.mask[summed.places])
        rest, left = rarest_first[added:], sum(bounds[added:])
        needed = SLACK * _needed(summed, rest, norms, depth)
        if left < needed or not rest:
            near = summed.where(summed.scores + left >= needed)
            return _narrowed(near, rest, bounds[added:], norms, needed)
    raise AssertionError("all words were added")


def _expected(rarest_first: Sequence[QuestionWord], bounds: Sequence[float], depth: int) -> int:
    """Return how many words must be added up, as far as can be told before it is done."""
    held, left = 0, sum(bounds)
    reached = 0.0
    for at, (word, bound) in enumerate(zip(rarest_first, bounds, strict=True), start=1):
        reached = bound if held < depth else reached
        held += len(word)
        left -= bound
        if held >= depth and left < EXPECTED * reached:
            return at
    return len(rarest_first)


def _summed(words: Sequence[QuestionWord], norms: TermWeights) -> Summed:
    """Add words up without touching the places that hold none of them."""
    if len(words) == 1:
        return Summed(words[0].postings.places, words[0].scores(norms))
    places = np.concatenate([word.postings.places for word in words])
    scores = np.concatenate([word.scores(norms) for word in words])
    order = np.arange(len(places), dtype=np.int32)
    last = np.empty(len(norms), dtype=np.int32)  # read at `places` alone, where it is written
    last[places] = order
    own = last.take(places)
    is_last = own == order
    sums = np.bincount(own, scores, minlength=len(places))
    return Summed(places[is_last], sums[is_last])


def _needed(summed: Summed, rest: Sequence[QuestionWord], norms: TermWeights, depth: int) -> float:
    """Return a score that `depth` chunks reach: what a hit has at least; 0 where none is known."""
    if len(summed.scores) < depth:
        return 0.0
    if not rest:
        return _last_of(summed.scores, depth)
    probed = summed.highest(PROBED * depth)
    return _last_of(probed.scores + scores_at(rest, norms, probed.places), depth)


def _narrowed(
    near: Summed,
    rest: Sequence[QuestionWord],
    bounds: Sequence[float],
    norms: TermWeights,
    needed: float,
) -> Places:
    """Return the places that may reach a score, rising: after each word fewer may."""
    near, left = near.where(np.argsort(near.places)), sum(bounds)
    for word, bound in zip(rest, bounds, strict=True):
        if len(near.places) <= FEW_NEAR:
            break
        left -= bound
        scores = near.scores + word.scores_at(near.places, norms.take(near.places))
        near = Summed(near.places, scores).where(scores + left >= needed)
    return near.places
