"""Table `vector` -> all vectors of one generation in blocks: mapped from the file beside, or read.

What is new and what is gone shows in the rows of the chunks, without reading a vector: a row is
never used again, and a vector that is replaced in its row raises the edition. Blocks are never
changed; vectors of chunks that are gone stay in theirs and are passed over.
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import apsw
import numpy as np

from cytat.analysis.places import PlaceSet
from cytat.backends.sqlite.connection import open_existing
from cytat.backends.sqlite.indexes.vector_file import (
    SPARE_BYTES,
    MappedVectors,
    Passages,
    VectorStamp,
    map_vectors,
    remove_vectors_beside,
    vector_file_of,
    write_vectors_beside,
)
from cytat.backends.sqlite.spaces import read_edition, read_mark, read_space
from cytat.errors import CorpusFormatError
from cytat.vectors import BLOCK_VECTORS, Keys, VectorBlock, VectorBlocks, keys_of

COUNT_CHUNKS = "select count(*) from main.chunk"
SELECT_ROWS = "select row from main.chunk"  # SQLite reads the smallest index that holds it
SELECT_PASSAGES = "select row, substr(cast(passage_hash as blob), 1, 8) from main.chunk"
SELECT_VECTORS = "select chunk, vector from main.vector order by chunk"
SELECT_SOME_VECTORS = """
select chunk, vector
from main.vector
where chunk in (select value from json_each(:rows))
order by chunk
"""

FRESH_SHARE = 0.5
"""When more of the chunks are new, all vectors are read in one go."""
SCATTERED = 2
"""Times as many blocks as are needed: then they are read again, and full."""
GONE_SHARE = 0.25
"""When more of the vectors in memory are of chunks that are gone, their memory is given back."""
STALE_SHARE = 0.1
"""When more of the vectors are not in the file beside, or gone, it is written again."""
MAPPED_FROM = 10_000
"""Vectors from which on there is a file beside: fewer are read in a tenth of a second."""


PASSAGE_BYTES = 8


@dataclass(frozen=True, eq=False)
class LoadedVectors:
    """All vectors of one generation: `mapped` from the file beside, and `added` in memory.

    `chunks`: the rows of all chunks, rising; None where nothing has changed since the file was
    written. `lacking`: the rows of those without a vector. `unmapped`: why there is no file beside,
    where one is wanted.
    """

    stamp: VectorStamp
    mapped: tuple[VectorBlock, ...]
    added: tuple[VectorBlock, ...]
    chunks: Keys | None
    lacking: Keys
    unmapped: str | None

    @cached_property
    def vectors(self) -> VectorBlocks:
        """All blocks, with vectors of chunks that are gone."""
        return VectorBlocks((*self.mapped, *self.added))

    @cached_property
    def alive(self) -> PlaceSet | None:
        """The places of vectors whose chunks are there; None where all are."""
        if self.chunks is None:
            return None
        mask = np.isin(self.vectors.keys, self.chunks, assume_unique=True)
        return None if mask.all() else PlaceSet(mask)

    def __len__(self) -> int:
        return len(self.vectors) if self.alive is None else len(self.alive)

    @property
    def gone(self) -> int:
        """How many vectors are of chunks that are gone."""
        return len(self.vectors) - len(self)

    def alive_blocks(self) -> Iterator[VectorBlock]:
        """Yield the blocks without the vectors of chunks that are gone."""
        first = 0
        for block in self.vectors.blocks:
            last = first + len(block.keys)
            kept = block if self.alive is None else block.where(self.alive.mask[first:last])
            if len(kept.keys):
                yield kept
            first = last


def load_vectors(
    connection: apsw.Connection, corpus: Path | None, before: LoadedVectors | None
) -> LoadedVectors:
    """Return the vectors of the moment that a connection is in.

    Args:
        connection: of the corpus.
        corpus: its file; None for one in memory.
        before: those of another generation, which need not be read again.

    Raises:
        CorpusFormatError: the corpus holds vectors of different lengths.
    """
    stamp = _stamp(connection)
    loaded = None
    if before is not None and before.stamp.is_comparable(stamp):
        loaded = _refreshed(connection, before, stamp)
    elif corpus is not None:
        loaded = _from_file(connection, corpus, stamp)
    if loaded is None:
        return _read(connection, corpus, stamp)
    if corpus is not None and _is_file_wanted(loaded):
        return _written(connection, corpus, loaded, loaded.alive_blocks())
    if loaded.gone > GONE_SHARE * len(loaded.vectors):
        return replace(loaded, mapped=(), added=tuple(loaded.alive_blocks()))
    return loaded


def described(connection: apsw.Connection, corpus: Path) -> str | None:
    """Return a line about the file beside a corpus; None for one too small to have any."""
    if int(connection.execute(COUNT_CHUNKS).get) < MAPPED_FROM:
        return None
    mapped, name = map_vectors(corpus), vector_file_of(corpus).name
    if mapped is not None and mapped.stamp.is_comparable(_stamp(connection)):
        return f"{len(mapped.keys)} mapped from {name}"
    if not os.access(corpus.parent, os.W_OK):
        return f"in memory: {name} cannot be written, the folder is read-only"
    room = shutil.disk_usage(corpus.parent).free - SPARE_BYTES
    if room < connection.execute(COUNT_CHUNKS).get * 4 * _stamp(connection).dimensions:
        return f"in memory: {name} cannot be written, the disk is nearly full"
    return f"in memory: the next question writes {name}"


def _stamp(connection: apsw.Connection) -> VectorStamp:
    space = read_space(connection)
    return VectorStamp(
        mark=read_mark(connection),
        edition=read_edition(connection),
        weights="" if space is None else space.weights,
        dimensions=0 if space is None else space.dimensions,
    )


def _is_file_wanted(loaded: LoadedVectors) -> bool:
    """Say whether the file beside is too far behind, or is missing and would help."""
    if len(loaded) < MAPPED_FROM or not loaded.stamp.mark:
        return False
    return len(keys_of(loaded.added)) + loaded.gone > STALE_SHARE * len(loaded)


# ---------------------------------------------------------------- what need not be read again


def _refreshed(
    connection: apsw.Connection, before: LoadedVectors, stamp: VectorStamp
) -> LoadedVectors | None:
    """Return the vectors now, from those of another generation; None where all must be read."""
    return _extended(connection, before, stamp, _read_rows(connection))


def _from_file(
    connection: apsw.Connection, corpus: Path, stamp: VectorStamp
) -> LoadedVectors | None:
    """Return the vectors now, from the file beside; None where it is of no use."""
    mapped = map_vectors(corpus)
    if mapped is None or not stamp.mark or not mapped.stamp.is_comparable(stamp):
        return None
    if mapped.stamp.mark == stamp.mark:
        return LoadedVectors(stamp, mapped.blocks, (), None, mapped.lacking, None)
    # Another history of the corpus may have given the same rows to other chunks.
    rows, passages = _read_passages(connection)
    if not _are_same_passages(mapped, rows, passages):
        return None
    old = LoadedVectors(mapped.stamp, mapped.blocks, (), rows, mapped.lacking, None)
    return _extended(connection, old, stamp, rows)


def _are_same_passages(mapped: MappedVectors, rows: Keys, passages: Passages) -> bool:
    """Say whether each chunk that has a vector in the file is what it was there."""
    is_here = np.isin(mapped.keys, rows, assume_unique=True)
    at = np.searchsorted(rows, mapped.keys[is_here])
    return bool((passages[at] == mapped.passages[is_here]).all())


def _extended(
    connection: apsw.Connection, old: LoadedVectors, stamp: VectorStamp, chunks: Keys
) -> LoadedVectors | None:
    """Return vectors with those of chunks that have come; None where all must be read."""
    lacking = np.setdiff1d(chunks, old.vectors.keys, assume_unique=True)
    if len(lacking) > FRESH_SHARE * len(chunks):
        return None
    added, fresh = old.added, _read_some(connection, lacking)
    if fresh is not None:
        if len(old.vectors) and fresh.keys[0] < old.vectors.keys[-1]:
            return None
        added = _appended(added, fresh)
        lacking = np.setdiff1d(lacking, fresh.keys, assume_unique=True)
        _check_widths((*old.mapped, *added))
    if len(added) > SCATTERED * (len(chunks) // BLOCK_VECTORS + 1):
        return None
    return LoadedVectors(stamp, old.mapped, added, chunks, lacking, old.unmapped)


def _appended(blocks: tuple[VectorBlock, ...], fresh: VectorBlock) -> tuple[VectorBlock, ...]:
    if not blocks or len(blocks[-1].keys) + len(fresh.keys) > BLOCK_VECTORS:
        return (*blocks, fresh)
    _check_widths((blocks[-1], fresh))
    last = VectorBlock(
        np.concatenate([blocks[-1].keys, fresh.keys]),
        np.concatenate([blocks[-1].vectors, fresh.vectors]),
    )
    return (*blocks[:-1], last)


# ---------------------------------------------------------------- reading all, and writing a file


def _read(connection: apsw.Connection, corpus: Path | None, stamp: VectorStamp) -> LoadedVectors:
    """Read all vectors, into the file beside where there are many."""
    chunks = _read_rows(connection)
    unread = LoadedVectors(stamp, (), (), chunks, chunks, None)
    if corpus is not None and len(chunks) >= MAPPED_FROM and stamp.mark:
        unread = _written(connection, corpus, unread, _read_all(connection))
        if unread.mapped:
            return unread
    added = tuple(_read_all(connection))
    lacking = np.setdiff1d(chunks, keys_of(added), assume_unique=True)
    return replace(unread, added=added, lacking=lacking)


def _written(
    connection: apsw.Connection, corpus: Path, loaded: LoadedVectors, blocks: Iterable[VectorBlock]
) -> LoadedVectors:
    """Return the vectors mapped from a new file of these blocks; as they are where that fails."""

    def described(keys: Keys) -> tuple[Passages, Keys]:
        rows, passages = _read_passages(connection)
        lacking = np.setdiff1d(rows, keys, assume_unique=True)
        at = np.minimum(np.searchsorted(rows, keys), len(rows) - 1)
        return passages[at], lacking

    try:
        write_vectors_beside(corpus, loaded.stamp, blocks, described=described)
        _withdraw_what_went(corpus, loaded.stamp)
    except OSError as error:
        return replace(loaded, unmapped=error.strerror or str(error))
    mapped = map_vectors(corpus)
    if mapped is None or mapped.stamp != loaded.stamp:
        return replace(loaded, unmapped="it changed meanwhile")
    return LoadedVectors(loaded.stamp, mapped.blocks, (), None, mapped.lacking, None)


def _withdraw_what_went(corpus: Path, stamp: VectorStamp) -> None:
    """Remove the file when chunks went while it was written: they may have been purged."""
    with closing(open_existing(corpus)) as now:
        if read_mark(now) == stamp.mark:
            return
        mapped = map_vectors(corpus)
        if mapped is not None and not np.isin(mapped.keys, _read_rows(now)).all():
            mapped = None
            remove_vectors_beside(corpus)


def _read_rows(connection: apsw.Connection) -> Keys:
    """Return the row of every chunk, rising."""
    return np.sort(np.array([row for (row,) in connection.execute(SELECT_ROWS)], dtype=np.int64))


def _read_passages(connection: apsw.Connection) -> tuple[Keys, Passages]:
    """Return the row of every chunk, rising, and of which passage it is."""
    found = list(connection.execute(SELECT_PASSAGES))
    rows = np.fromiter((row for row, _ in found), dtype=np.int64, count=len(found))
    hashes = b"".join([passage.ljust(PASSAGE_BYTES, b"\0") for _, passage in found])
    order = np.argsort(rows)
    return rows[order], np.frombuffer(hashes, dtype="<u8")[order]


def _read_some(connection: apsw.Connection, rows: Keys) -> VectorBlock | None:
    """Return the vectors of some chunks; None where none of them has one."""
    if not len(rows):
        return None
    found = list(connection.execute(SELECT_SOME_VECTORS, {"rows": json.dumps(rows.tolist())}))
    return _block(found) if found else None


def _read_all(connection: apsw.Connection) -> Iterator[VectorBlock]:
    cursor = connection.execute(SELECT_VECTORS)
    first: VectorBlock | None = None
    while found := list(islice(cursor, BLOCK_VECTORS)):
        block = _block(found)
        first = first or block
        _check_widths((first, block))
        yield block


def _block(found: list[tuple[int, bytes]]) -> VectorBlock:
    if len({len(blob) for _, blob in found}) > 1:
        raise _of_different_lengths()
    keys = np.fromiter((row for row, _ in found), dtype=np.int64, count=len(found))
    vectors = np.frombuffer(b"".join([blob for _, blob in found]), dtype="<f4")
    return VectorBlock(keys, vectors.reshape(len(keys), -1))


def _check_widths(blocks: Iterable[VectorBlock]) -> None:
    if len({block.vectors.shape[1] for block in blocks}) > 1:
        raise _of_different_lengths()


def _of_different_lengths() -> CorpusFormatError:
    return CorpusFormatError(
        "the corpus holds vectors of different lengths", hint="run `cytat reindex`"
    )
