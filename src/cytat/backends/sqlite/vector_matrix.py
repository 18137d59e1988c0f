"""Table `vector` <-> vectors: rows written, and all of them in memory, in blocks, kept up to date.

A block is never changed, so that a snapshot can be searched while the next one is made, and an
unchanged block is shared by both. What is new and what is gone is told by the rows of the chunks,
without reading a vector: a row is never used again, and a vector that is replaced in its row
raises the edition.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.spaces import read_edition, read_generation
from cytat.errors import BackendError, CorpusFormatError
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


SELECT_ROWS = "select row from chunk"  # SQLite reads the smallest index that holds it
SELECT_VECTORS = "select chunk, vector from vector order by chunk"
SELECT_SOME_VECTORS = """
select chunk, vector
from vector
where chunk in (select value from json_each(:rows))
order by chunk
"""
COUNT_DOCUMENTS = """
select count(distinct document)
from chunk
where row in (select value from json_each(:rows))
"""

BLOCK_ROWS = 16_384
"""25 MB at 384 dimensions: what a change copies, and what is read twice while loading."""
PIECE_ROWS = 4_096
"""What a thread takes at once: on a busy machine the threads do not come forward alike."""
FRESH_SHARE = 0.5
"""When more of the chunks are new, all vectors are read in one go."""
SCATTERED = 2
"""Times as many blocks as are needed: then they are read again, and full."""

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """`rows`, ascending, and `vectors`, one for each: float32, of length 1."""

    rows: Rows
    vectors: Vectors

    def where(self, kept: NDArray[np.bool_]) -> "VectorBlock":
        """Return the block without what is not kept."""
        if kept.all():
            return self
        return VectorBlock(self.rows[kept], self.vectors[kept])


@dataclass(frozen=True, slots=True, eq=False)
class LoadedVectors:
    """All vectors of one generation. `rows`: those of the blocks, one after the other, ascending.

    `lacking_documents`: how many documents have chunks without a vector.
    """

    generation: int
    edition: int
    rows: Rows
    blocks: tuple[VectorBlock, ...]
    lacking_documents: int

    @property
    def dimensions(self) -> int:
        """Of the vectors; 0 when there are none."""
        return self.blocks[0].vectors.shape[1] if self.blocks else 0

    def cosines(self, query_vector: Vectors, *, threads: int) -> Scores:
        """Return shape (len(rows),): the cosine of each vector and the query's."""
        cosines = np.empty(len(self.rows), dtype=np.float32)
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

    def cosines_at(self, places: NDArray[np.intp], query_vector: Vectors) -> Scores:
        """Return shape (len(places),): the cosines of the vectors at some places, ascending."""
        found = [np.empty(0, dtype=np.float32)]
        for first, block in self._placed():
            start, end = np.searchsorted(places, (first, first + len(block.rows)))
            found.append(_products(block.vectors[places[start:end] - first], query_vector))
        return np.concatenate(found)

    def _pieces(self) -> Iterator[tuple[int, Vectors]]:
        for first, block in self._placed():
            for at in range(0, len(block.rows), PIECE_ROWS):
                yield first + at, block.vectors[at : at + PIECE_ROWS]

    def _placed(self) -> Iterator[tuple[int, VectorBlock]]:
        first = 0
        for block in self.blocks:
            yield first, block
            first += len(block.rows)


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


def _products(vectors: Vectors, query_vector: Vectors) -> Scores:
    """Return the product of each row, which is the same wherever the row lies.

    BLAS is no faster where memory is what is waited for, and rounds a row by its place.
    """
    return np.asarray(np.einsum("ij,j->i", vectors, query_vector))


