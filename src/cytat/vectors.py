"""Vectors in memory: blocks of them, and the ranking by cosine. Exact, and pure.

A block is never changed, so that one snapshot can be searched while the next one is made, and an
unchanged block is shared by both. A block's vectors may be in memory or mapped from a file.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cytat.analysis.places import SCORE_DECIMALS, Places, PlaceSet, best_places, spread_of
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Spread, Vectors

BLOCK_VECTORS = 16_384
"""25 MB at 384 dimensions: what a change copies, and what is read twice while loading."""
PIECE_VECTORS = 4_096
"""What a thread takes at once: on a busy machine the threads do not come forward alike."""

Keys = NDArray[np.int64]
"""Numbers by which a back-end knows its chunks."""
Cosines = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """`keys`, rising, and `vectors`, one for each: shape (keys, dimensions), float32, length 1."""

    keys: Keys
    vectors: Vectors

    def where(self, kept: NDArray[np.bool_]) -> "VectorBlock":
        """Return the block without what is not kept."""
        if kept.all():
            return self
        return VectorBlock(self.keys[kept], self.vectors[kept])


@dataclass(frozen=True, eq=False)
class VectorBlocks:
    """All vectors of one moment; `blocks` have rising keys, and all the same dimensions."""

    blocks: tuple[VectorBlock, ...]

    @cached_property
    def keys(self) -> Keys:
        """Those of the blocks, one after the other, rising: the key of the vector at each place."""
        return keys_of(self.blocks)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def dimensions(self) -> int:
        """Of the vectors; 0 when there are none."""
        return self.blocks[0].vectors.shape[1] if self.blocks else 0

    def cosines(self, query_vector: Vectors, *, threads: int) -> Cosines:
        """Return shape (len(self),): the cosine of each vector and the query's."""
        cosines = np.empty(len(self), dtype=np.float32)
        left = deque(self._pieces())

        def fill() -> None:
            while left:
                try:
                    first, vectors = left.popleft()
                except IndexError:  # another thread has taken the last
                    return
                cosines[first : first + len(vectors)] = _products(vectors, query_vector)

        _run_in_threads(fill, min(threads, len(left)))
        return cosines

    def cosines_at(self, places: Places, query_vector: Vectors) -> Cosines:
        """Return shape (len(places),): the cosines of the vectors at some places, rising."""
        found = [np.empty(0, dtype=np.float32)]
        for first, block in self._placed():
            start, end = np.searchsorted(places, (first, first + len(block.keys)))
            found.append(_products(block.vectors[places[start:end] - first], query_vector))
        return np.concatenate(found)

    def _pieces(self) -> Iterator[tuple[int, Vectors]]:
        for first, block in self._placed():
            for at in range(0, len(block.keys), PIECE_VECTORS):
                yield first + at, block.vectors[at : at + PIECE_VECTORS]

    def _placed(self) -> Iterator[tuple[int, VectorBlock]]:
        first = 0
        for block in self.blocks:
            yield first, block
            first += len(block.keys)


def keys_of(blocks: Sequence[VectorBlock]) -> Keys:
    """Return the keys of blocks, one after the other."""
    return np.concatenate([np.empty(0, dtype=np.int64), *(block.keys for block in blocks)])


def _run_in_threads(work: Callable[[], None], threads: int) -> None:
    """Run `work` in this thread and in others beside it; all have ended when this returns."""
    if threads <= 1:
        work()
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    with ThreadPoolExecutor(threads - 1, thread_name_prefix="cytat-vectors") as pool:
        others = [pool.submit(work) for _ in range(threads - 1)]
        work()
    for other in others:
        other.result()


def _products(vectors: Vectors, query_vector: Vectors) -> Cosines:
    """Return the product of each vector, which is the same wherever it lies.

    BLAS is no faster where memory is what is waited for, and rounds a row by its place.
    """
    return np.asarray(np.einsum("ij,j->i", vectors, query_vector))


