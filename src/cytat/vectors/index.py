"""Query vector -> chunks ranked by cosine. Exact: every vector is looked at, in memory.

The matrix is loaded once, in the order of chunk ids, so that the order of rows is the order of
ties, and loaded again when the corpus has a newer generation.
"""

import threading
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.errors import BackendError, CorpusFormatError, VectorSpaceError
from cytat.protocols import Vectors
from cytat.query import AllowedRows, ScoredRows, scored_rows
from cytat.store.spaces import read_generation

COUNT_UNEMBEDDED = """
select count(distinct chunk.document)
from chunk
left join vector on vector.chunk = chunk.row
where vector.chunk is null
"""
SELECT_VECTORS = """
select vector.chunk, vector.vector
from vector
join chunk on chunk.row = vector.chunk
order by chunk.id
"""

_SCORE_DECIMALS = 6
"""The last bits of a product depend on where a row lies in the matrix: equal vectors must tie."""


@dataclass(frozen=True, slots=True, eq=False)
class _Loaded:
    """`matrix`: shape (chunks, dimensions), float32, rows of length 1, one per entry of `rows`."""

    generation: int
    rows: NDArray[np.int64]
    matrix: Vectors
    unembedded_documents: int


class VectorIndex:
    """All vectors of one corpus. May be shared between threads that each have a connection."""

    def __init__(self) -> None:
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()

    def count(self, connection: apsw.Connection) -> int:
        """Return how many chunks have a vector."""
        return len(self._current(connection).rows)

    def unembedded_documents(self, connection: apsw.Connection) -> int:
        """Return how many documents have chunks without a vector: words alone find those."""
        return self._current(connection).unembedded_documents

    def rank_by_cosine(
        self,
        connection: apsw.Connection,
        query_vector: Vectors,
        *,
        depth: int,
        allowed: AllowedRows | None,
    ) -> ScoredRows:
        """Rank chunks by cosine similarity.

        Args:
            connection: of the corpus, inside one read transaction with whatever else is read.
            query_vector: shape (dimensions,), float32, length 1.
            depth: hits wanted; fewer come back when fewer chunks are allowed.
            allowed: rows that may be hits; None means all.

        Returns:
            Scores in [-1, 1], higher is nearer; ties broken by chunk id.
        """
        loaded = self._current(connection)
        rows = loaded.rows
        if not len(rows):
            return scored_rows((), rows=rows, scores=np.empty(0), searched=0)
        _check_query(query_vector, dimensions=loaded.matrix.shape[1])
        cosines = np.asarray(loaded.matrix @ query_vector, dtype=np.float64)
        scores = cosines.round(_SCORE_DECIMALS)
        if allowed is not None:
            kept = allowed.keep(rows)
            rows, scores = rows[kept], scores[kept]
        hits = _best(rows, scores, depth)
        return scored_rows(hits, rows=rows, scores=scores, searched=len(rows))

    def _current(self, connection: apsw.Connection) -> _Loaded:
        with self._lock:
            generation = read_generation(connection)
            if self._loaded is None or self._loaded.generation != generation:
                self._loaded = _load(connection, generation)
            return self._loaded


def _load(connection: apsw.Connection, generation: int) -> _Loaded:
    numbers: list[int] = []
    blobs: list[bytes] = []
    for row, blob in connection.execute(SELECT_VECTORS):
        numbers.append(row)
        blobs.append(blob)
    rows = np.array(numbers, dtype=np.int64)
    if len({len(blob) for blob in blobs}) > 1:
        raise CorpusFormatError(
            "the corpus holds vectors of different lengths", hint="run `cytat reindex`"
        )
    flat = np.frombuffer(b"".join(blobs), dtype="<f4")
    return _Loaded(
        generation,
        rows,
        flat.reshape(len(rows), -1) if blobs else flat.reshape(0, 0),
        int(connection.execute(COUNT_UNEMBEDDED).get),
    )


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
    rows: NDArray[np.int64], scores: NDArray[np.float64], depth: int
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best. `rows` are in the order of chunk ids; sorting is stable."""
    if len(rows) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        rows, scores = rows[scores >= last], scores[scores >= last]
    order = np.argsort(-scores, kind="stable")[:depth]
    return tuple(zip(rows[order].tolist(), scores[order].tolist(), strict=True))
