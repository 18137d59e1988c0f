"""Terms and vectors of chunks -> batches of postings, and the table of vectors.

Writes only; the caller holds the transaction.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.postings import (
    COUNT_TYPE,
    MOST_COUNTED,
    ROW_TYPE,
    Posting,
    delete_all,
    settle,
    write_batch,
)
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
    _check_vectors([vector for _, vector in placed])
    connection.executemany(
        UPSERT_VECTOR,
        (
            {"chunk": row, "vector": np.ascontiguousarray(vector, dtype="<f4").tobytes()}
            for row, vector in placed
        ),
    )


def _check_vectors(vectors: Sequence[Vectors]) -> None:
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


BATCH_CHUNKS = 4096
"""Counted in memory at once: about half a million words."""


ChunkTerms: TypeAlias = tuple[int, Sequence[str]]
"""chunk.row, and the terms of the chunk, as often as they occur."""

Numbers: TypeAlias = NDArray[np.int32]
"""The terms of one chunk by their numbers in a `TermNumbers`, as often as they stand there."""


class TermNumbers:
    """Terms by number, in the order they were met."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # the next term gets the next number

    def numbered(self, terms: Sequence[str]) -> Numbers:
        """Return the numbers of terms; new ones get one."""
        return np.fromiter(map(self._numbers.__getitem__, terms), np.int32, count=len(terms))

    def terms(self) -> list[str]:
        """Return all terms, each at its number."""
        return list(self._numbers)


def index_chunks(connection: apsw.Connection, chunks: Iterable[ChunkTerms]) -> str | None:
    """Add chunks to the words index, as `index_terms` does, a few thousand at a time."""
    left = iter(chunks)
    while piece := list(islice(left, BATCH_CHUNKS)):
        vocabulary = TermNumbers()
        numbered = [(row, vocabulary.numbered(terms)) for row, terms in piece]
        _write(connection, vocabulary.terms(), numbered)
    return settle(connection)


def index_terms(
    connection: apsw.Connection,
    terms: Sequence[str],
    chunks: Sequence[tuple[int, Numbers]],
) -> str | None:
    """Add chunks by the numbers of their terms; a row must not have been there before.

    One call for all chunks of a transaction is cheapest: each makes a batch.

    Returns:
        What of the index is damaged and was left as it is; None where nothing was met.
    """
    for start in range(0, len(chunks), BATCH_CHUNKS):
        _write(connection, terms, chunks[start : start + BATCH_CHUNKS])
    return settle(connection)


def rebuild_words(connection: apsw.Connection, chunks: Iterable[ChunkTerms]) -> None:
    """Empty the words index and fill it with these chunks."""
    delete_all(connection)
    index_chunks(connection, chunks)


def _write(
    connection: apsw.Connection, terms: Sequence[str], chunks: Sequence[tuple[int, Numbers]]
) -> None:
    """Write a batch; `terms` has each at its number, also such that no chunk holds."""
    by_row = sorted(chunks, key=itemgetter(0))
    rows = np.array([row for row, _ in by_row], dtype=ROW_TYPE)
    lengths = np.array([len(held) for _, held in by_row], dtype=ROW_TYPE)
    held = np.concatenate([held for _, held in by_row])
    numbers = sorted(np.unique(held).tolist(), key=terms.__getitem__)
    place = np.empty(len(terms), dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    names = [terms[number] for number in numbers]
    write_batch(connection, rows, lengths, _inverted(names, place[held], rows, lengths))


def _inverted(
    terms: Sequence[str],
    held: NDArray[np.int64],
    rows: NDArray[np.uint32],
    lengths: NDArray[np.uint32],
) -> Iterator[Posting]:
    """Yield the postings by term.

    Args:
        terms: all that are held, sorted.
        held: the places of terms in all chunks, one chunk after the other.
        rows: of the chunks.
        lengths: how many of `held` are each chunk's.
    """
    chunk_of = np.repeat(np.arange(len(rows)), lengths)
    pairs, counts = np.unique(held * len(rows) + chunk_of, return_counts=True)
    term_of, chunk_of = np.divmod(pairs, len(rows))
    ends = np.cumsum(np.bincount(term_of, minlength=len(terms))).tolist()
    all_rows = rows[chunk_of].astype(ROW_TYPE).tobytes()
    all_counts = np.minimum(counts, MOST_COUNTED).astype(COUNT_TYPE).tobytes()
    width, start = ROW_TYPE.itemsize, 0
    for term, end in zip(terms, ends, strict=True):
        yield term, all_rows[width * start : width * end], all_counts[start:end]
        start = end
