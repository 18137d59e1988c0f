"""Scores by chunk -> hits; the documents that a filter keeps; and cosines, vector by vector."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cytat.analysis.filters import Facts, asked_of, holds
from cytat.analysis.places import SCORE_DECIMALS
from cytat.backends.memory.state import KeptChunk, KeptDocument, MemoryState
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Allowed, ScoredChunk, Spread, Vectors
from cytat.records import ChunkId, Condition, DocumentId

_LENGTH_TOLERANCE = 1e-3
"""Far above what rounding does to a unit vector, far below a vector left as a model made it."""


@dataclass(frozen=True, slots=True)
class AllowedInMemory:
    """The documents that a filter keeps; see `protocols.Allowed`."""

    ids: frozenset[DocumentId]
    chunk_ids: frozenset[ChunkId]

    @classmethod
    def of(cls, allowed: Allowed) -> Self:
        """Return what a moment of this back-end has returned.

        Raises:
            TypeError: it is another back-end's.
        """
        if not isinstance(allowed, cls):
            raise TypeError(f"{type(allowed).__name__} is not of this back-end")
        return allowed

    @property
    def documents(self) -> int:
        """How many documents it keeps."""
        return len(self.ids)

    @property
    def chunks(self) -> int:
        """How many chunks these have."""
        return len(self.chunk_ids)


def allowed_by(state: MemoryState, conditions: Sequence[Condition]) -> AllowedInMemory:
    """Return the documents that satisfy all conditions."""
    kept = [document for document in state.documents.values() if _holds_all(document, conditions)]
    return AllowedInMemory(
        frozenset(document.record.id for document in kept),
        frozenset(chunk.chunk.id for document in kept for chunk in document.chunks),
    )


def _holds_all(document: KeptDocument, conditions: Iterable[Condition]) -> bool:
    record = document.record
    facts = Facts(record.source, record.title, record.media_type, record.language, record.metadata)
    return all(holds(condition, asked_of(condition.key, facts)) for condition in conditions)


class ScoredInMemory:
    """One ranker's scores of what may be a hit; see `protocols.Scored`."""

    def __init__(self, scores: Mapping[ChunkId, float], *, depth: int, searched: int) -> None:
        """Take the scores of all chunks that have one; the best `depth` are hits."""
        self._scores = scores
        self._searched = searched
        best = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
        self._hits = tuple(ScoredChunk(*scored) for scored in best[:depth])

    @property
    def hits(self) -> Sequence[ScoredChunk]:
        """The best; scores never rise, ties by chunk id."""
        return self._hits

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        return self._searched

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks, rounded; one that has none is absent."""
        return {
            chunk_id: round(self._scores[chunk_id], SCORE_DECIMALS)
            for chunk_id in chunk_ids
            if chunk_id in self._scores
        }

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched; one without a score counts 0."""
        if not self._searched:
            return Spread(0.0, 0.0)
        without = [0.0] * (self._searched - len(self._scores))
        scores = [*self._scores.values(), *without]
        mean = math.fsum(scores) / len(scores)
        deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
        return Spread(mean, deviation if deviation >= 10**-SCORE_DECIMALS else 0.0)


def cosines(chunks: Iterable[KeptChunk], question: Vectors) -> dict[ChunkId, float]:
    """Return the cosine of each chunk that has a vector, rounded so that equal chunks tie.

    Args:
        chunks: of a corpus.
        question: shape (dimensions,), float32, length 1.

    Raises:
        VectorSpaceError: it has another number of dimensions.
        BackendError: it is not finite, or all zero.
    """
    vectors = {kept.chunk.id: kept.vector for kept in chunks if kept.vector is not None}
    for vector in vectors.values():
        if vector.shape != question.shape:
            raise VectorSpaceError(
                f"a question's vector has shape {question.shape}, the corpus {vector.size} "
                "dimensions",
                hint="set the embedder back, or run `cytat reindex`",
            )
    if vectors and not (np.isfinite(question).all() and question.any()):
        raise BackendError(
            "the encoder returned no usable vector for the question (not finite, or all zero)",
            hint="check the embedder with `cytat doctor`; search by words with --mode words",
        )
    wide = question.astype(np.float64)
    return {
        chunk_id: round(float(vector.astype(np.float64) @ wide), SCORE_DECIMALS)
        for chunk_id, vector in vectors.items()
    }


def check_vectors(vectors: Sequence[Vectors]) -> None:
    """Refuse vectors of a document that are not of one shape, or not of length 1 (BackendError)."""
    shapes = {vector.shape for vector in vectors}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise BackendError(
            f"vectors of shapes {', '.join(map(str, sorted(shapes)))} came back for one text each",
            hint="check the embedder with `cytat doctor`",
        )
    lengths = [float(np.linalg.norm(vector.astype(np.float64))) for vector in vectors]
    if not all(abs(length - 1) < _LENGTH_TOLERANCE for length in lengths):  # false for NaN too
        raise BackendError(
            "the encoder returned a vector that is not finite or not of length 1",
            hint="check the embedder with `cytat doctor`",
        )
