"""Query vector -> chunks ranked by cosine. Exact: every vector that may be a hit is looked at."""

import json
import os
import threading
from collections.abc import Sequence
from functools import partial

import apsw
import numpy as np

from cytat.analysis import SCORE_DECIMALS, AllowedRows, ScoredRows, best_rows, scored_rows
from cytat.backends.sqlite.rights import Onlooker, onlooker
from cytat.backends.sqlite.vector_matrix import LoadedVectors, Rows, Scores, current_vectors
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Vectors

SELECT_IDS = """
select row, id
from chunk
where row in (select value from json_each(:rows))
"""

GATHERED_SHARE = 0.2
"""When a filter keeps less, its vectors are gathered; above, a product with all of them is
faster: benchmarks/results/vectors_speed.json."""

THREADS = min(2, os.cpu_count() or 1)
"""A product waits for memory: what two threads gain is measured in decision 0007."""

_ROUNDING = 10**-SCORE_DECIMALS


class VectorIndex:
    """All vectors of one corpus.

    May be shared between threads that each have a connection. Shown another corpus, or the same one
    as another reader sees it, it begins anew.
    """

    def __init__(self, *, threads: int = THREADS) -> None:
        """Begin with nothing in memory; `threads` compare the vectors, and end with each search."""
        self._threads = threads
        self._loaded: LoadedVectors | None = None
        self._onlooker: Onlooker | None = None
        self._lock = threading.Lock()

    def count(self, connection: apsw.Connection) -> int:
        """Return how many chunks have a vector."""
        return len(self._current(connection).rows)

    def unembedded_documents(self, connection: apsw.Connection) -> int:
        """Return how many documents have chunks without a vector: words alone find those."""
        return self._current(connection).lacking_documents

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
        if not len(loaded.rows):
            return scored_rows((), rows=loaded.rows, scores=np.empty(0), searched=0)
        _check_query(query_vector, dimensions=loaded.dimensions)
        rows, scores = _scores(loaded, query_vector, allowed, self._threads)
        hits = _best(connection, rows, scores, depth)
        return scored_rows(hits, rows=rows, scores=scores, searched=len(rows))

    def _current(self, connection: apsw.Connection) -> LoadedVectors:
        with self._lock:
            if self._onlooker != (seen_by := onlooker(connection)):
                self._loaded, self._onlooker = None, seen_by
            self._loaded = current_vectors(connection, self._loaded)
            return self._loaded


def _scores(
    loaded: LoadedVectors, query_vector: Vectors, allowed: AllowedRows | None, threads: int
) -> tuple[Rows, Scores]:
    """Return the rows that may be found, ascending, with their cosines."""
    if allowed is None:
        return loaded.rows, loaded.cosines(query_vector, threads=threads)
    places = np.flatnonzero(allowed.keep(loaded.rows))
    if len(places) < GATHERED_SHARE * len(loaded.rows):
        return loaded.rows[places], loaded.cosines_at(places, query_vector)
    return loaded.rows[places], loaded.cosines(query_vector, threads=threads)[places]


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
    connection: apsw.Connection, rows: Rows, scores: Scores, depth: int
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best, scores rounded, ties by chunk id."""
    if len(rows) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        near = scores >= last - _ROUNDING  # what may tie with the last once it is rounded
        rows, scores = rows[near], scores[near]
    rounded = scores.astype(np.float64).round(SCORE_DECIMALS)
    return best_rows(rows, rounded, depth=depth, ids_of=partial(_ids, connection))


def _ids(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, str]:
    return dict(connection.execute(SELECT_IDS, {"rows": json.dumps(rows)}))
