"""Vectors in blocks -> their cosines with one vector. Pure.

A block is never changed, so that one snapshot can be searched while the next one is made, and an
unchanged block is shared by both. A block's vectors may be in memory or mapped from a file.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cytat.analysis.places import Places
from cytat.protocols import Vectors

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
