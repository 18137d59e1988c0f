"""Chunk rows with their vectors -> table `vector`."""

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


def write_vectors(connection: apsw.Connection, placed: Sequence[tuple[int, Vectors]]) -> None:
    """Store a vector for each chunk row; one that is already there is replaced.

    Args:
        connection: of a corpus, inside the transaction that writes the chunks.
        placed: chunk.row and vector, shape (dimensions,), length 1.

    Raises:
        BackendError: the vectors differ in shape, or one is not of length 1.
    """
    if not placed:
        return
    _check([vector for _, vector in placed])
    connection.executemany(
        UPSERT_VECTOR,
        (
            {"chunk": row, "vector": np.ascontiguousarray(vector, dtype="<f4").tobytes()}
            for row, vector in placed
        ),
    )


def _check(vectors: Sequence[Vectors]) -> None:
    shapes = {vector.shape for vector in vectors}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise BackendError(
            f"vectors of shapes {', '.join(map(str, sorted(shapes)))} came back for one text each",
            hint="check the embedder with `cytat doctor`",
        )
    lengths = np.linalg.norm(np.stack(vectors).astype(np.float64), axis=1)
    if not bool(np.all(np.abs(lengths - 1) < _LENGTH_TOLERANCE)):  # false for NaN too
        raise BackendError(
            "the encoder returned a vector that is not finite or not of length 1",
            hint="check the embedder with `cytat doctor`",
        )
