"""Postings in the file: batches of chunks, each with the terms they hold. Written, merged, read.

A transaction adds one batch. Batches of like size are merged once there are eight of them, so that
a posting is copied a few times however often documents come, and a term is looked for in a few
places. The chunks of a removed document are noted and left where they are until a merge meets
them; what a chunk's row stands for never changes, since rows are not used again.

Everything happens in the caller's transaction: a kill leaves the batches as they were. Each batch
has a seal, and a merge compares those of what it merges: damage is not sealed anew.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.seals import Seal, set_seal
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
SELECT_BATCHES = """
select batch, cast(rows as blob), cast(lengths as blob)   -- bytes, also where a bit says text
from posting_batch
where batch in (select value from json_each(:batches))
order by batch
"""
SELECT_KEPT_SEALS = """
select batch, seal
from posting_batch
where batch in (select value from json_each(:batches))
"""
SELECT_REMOVED = "select chunk from posting_removed order by chunk"
SELECT_POSTINGS = """
select term, cast(rows as blob), cast(counts as blob)
from posting
where batch = :batch
order by term
"""
SELECT_TOGETHER = """
select together.value, posting.term, cast(posting.rows as blob), cast(posting.counts as blob)
from json_each(:batches) as together
cross join posting on posting.batch = together.value
order by posting.term, together.key
"""
SELECT_TERM = """
select cast(posting.rows as blob), cast(posting.counts as blob)
from posting_batch
cross join posting on posting.batch = posting_batch.batch and posting.term = :term
order by posting_batch.batch
"""
NEXT_BATCH = """
select max((select coalesce(max(batch), 0) from posting_batch),
           (select coalesce(max(batch), 0) from posting)) + 1   -- of damage, some may be left over
"""
COUNT_STRAYS = """
select (select count(*) from posting
        where batch not in (select batch from posting_batch)
           or typeof(term) <> 'text' or typeof(rows) <> 'blob' or typeof(counts) <> 'blob')
     + (select count(*) from posting_batch
        where typeof(rows) <> 'blob' or typeof(lengths) <> 'blob')
"""
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


Posting: TypeAlias = tuple[str, bytes, bytes]
"""A term, the rows of a batch that hold it, rising, and how often each holds it: columns as they
are, for millions pass through here."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The chunks of a batch: `rows` rising, and `lengths`, how many terms each has."""

    number: int
    rows: Rows
    lengths: Rows


def write_batch(
    connection: apsw.Connection, rows: Rows, lengths: Rows, postings: Iterable[Posting]
) -> int:
    """Add a batch, sealed, and return its number; `rows` rise, and so do the terms."""
    number = int(connection.execute(NEXT_BATCH).get)
    seal = Seal(_blob(rows), _blob(lengths))
    connection.execute(INSERT_BATCH, (number, _blob(rows), _blob(lengths)))
    taken = seal.taking(postings)
    connection.executemany(INSERT_POSTING, ((number, *posting) for posting in taken))
    set_seal(connection, number, seal)
    return number


def note_removed(connection: apsw.Connection, rows: Iterable[int]) -> None:
    """Let chunks be found no more; their postings go with the next merge that meets them."""
    connection.executemany(NOTE_REMOVED, ((row,) for row in rows))


def settle(connection: apsw.Connection) -> str | None:
    """Merge what has become too many batches, or holds too much that was removed.

    Returns:
        What is damaged and was left as it is; None where nothing was met.
    """
    try:
        while together := _level_to_merge(connection):
            _merge(connection, together)
        sizes = dict(connection.execute(SELECT_SIZES))
        if connection.execute(COUNT_REMOVED).get > REMOVED_SHARE * sum(sizes.values()):
            _merge(connection, sorted(sizes))
    except CorpusFormatError as damage:
        return damage.message
    return None


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
    return _batches(connection, [number for number, _ in connection.execute(SELECT_SIZES)])


def read_removed(connection: apsw.Connection) -> Rows:
    """Return the rows that were removed and may still stand in batches."""
    return np.array([row for (row,) in connection.execute(SELECT_REMOVED)], dtype=ROW_TYPE)


def read_term(connection: apsw.Connection, term: str) -> tuple[Rows, Counts]:
    """Return the rows that hold a term, removed ones too, and how often each holds it."""
    found = list(connection.execute(SELECT_TERM, {"term": term}))
    rows = b"".join([rows for rows, _ in found])
    counts = b"".join([counts for _, counts in found])
    if len(rows) != ROW_TYPE.itemsize * len(counts):
        raise damaged(f"the postings of {term!r}")
    return np.frombuffer(rows, dtype=ROW_TYPE), np.frombuffer(counts, dtype=COUNT_TYPE)