def current_vectors(connection: apsw.Connection, known: LoadedVectors | None) -> LoadedVectors:
    """Return the vectors as they are now; `known`, if nothing has changed since."""
    generation = read_generation(connection)
    if known is not None and known.generation == generation:
        return known
    edition, chunks = read_edition(connection), _read_rows(connection)
    is_replaced = known is None or known.edition != edition
    blocks = () if is_replaced or known is None else _kept(known.blocks, chunks)
    lacking = np.setdiff1d(chunks, _rows_of(blocks), assume_unique=True)
    if len(lacking):
        blocks = _filled(connection, blocks, lacking, chunks=len(chunks))
    rows = _rows_of(blocks)
    return LoadedVectors(generation, edition, rows, blocks, _lacking(connection, chunks, rows))


def _read_rows(connection: apsw.Connection) -> Rows:
    """Return the row of every chunk, ascending."""
    return np.sort(np.array([row for (row,) in connection.execute(SELECT_ROWS)], dtype=np.int64))


def _kept(blocks: tuple[VectorBlock, ...], chunks: Rows) -> tuple[VectorBlock, ...]:
    """Return the blocks without the vectors whose chunks are gone."""
    kept = [block.where(np.isin(block.rows, chunks, assume_unique=True)) for block in blocks]
    return tuple(block for block in kept if len(block.rows))


def _filled(
    connection: apsw.Connection, blocks: tuple[VectorBlock, ...], lacking: Rows, *, chunks: int
) -> tuple[VectorBlock, ...]:
    """Return the blocks with the vectors of chunks that lack theirs, where they have one."""
    if len(lacking) > FRESH_SHARE * chunks:
        return tuple(_read_all(connection))
    bindings = {"rows": json.dumps(lacking.tolist())}
    found = list(connection.execute(SELECT_SOME_VECTORS, bindings))
    if not found:
        return blocks
    fresh = _block(found)
    is_behind = bool(blocks) and fresh.rows[0] < blocks[-1].rows[-1]
    is_scattered = len(blocks) > SCATTERED * (chunks // BLOCK_ROWS + 1)
    if is_behind or is_scattered or len(fresh.rows) > BLOCK_ROWS:
        return tuple(_read_all(connection))
    if blocks and len(blocks[-1].rows) + len(fresh.rows) <= BLOCK_ROWS:
        return (*blocks[:-1], _joined(blocks[-1], fresh))
    return (*blocks, fresh)


def _read_all(connection: apsw.Connection) -> Iterator[VectorBlock]:
    cursor = connection.execute(SELECT_VECTORS)
    width: int | None = None
    while found := list(islice(cursor, BLOCK_ROWS)):
        block = _block(found)
        if width not in {None, block.vectors.shape[1]}:
            raise _of_different_lengths()
        width = block.vectors.shape[1]
        yield block


def _block(found: list[tuple[int, bytes]]) -> VectorBlock:
    if len({len(blob) for _, blob in found}) > 1:
        raise _of_different_lengths()
    rows = np.fromiter((row for row, _ in found), dtype=np.int64, count=len(found))
    vectors = np.frombuffer(b"".join([blob for _, blob in found]), dtype="<f4")
    return VectorBlock(rows, vectors.reshape(len(rows), -1))


def _joined(block: VectorBlock, fresh: VectorBlock) -> VectorBlock:
    if block.vectors.shape[1] != fresh.vectors.shape[1]:
        raise _of_different_lengths()
    return VectorBlock(
        np.concatenate([block.rows, fresh.rows]), np.concatenate([block.vectors, fresh.vectors])
    )


def _of_different_lengths() -> CorpusFormatError:
    return CorpusFormatError(
        "the corpus holds vectors of different lengths", hint="run `cytat reindex`"
    )


def _rows_of(blocks: tuple[VectorBlock, ...]) -> Rows:
    return np.concatenate([np.empty(0, dtype=np.int64), *(block.rows for block in blocks)])


def _lacking(connection: apsw.Connection, chunks: Rows, rows: Rows) -> int:
    lacking = np.setdiff1d(chunks, rows, assume_unique=True)
    if not len(lacking):
        return 0
    return int(connection.execute(COUNT_DOCUMENTS, {"rows": json.dumps(lacking.tolist())}).get)
