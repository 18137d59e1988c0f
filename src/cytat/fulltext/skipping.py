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
from cytat.fulltext.postings import Weights
from cytat.fulltext.words import Word

SLACK = 1 - 1e-9
"""Sums differ by their order in the last bits, which must not lose a hit: bounds leave room."""
PROBED = 2
"""Times `depth` chunks whose whole scores are computed to see what a hit must reach at least."""
FEW_ALLOWED = 8
"""A filter that keeps so many times fewer chunks than there are postings: only those are scored."""


@dataclass(frozen=True, slots=True, eq=False)
class Summed:
    """What several words add to the scores of the chunks that hold any of them, in any order."""

    places: Places
    scores: Weights

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


def all_scores(words: Sequence[Word], norms: Weights) -> Weights:
    """Return the sum of all words at each place, added in the order of the words."""
    if not words:
        return np.zeros(len(norms))
    places = np.concatenate([word.postings.places for word in words])
    weights = np.concatenate([word.scores(norms) for word in words])
    return np.asarray(np.bincount(places, weights, minlength=len(norms)), dtype=np.float64)


def scores_at(words: Sequence[Word], norms: Weights, places: Places) -> Weights:
    """Return the sums at some places, rising: to the last bit those of `all_scores`."""
    scores = np.zeros(len(places))
    for word in words:
        scores += word.scores_at(places, norms)
    return scores


def best_sums(
    words: Sequence[Word],
    norms: Weights,
    *,
    lowest_norm: float,
    depth: int,
    allowed: PlaceSet | None,
) -> tuple[Places, Weights]:
    """Return the chunks whose sum is above 0 and among the `depth` highest, ties with the last too.

    Args:
        words: each held by some chunk.
        norms: of all places.
        lowest_norm: of the chunks that may be read.
        depth: hits wanted, 1 or more.
        allowed: places that may be hits; None means all.

    Returns:
        Places and their sums, which are those of `all_scores` to the last bit.
    """
    places = _candidates(words, norms, lowest_norm=lowest_norm, depth=depth, allowed=allowed)
    if places is None:
        scores = all_scores(words, norms)
        places = np.flatnonzero(scores > 0).astype(np.int32)
        places = places if allowed is None else places[allowed.mask[places]]
        return _cut(places, scores.take(places), depth)
    return _cut(places, scores_at(words, norms, places), depth)


def _cut(places: Places, scores: Weights, depth: int) -> tuple[Places, Weights]:
    """Return what has a score, and one as high as the last of the `depth` best."""
    is_kept = scores > 0
    if len(scores) > depth:
        is_kept &= scores >= np.partition(scores, len(scores) - depth)[len(scores) - depth]
    return places[is_kept], scores[is_kept]


def _candidates(
    words: Sequence[Word],
    norms: Weights,
    *,
    lowest_norm: float,
    depth: int,
    allowed: PlaceSet | None,
) -> Places | None:
    """Return the places that may be among the best, rising; None where all words must be added."""
    postings = sum(len(word.postings) for word in words)
    if allowed is not None and FEW_ALLOWED * len(allowed) < postings:
        return allowed.places
    rarest_first = sorted(words, key=lambda word: len(word.postings))
    bounds = [word.highest(lowest_norm) for word in rarest_first]
    added = 0
    while (added := _next(rarest_first, added)) < len(words):
        summed, rest = _summed(rarest_first[:added], norms), rarest_first[added:]
        if allowed is not None:
            summed = summed.where(allowed.mask[summed.places])
        needed = SLACK * _needed(summed, rest, norms, depth)
        if sum(bounds[added:]) < needed:
            return _narrowed(summed, rest, bounds[added:], norms, needed)
    return None


def _next(words: Sequence[Word], added: int) -> int:
    """Return how many words to add up next: those before with at least as many postings again."""
    done = sum(len(word.postings) for word in words[:added])
    more = 0
    while added < len(words) and more <= done:
        more += len(words[added].postings)
        added += 1
    return added


def _summed(words: Sequence[Word], norms: Weights) -> Summed:
    """Add words up without touching the places that hold none of them."""
    if len(words) == 1:
        return Summed(words[0].postings.places, words[0].scores(norms))
    places = np.concatenate([word.postings.places for word in words])
    scores = np.concatenate([word.scores(norms) for word in words])
    order = np.arange(len(places), dtype=np.int32)
    last = np.empty(len(norms), dtype=np.int32)  # read at `places` alone, where it is written
    last[places] = order
    own = last[places]
    is_last = own == order
    sums = np.bincount(own, scores, minlength=len(places))
    return Summed(places[is_last], sums[is_last])


def _needed(summed: Summed, rest: Sequence[Word], norms: Weights, depth: int) -> float:
    """Return a score that `depth` chunks reach: what a hit has at least; 0 where none is known."""
    if len(summed.scores) < depth:
        return 0.0
    probed = summed.highest(PROBED * depth)
    scores = probed.scores + scores_at(rest, norms, probed.places)
    return float(np.partition(scores, len(scores) - depth)[len(scores) - depth])


def _narrowed(
    summed: Summed, rest: Sequence[Word], bounds: Sequence[float], norms: Weights, needed: float
) -> Places:
    """Return the places that may reach a score, rising, after adding one word after the other."""
    left = sum(bounds)
    summed = summed.where(summed.scores + left >= needed)
    summed = summed.where(np.argsort(summed.places))
    for word, bound in zip(rest, bounds, strict=True):
        left -= bound
        scores = summed.scores + word.scores_at(summed.places, norms)
        summed = Summed(summed.places, scores).where(scores + left >= needed)
    return summed.places
