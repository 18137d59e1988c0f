"""Postings in the file: batches of chunks, each with the terms they hold. Written, merged, read.

A transaction adds one batch. Batches of like size are merged once there are eight of them, so that
a posting is copied a few times however often documents come, and a term is looked for in a few
places. The chunks of a removed document are noted and left where they are until a merge meets
them; what a chunk's row stands for never changes, since rows are not used again.

Everything happens in the caller's transaction: a kill leaves the batches as they were.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.errors import CorpusFormatError

MERGED_TOGETHER_BITS = 3
"""Batches of a level, whose sizes differ at most by this factor, 2 ** 3, are merged when there are
as many of them. With 4 a posting is copied more often, with 16 a term stands in more places."""
REMOVED_SHARE = 0.25
"""Of all chunks in the batches; beyond it everything is merged, and what is removed is dropped."""
MOST_COUNTED = 255
"""A count is one byte; more repetitions of a term in one chunk change its score by nothing much."""

ROW_TYPE = np.dtype("<u4")
COUNT_TYPE = np.dtype("u1")

SELECT_SIZES = "select batch, length(rows) / 4 from posting_batch order by batch"
SELECT_BATCHES = "select batch, rows, lengths from posting_batch order by batch"
SELECT_BATCH = "select batch, rows, lengths from posting_batch where batch = :batch"
SELECT_REMOVED = "select chunk from posting_removed order by chunk"
SELECT_POSTINGS = """
select term, rows, counts
from posting
where batch = :batch
order by term
"""
SELECT_TERM = """
select posting.rows, posting.counts
from posting_batch
join posting on posting.batch = posting_batch.batch and posting.term = :term
order by posting_batch.batch
"""
NEXT_BATCH = "select coalesce(max(batch), 0) + 1 from posting_batch"
COUNT_REMOVED = "select count(*) from posting_removed"
INSERT_BATCH = "insert into posting_batch (batch, rows, lengths) values (?, ?, ?)"
INSERT_POSTING = "insert into posting (batch, term, rows, counts) values (?, ?, ?, ?)"
DELETE_POSTINGS = "delete from posting where batch = :batch"
DELETE_BATCH = "delete from posting_batch where batch = :batch"
NOTE_REMOVED = "insert or ignore into posting_removed (chunk) values (?)"
DELETE_REMOVED = "delete from posting_removed where chunk = ?"
DELETE_ALL = ("delete from posting", "delete from posting_removed", "delete from posting_batch")

Rows = NDArray[np.uint32]
Counts = NDArray[np.uint8]


class Posting(NamedTuple):
    """The chunks of a batch that hold a term: their rows, rising, and how often each holds it."""

    term: str
    rows: bytes
    counts: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The chunks of a batch: `rows` rising, and `lengths`, how many terms each has."""

    number: int
    rows: Rows
    lengths: Rows


def write_batch(
    connection: apsw.Connection, rows: Rows, lengths: Rows, postings: Iterable[Posting]
) -> None:
    """Add a batch; `rows` rise, and so do the terms of `postings`."""
    number = int(connection.execute(NEXT_BATCH).get)
    connection.execute(INSERT_BATCH, (number, _blob(rows), _blob(lengths)))
    connection.executemany(INSERT_POSTING, ((number, *posting) for posting in postings))


def note_removed(connection: apsw.Connection, rows: Iterable[int]) -> None:
    """Let chunks be found no more; their postings go with the next merge that meets them."""
    connection.executemany(NOTE_REMOVED, ((row,) for row in rows))


def settle(connection: apsw.Connection) -> None:
    """Merge what has become too many batches, or holds too much that was removed."""
    while together := _level_to_merge(connection):
        _merge(connection, together)
    sizes = dict(connection.execute(SELECT_SIZES))
    if connection.execute(COUNT_REMOVED).get > REMOVED_SHARE * sum(sizes.values()):
        _merge(connection, sorted(sizes))


def drop_removed(connection: apsw.Connection) -> None:
    """Write all batches anew as one, without what was removed."""
    if connection.execute(COUNT_REMOVED).get:
        _merge(connection, [number for number, _ in connection.execute(SELECT_SIZES)])


def delete_all(connection: apsw.Connection) -> None:
    """Empty the words index."""
    for statement in DELETE_ALL:
        connection.execute(statement)


def read_batches(connection: apsw.Connection) -> list[Batch]:
    """Return the chunks of every batch, removed ones too."""
    return [_batch(*found) for found in connection.execute(SELECT_BATCHES)]


def read_removed(connection: apsw.Connection) -> Rows:
    """Return the rows that were removed and may still stand in batches."""
    return np.array([row for (row,) in connection.execute(SELECT_REMOVED)], dtype=ROW_TYPE)


