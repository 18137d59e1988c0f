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
    _, at, times = np.unique(scores, return_inverse=True, return_counts=True)
    is_tied = times[at] > 1
    order_among_ties = np.zeros(len(places), dtype=np.int64)
    if is_tied.any():
        tied = places[is_tied].tolist()
        ids = ids_of(tied)
        order_of = {place: at for at, place in enumerate(sorted(tied, key=ids.__getitem__))}
        order_among_ties[is_tied] = [order_of[place] for place in tied]
    order = np.lexsort((order_among_ties, -scores))[:depth]
    return tuple(zip(places[order].tolist(), scores[order].tolist(), strict=True))


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
