"""Terms -> the chunks that hold them, and BM25's weight of a term in a chunk. Pure arithmetic.

A back-end that keeps postings offers them as a `PostingsSource`. Each chunk is known by its place
among all chunks, a number from 0 without gaps.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cytat.analysis.places import Mask, Places

Counts = NDArray[np.uint8]
TermWeights = NDArray[np.float64]

K1 = 1.2
"""How soon more repetitions of a term stop counting; with `B` as in most engines, FTS5 among them.
They were not tuned."""
B = 0.75
"""How much long chunks are held back."""
MOST_FREQUENT = K1 + 1
"""The bound of a saturated frequency."""
SPARSE = 16
"""Postings of several terms are merged by sorting when there are so many times fewer of them than
places; above, a table of all places is faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The chunks that hold a term, by place, rising, and how often each holds it, 255 at most."""

    places: Places
    counts: Counts

    def __len__(self) -> int:
        return len(self.places)

    @property
    def bytes(self) -> int:
        """The memory they take."""
        return self.places.nbytes + self.counts.nbytes

    def where(self, mask: Mask) -> "Postings":
        """Return those at the places of a mask of shape (places,)."""
        is_kept = mask[self.places]
        return Postings(self.places[is_kept], self.counts[is_kept])


NOWHERE = Postings(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))


class PostingsSource(Protocol):
    """The chunks of one moment that may be read. Nothing of other chunks shows, nor is counted."""

    @property
    def chunks(self) -> int:
        """How many chunks may be read."""
        ...

    @property
    def norms(self) -> TermWeights:
        """Of each place, what its chunk's length does to a term there: see `norms_of`."""
        ...

    @property
    def lowest_norm(self) -> float:
        """The lowest of a chunk that may be read."""
        ...

    def prepare(self, terms: Collection[str]) -> None:
        """Fetch the postings of terms that are about to be asked for, all at once."""
        ...

    def postings(self, terms: tuple[str, ...]) -> Postings:
        """Return the chunks that hold any of the terms, each with the count of its best one."""
        ...

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each term how many chunks hold it."""
        ...

    def ids(self, places: Sequence[int]) -> Mapping[int, str]:
        """Return the ids of the chunks at some places."""
        ...


def united(found: Sequence[Postings], *, places: int) -> Postings:
    """Return the chunks that hold any of several terms, each with the highest of its counts.

    Args:
        found: of each term.
        places: how many there are.
    """
    some = [each for each in found if len(each)]
    if len(some) <= 1:
        return some[0] if some else NOWHERE
    if SPARSE * sum(map(len, some)) < places:
        return _united_by_sorting(some)
    best = np.zeros(places, dtype=np.uint8)
    for each in some:
        best[each.places] = np.maximum(best[each.places], each.counts)
    held = np.flatnonzero(best).astype(np.int32)
    return Postings(held, best[held])


def _united_by_sorting(found: Sequence[Postings]) -> Postings:
    places = np.concatenate([each.places for each in found])
    counts = np.concatenate([each.counts for each in found])
    order = np.lexsort((counts, places))
    places, counts = places[order], counts[order]
    is_last = np.append(places[1:] != places[:-1], True)
    return Postings(places[is_last], counts[is_last])


def norms_of(lengths: NDArray[np.integer], *, mean: float) -> TermWeights:
    """Return what the length of each chunk does to a term in it; `lengths` are in terms."""
    return K1 * (1 - B + B * lengths.astype(np.float64) / mean)


def saturated(counts: Counts, norms: TermWeights) -> TermWeights:
    """Return BM25's frequency of a term in some chunks, from 0 to below `MOST_FREQUENT`.

    Source:
        Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
        doi:10.1561/1500000019.
    """
    frequencies = counts.astype(np.float64)
    bounded = frequencies * MOST_FREQUENT
    frequencies += norms
    bounded /= frequencies
    return bounded


def rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency of a term: never negative, 0 when no chunk holds it.

    Source:
        as of `saturated`, with 1 added under the logarithm.
    """
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5)) if holding else 0.0