GATHERED_SHARE = 0.2
"""When fewer may be found, their vectors are gathered; above, a product with all of them is
faster: benchmarks/results/vectors_speed.json."""

THREADS = min(2, os.cpu_count() or 1)
"""A product waits for memory: what two threads gain is measured in decision 0007."""

_ROUNDING = 10**-SCORE_DECIMALS

IdsOf = Callable[[Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True, eq=False)
class VectorsRanking:
    """Cosines of one question: `hits` are places with scores, best first, ties by chunk id.

    `places`, rising, and `scores`: all that could have been hits.
    """

    hits: tuple[tuple[int, float], ...]
    places: Places
    scores: Cosines

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        return len(self.places)

    def at(self, places: Sequence[int]) -> dict[int, float]:
        """Return the scores at some places, rounded; a place that may not be found is absent."""
        if not len(self.places):
            return {}
        asked = np.array(places, dtype=np.int32)
        at = np.minimum(np.searchsorted(self.places, asked), len(self.places) - 1)
        at = at[self.places[at] == asked]
        scores = self.scores[at].astype(np.float64).round(SCORE_DECIMALS)
        return dict(zip(self.places[at].tolist(), scores.tolist(), strict=True))

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched."""
        return spread_of(self.scores, searched=self.searched)


def rank_by_cosine(
    vectors: VectorBlocks,
    query_vector: Vectors,
    *,
    depth: int,
    allowed: PlaceSet | None,
    ids_of: IdsOf,
    threads: int = THREADS,
) -> VectorsRanking:
    """Rank chunks by cosine similarity.

    Args:
        vectors: of all chunks.
        query_vector: shape (dimensions,), float32, length 1.
        depth: hits wanted; fewer come back when fewer chunks are allowed.
        allowed: places that may be hits; None means all.
        ids_of: returns the ids of the chunks at some places.
        threads: that compare the vectors, and end with the search.

    Returns:
        Scores in [-1, 1], higher is nearer, rounded.

    Raises:
        VectorSpaceError: the question's vector has other dimensions.
        BackendError: it is not finite, or nothing but zeros.
    """
    if not len(vectors):
        nothing = np.empty(0, dtype=np.int32)
        return VectorsRanking((), nothing, np.empty(0, dtype=np.float32))
    _check_query(query_vector, dimensions=vectors.dimensions)
    places, scores = _scores(vectors, query_vector, allowed, threads)
    return VectorsRanking(_best(places, scores, depth, ids_of), places, scores)


def _scores(
    vectors: VectorBlocks, query_vector: Vectors, allowed: PlaceSet | None, threads: int
) -> tuple[Places, Cosines]:
    """Return the places that may be found, rising, with their cosines."""
    if allowed is None:
        places = np.arange(len(vectors), dtype=np.int32)
        return places, vectors.cosines(query_vector, threads=threads)
    if len(allowed) < GATHERED_SHARE * len(vectors):
        return allowed.places, vectors.cosines_at(allowed.places, query_vector)
    return allowed.places, vectors.cosines(query_vector, threads=threads)[allowed.places]


def _check_query(vector: Vectors, *, dimensions: int) -> None:
    if vector.shape != (dimensions,):
        raise VectorSpaceError(
            f"a question's vector has shape {vector.shape}, the corpus {dimensions} dimensions",
            hint="set the embedder back, or run `cytat reindex`",
        )
    if not np.isfinite(vector).all() or not vector.any():
        raise BackendError(
            "the encoder returned no usable vector for the question (not finite, or all zero)",
            hint="check the embedder with `cytat doctor`; search by words with --mode words",
        )


def _best(
    places: Places, scores: Cosines, depth: int, ids_of: IdsOf
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best, scores rounded, ties by chunk id."""
    if len(places) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        near = scores >= last - _ROUNDING  # what may tie with the last once it is rounded
        places, scores = places[near], scores[near]
    rounded = scores.astype(np.float64).round(SCORE_DECIMALS)
    return best_places(places, rounded, depth=depth, ids_of=ids_of)
