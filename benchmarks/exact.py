"""The chunks of a synthetic corpus -> the exact ten nearest, and the exact ten by BM25.

What every system's answers are compared with. Plain sums over all chunks, written from the
formulas, and sharing no code with the ranking they judge.
"""

from collections.abc import Sequence

import numpy as np
from benchmarks.rivals import DEPTH, K1, B
from benchmarks.synthetic import CHUNKS_A_DOCUMENT, GROUPS, Asked, Slab, words_by_id
from numpy.typing import NDArray

TERM_BITS = 32
"""A term and a chunk in one number: sorted by term first."""


class Exact:
    """All vectors, and for each term its chunks with how often it stands there."""

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        self._matrix = matrix
        self._lengths = np.zeros(len(matrix), dtype=np.int32)
        self._keys: list[NDArray[np.uint64]] = []
        self._counts: list[NDArray[np.uint16]] = []
        self._term_by_word = {word: term for term, word in enumerate(words_by_id())}

    @property
    def has_words(self) -> bool:
        """Whether the chunks' words were given, and not their vectors alone."""
        return bool(self._lengths.any())

    def add(self, slab: Slab) -> None:
        """Count the words of the next chunks."""
        lengths = np.array([len(ids) for ids in slab.words])
        self._lengths[slab.first : slab.first + len(lengths)] = lengths
        chunks = np.repeat(np.arange(slab.first, slab.first + len(lengths)), lengths)
        terms = np.concatenate(slab.words).astype(np.uint64)
        keys = (terms << np.uint64(TERM_BITS)) | chunks.astype(np.uint64)
        found, counts = np.unique(keys, return_counts=True)
        self._keys.append(found)
        self._counts.append(counts.astype(np.uint16))

    def finish(self) -> None:
        """Put all chunks of a term together."""
        keys = np.concatenate(self._keys)
        order = np.argsort(keys, kind="stable")
        self._all_keys = keys[order]
        self._all_counts = np.concatenate(self._counts)[order]
        self._keys.clear()
        self._counts.clear()

    def nearest(self, asked: Asked) -> list[int]:
        """Return the chunks with the greatest cosines."""
        return _best(self._matrix @ asked.vector)

    def nearest_in_group(self, asked: Asked) -> list[int]:
        """Return the nearest of the chunks whose document is of the question's group."""
        documents = np.arange(len(self._matrix)) // CHUNKS_A_DOCUMENT
        inside = np.flatnonzero(documents % GROUPS == asked.group)
        return [int(inside[at]) for at in _best(self._matrix[inside] @ asked.vector)]

    def by_words(self, asked: Asked, *, depth: int = DEPTH) -> list[int]:
        """Return the chunks with the greatest sums of BM25; none that holds no word."""
        scores = np.zeros(len(self._matrix))
        total, mean = len(self._matrix), self._lengths.mean()
        for term in asked.terms:
            chunks, counts = self._postings(self._term_by_word[term])
            rarity = np.log(1 + (total - len(chunks) + 0.5) / (len(chunks) + 0.5))
            long = K1 * (1 - B + B * self._lengths[chunks] / mean)
            scores[chunks] += rarity * counts * (K1 + 1) / (counts + long)
        return [chunk for chunk in _best(scores, depth) if scores[chunk] > 0]

    def _postings(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        first, last = (np.uint64(one << TERM_BITS) for one in (term, term + 1))
        start, end = np.searchsorted(self._all_keys, [first, last])
        chunks = (self._all_keys[start:end] & np.uint64(2**TERM_BITS - 1)).astype(np.int64)
        return chunks, self._all_counts[start:end].astype(np.float64)


def _best(scores: NDArray[np.floating], depth: int = DEPTH) -> list[int]:
    """Return the numbers of the greatest scores, the smaller number first among equals."""
    depth = min(depth, len(scores))
    last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
    kept = np.flatnonzero(scores >= last)
    return [int(kept[at]) for at in np.argsort(-scores[kept], kind="stable")[:depth]]


def overlap(found: Sequence[int], exact: Sequence[int]) -> float:
    """Return the share of the exact chunks that were found."""
    return len(set(found) & set(exact)) / len(exact)
