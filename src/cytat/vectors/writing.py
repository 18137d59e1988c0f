"""Vectors -> rows of the table `vector`. Writes only; the caller holds the transaction."""

from collections.abc import Sequence

import apsw
import numpy as np

from cytat.errors import BackendError
from cytat.protocols import Vectors

UPSERT_VECTOR = """
insert into vector (chunk, vector)
values (:chunk, :vector)
on conflict (chunk) do update set vector = excluded.vector
"""

_LENGTH_TOLERANCE = 1e-3
"""Far above what rounding to float32 does to a unit vector, far below any vector left as it was."""


def write_vectors(connection: apsw.Connection, rows: Sequence[int], vectors: Vectors) -> None:
    """Store one vector for each chunk row; a vector that is already there is replaced.

    Args:
        connection: of a corpus, inside the transaction that writes the chunks.
        rows: chunk.row of each vector.
        vectors: shape (len(rows), dimensions), float32, rows of length 1.
    """
    _check(rows, vectors)
    stored = np.ascontiguousarray(vectors, dtype="<f4")
    connection.executemany(
        UPSERT_VECTOR,
        (
            {"chunk": row, "vector": vector.tobytes()}
            for row, vector in zip(rows, stored, strict=True)
        ),
    )


def _check(rows: Sequence[int], vectors: Vectors) -> None:
    if vectors.ndim != 2 or len(vectors) != len(rows):  # noqa: PLR2004 - rows and dimensions
        raise BackendError(
            f"{len(rows)} texts were embedded, vectors of shape {vectors.shape} came back",
            hint="check the embedder with `cytat doctor`",
        )
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    if not bool(np.all(np.abs(lengths - 1) < _LENGTH_TOLERANCE)):  # false for NaN too
        raise BackendError(
            "the encoder returned a vector that is not finite or not of length 1",
            hint="check the embedder with `cytat doctor`",
        )