def read_term(connection: apsw.Connection, term: str) -> tuple[Rows, Counts]:
    """Return the rows that hold a term, removed ones too, and how often each holds it."""
    found = list(connection.execute(SELECT_TERM, {"term": term}))
    rows = b"".join(rows for rows, _ in found)
    counts = b"".join(counts for _, counts in found)
    if len(rows) != ROW_TYPE.itemsize * len(counts):
        raise _damaged(f"the postings of {term!r}")
    return np.frombuffer(rows, dtype=ROW_TYPE), np.frombuffer(counts, dtype=COUNT_TYPE)


def read_postings(connection: apsw.Connection, batch: Batch) -> Iterator[Posting]:
    """Yield the postings of a batch by term."""
    for term, rows, counts in connection.execute(SELECT_POSTINGS, {"batch": batch.number}):
        if len(rows) != ROW_TYPE.itemsize * len(counts) or not rows:
            raise _damaged(f"the postings of {term!r}")
        yield Posting(term, rows, counts)


def indexed_rows(connection: apsw.Connection) -> Rows:
    """Return the rows of all chunks that can be found by words, rising."""
    batches = read_batches(connection)
    if not batches:
        return np.zeros(0, dtype=ROW_TYPE)
    rows = np.sort(np.concatenate([batch.rows for batch in batches]))
    return rows[~np.isin(rows, read_removed(connection))]


# ---------------------------------------------------------------- merging


def _level_to_merge(connection: apsw.Connection) -> list[int]:
    """Return the batches of the lowest level that has too many."""
    levels = defaultdict(list)
    for number, chunks in connection.execute(SELECT_SIZES):
        levels[(chunks.bit_length() - 1) // MERGED_TOGETHER_BITS].append(number)
    for _, numbers in sorted(levels.items()):
        if len(numbers) >= 2**MERGED_TOGETHER_BITS:
            return numbers
    return []


def _merge(connection: apsw.Connection, numbers: Sequence[int]) -> None:
    """Put one batch in place of several, without what was removed."""
    found = [next(connection.execute(SELECT_BATCH, {"batch": number})) for number in numbers]
    batches = sorted((_batch(*one) for one in found), key=lambda batch: int(batch.rows[0]))
    rows = np.concatenate([batch.rows for batch in batches])
    lengths = np.concatenate([batch.lengths for batch in batches])
    is_removed = np.isin(rows, read_removed(connection))
    order = np.argsort(rows, kind="stable")
    order = order[~is_removed[order]]
    if len(order):
        kept = rows[order]
        write_batch(connection, kept, lengths[order], _merged(connection, batches, kept))
    connection.executemany(DELETE_REMOVED, ((row,) for row in rows[is_removed].tolist()))
    for number in numbers:
        connection.execute(DELETE_POSTINGS, {"batch": number})
        connection.execute(DELETE_BATCH, {"batch": number})


def _merged(connection: apsw.Connection, batches: Sequence[Batch], kept: Rows) -> Iterator[Posting]:
    """Yield the postings of several batches by term, with the rows in `kept` alone."""
    is_joined_whole = len(kept) == sum(len(batch.rows) for batch in batches) and all(
        before.rows[-1] < after.rows[0] for before, after in pairwise(batches)
    )
    streams = (
        # The place keeps equal terms in the order of their rows, and blobs from being compared.
        ((term, at, rows, counts) for term, rows, counts in read_postings(connection, batch))
        for at, batch in enumerate(batches)
    )
    for term, group in groupby(heapq.merge(*streams), key=itemgetter(0)):
        parts = list(group)
        rows = b"".join(part[2] for part in parts)
        counts = b"".join(part[3] for part in parts)
        if not is_joined_whole:
            rows, counts = _kept(rows, counts, kept)
        if rows:
            yield Posting(term, rows, counts)


def _kept(rows: bytes, counts: bytes, kept: Rows) -> tuple[bytes, bytes]:
    """Return those of the rows that are among `kept`, rising, with their counts."""
    found = np.frombuffer(rows, dtype=ROW_TYPE)
    order = np.argsort(found, kind="stable")
    found = found[order]
    at = np.minimum(np.searchsorted(kept, found), len(kept) - 1)
    is_kept = kept[at] == found
    counted = np.frombuffer(counts, dtype=COUNT_TYPE)[order]
    return found[is_kept].tobytes(), counted[is_kept].tobytes()


def _batch(number: int, rows: bytes, lengths: bytes) -> Batch:
    if len(rows) != len(lengths) or len(rows) % ROW_TYPE.itemsize or not rows:
        raise _damaged(f"batch {number}")
    return Batch(
        number, np.frombuffer(rows, dtype=ROW_TYPE), np.frombuffer(lengths, dtype=ROW_TYPE)
    )


def _damaged(what: str) -> CorpusFormatError:
    return CorpusFormatError(
        f"the words index is damaged ({what})", hint="run `cytat reindex`, which fills it anew"
    )


def _blob(numbers: Rows) -> bytes:
    return numbers.astype(ROW_TYPE).tobytes()
