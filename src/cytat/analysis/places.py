"""Chunks by their place in an index: which may be found, which scored best, how scores lie. Pure.

A place is a number from 0 without gaps, so that scores are added up in arrays. What ranks by words
and what ranks by vectors count the same way here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cytat.protocols import Spread

Places = NDArray[np.int32]
Mask = NDArray[np.bool_]
Scores = NDArray[np.floating[Any]]

SCORE_DECIMALS = 6
"""The last bits of a score depend on where a chunk lies in an index: equal chunks must tie."""


class PlaceSet:
    """Places that may be found. Immutable; `mask` has shape (places,)."""

    def __init__(self, mask: Mask) -> None:
        """Take a mask that nobody changes."""
        self.mask = mask
        self._count = int(np.count_nonzero(mask))

    def __len__(self) -> int:
        return self._count

    @cached_property
    def places(self) -> Places:
        """The places, rising."""
        return np.flatnonzero(self.mask).astype(np.int32)


def best_places(
    places: Places,
    scores: Scores,
    *,
    depth: int,
    ids_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best places with their scores, the highest first, ties by chunk id.

    `ids_of` is asked for the places that tie, and for no others: each id is looked up in the file.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    is_as_next = ranked[1:] == ranked[:-1]
    if is_as_next.any():
        order = _ties_by_id(places, order, is_as_next, ids_of)
    order = order[:depth]
    return tuple(zip(places[order].tolist(), scores[order].tolist(), strict=True))


def _ties_by_id(
    places: Places,
    order: NDArray[np.intp],
    is_as_next: Mask,
    ids_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> NDArray[np.intp]:
    """Return an order by score; chunks with equal scores are ordered by id.

    Args:
        places: of all chunks.
        order: of `places`, by score.
        is_as_next: for all but the last of the order, whether the next one has the same score.
        ids_of: returns the ids of the chunks at some places.
    """
    is_tied = np.append(is_as_next, False) | np.insert(is_as_next, 0, False)
    tied = places[order[is_tied]].tolist()
    ids = ids_of(tied)
    place_of = {place: at for at, place in enumerate(sorted(tied, key=ids.__getitem__))}
    by_id = np.zeros(len(order), dtype=np.int64)
    by_id[is_tied] = [place_of[place] for place in tied]
    group = np.insert(np.cumsum(~is_as_next), 0, 0)  # chunks with one score have one number
    return order[np.lexsort((by_id, group))]


def spread_of(scores: Scores, *, searched: int) -> Spread:
    """Return mean and deviation over all chunks searched.

    Args:
        scores: of those that have one, float32 or float64; the others count 0.
        searched: how many chunks could have had one.
    """
    if not searched:
        return Spread(0.0, 0.0)
    mean = float(scores.sum(dtype=np.float64)) / searched
    # Around the mean: squares of cosines that all lie near 0.8 would drown their deviation.
    squares = np.square(scores - scores.dtype.type(mean)).sum(dtype=np.float64)
    without = (searched - len(scores)) * mean * mean
    deviation = ((float(squares) + without) / searched) ** 0.5
    is_flat = deviation < 10**-SCORE_DECIMALS  # at the precision of a score all are the same
    return Spread(mean, 0.0 if is_flat else deviation)