def read_postings(connection: apsw.Connection, batch: Batch) -> Iterator[Posting]:
    """Yield the postings of a batch by term."""
    for term, rows, counts in connection.execute(SELECT_POSTINGS, {"batch": batch.number}):
        if len(rows) != ROW_TYPE.itemsize * len(counts) or not rows:
            raise damaged(f"the postings of {term!r}")
        yield term, rows, counts


def count_strays(connection: apsw.Connection) -> int:
    """Return how many rows belong to no batch, or hold what is no posting."""
    return int(connection.execute(COUNT_STRAYS).get)


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
    """Put one batch in place of several, without what was removed; all of it or nothing."""
    batches = sorted(_batches(connection, numbers), key=lambda batch: int(batch.rows[0]))
    rows = np.concatenate([batch.rows for batch in batches])
    lengths = np.concatenate([batch.lengths for batch in batches])
    is_removed = np.isin(rows, read_removed(connection))
    order = np.argsort(rows, kind="stable")
    order = order[~is_removed[order]]
    with connection:
        if len(order):
            _write_merged(connection, batches, rows[order], lengths[order])
        connection.executemany(DELETE_REMOVED, ((row,) for row in rows[is_removed].tolist()))
        for number in numbers:
            connection.execute(DELETE_POSTINGS, {"batch": number})
            connection.execute(DELETE_BATCH, {"batch": number})


def _write_merged(
    connection: apsw.Connection, batches: Sequence[Batch], kept: Rows, lengths: Rows
) -> None:
    """Write what batches hold of the rows `kept`; CorpusFormatError where one is damaged."""
    bindings = {"batches": json.dumps([batch.number for batch in batches])}
    seals = dict(connection.execute(SELECT_KEPT_SEALS, bindings))
    made = {batch.number: Seal(_blob(batch.rows), _blob(batch.lengths)) for batch in batches}
    found = _taken(connection.execute(SELECT_TOGETHER, bindings), made)
    number = write_batch(connection, kept, lengths, _merged(found, batches, kept))
    for one, seal in seals.items():
        if seal is not None and seal != made[one].digest:
            raise damaged(f"batch {one}")
    if None in seals.values():
        set_seal(connection, number, None)


def _taken(
    found: Iterable[tuple[int, str, bytes, bytes]], made: Mapping[int, Seal]
) -> Iterator[Posting]:
    for batch, term, rows, counts in found:
        made[batch].take(term.encode(), rows, counts)
        yield term, rows, counts


def _merged(found: Iterable[Posting], batches: Sequence[Batch], kept: Rows) -> Iterator[Posting]:
    """Yield the postings of several batches by term, with the rows in `kept` alone."""
    is_joined_whole = len(kept) == sum(len(batch.rows) for batch in batches) and all(
        before.rows[-1] < after.rows[0] for before, after in pairwise(batches)
    )
    for term, group in groupby(found, key=itemgetter(0)):
        parts = list(group)
        rows, counts = parts[0][1:] if len(parts) == 1 else _joined(parts)
        if not is_joined_whole:
            rows, counts = _kept(rows, counts, kept)
        if rows:
            yield term, rows, counts


def _joined(parts: Sequence[Posting]) -> tuple[bytes, bytes]:
    return b"".join([rows for _, rows, _ in parts]), b"".join([counts for _, _, counts in parts])


def _kept(rows: bytes, counts: bytes, kept: Rows) -> tuple[bytes, bytes]:
    """Return those of the rows that are among `kept`, rising, with their counts."""
    if len(rows) != ROW_TYPE.itemsize * len(counts):
        return rows, counts  # damage is carried along, for `verify` to find
    found = np.frombuffer(rows, dtype=ROW_TYPE)
    order = np.argsort(found, kind="stable")
    found = found[order]
    at = np.minimum(np.searchsorted(kept, found), len(kept) - 1)
    is_kept = kept[at] == found
    counted = np.frombuffer(counts, dtype=COUNT_TYPE)[order]
    return found[is_kept].tobytes(), counted[is_kept].tobytes()


def _batches(connection: apsw.Connection, numbers: Sequence[int]) -> list[Batch]:
    bindings = {"batches": json.dumps(list(numbers))}
    return [_batch(*found) for found in connection.execute(SELECT_BATCHES, bindings)]


def _batch(number: int, rows: bytes, lengths: bytes) -> Batch:
    if len(rows) != len(lengths) or len(rows) % ROW_TYPE.itemsize or not rows:
        raise damaged(f"batch {number}")
    return Batch(
        number, np.frombuffer(rows, dtype=ROW_TYPE), np.frombuffer(lengths, dtype=ROW_TYPE)
    )


def damaged(what: str) -> CorpusFormatError:
    """Return the error for a words index of which a part is not as it was written."""
    return CorpusFormatError(
        f"the words index is damaged ({what})", hint="run `cytat reindex`, which rebuilds it"
    )


def _blob(numbers: Rows) -> bytes:
    return numbers.astype(ROW_TYPE).tobytes()
