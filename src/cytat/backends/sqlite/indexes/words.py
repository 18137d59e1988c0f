"""The words index of one generation in memory: all chunks, and the postings asked for last.

Shared by all who ask; what a user may read is a mask over it. A term's postings are decoded once,
for places among all chunks; those that a user may see are cut out of them.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis.places import Places
from cytat.backends.sqlite.postings import (
    COUNT_TYPE,
    ROW_TYPE,
    Rows,
    damaged,
    read_batches,
)
from cytat.fulltext import NOWHERE, Postings

ENTRY_BYTES = 200
"""What a term takes that no chunk holds: its name and its place among the others."""
TABLE_PER_CHUNK = 8
"""So many rows may have been used for each chunk there is, for places to be looked up in a table of
all rows; in a corpus that has changed more they are searched for, which takes longer."""

SELECT_REMOVED = "select chunk from main.posting_removed order by chunk"
SELECT_TERMS = """
select wanted.key, cast(posting.rows as blob), cast(posting.counts as blob)
from json_each(:terms) as wanted
cross join json_each(:batches) as batch
cross join posting on posting.batch = batch.value and posting.term = wanted.value
"""
COUNT_CHUNKS_HOLDING = """
select posting.term, sum(length(posting.rows)) / 4
from json_each(:terms) as wanted
cross join posting_batch
cross join posting on posting.batch = posting_batch.batch and posting.term = wanted.value
group by posting.term
"""

TermKey = tuple[Hashable, tuple[str, ...]]
"""Whose postings, None for everybody's, and the terms of which they hold any."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexedChunks:
    """All chunks of a generation: `rows` rising, and `lengths` in terms; the place is the index."""

    rows: Rows
    lengths: Rows
    batches: str
    """The numbers of the batches they are in, by the first row of each, as a JSON array."""
    is_any_removed: bool
    """Whether postings hold rows that are not among `rows`."""
    table: Places | None
    """Row -> place, less than 0 for a row that is none; None where the rows lie too far apart."""

    def __len__(self) -> int:
        return len(self.rows)

    def decoded(self, rows: Rows, counts: NDArray[np.uint8]) -> Postings:
        """Return the postings of chunks that were not removed, by place."""
        places = self.places_of(rows)
        if len(places) and places.min() < 0:
            is_here = places >= 0
            places, counts = places[is_here], counts[is_here]
        if not bool((places[1:] > places[:-1]).all()):  # batches interlock
            order = np.argsort(places, kind="stable")
            places, counts = places[order], counts[order]
        return Postings(places, counts)

    def places_of(self, rows: NDArray[np.integer]) -> Places:
        """Return the place of each row, less than 0 for a row that is none."""
        if not len(self.rows):
            return np.full(len(rows), -1, dtype=np.int32)
        if self.table is not None:
            return self.table.take(rows, mode="clip")  # the last stands for what lies behind
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[places] == rows, places, -1).astype(np.int32)


class PostingsCache:
    """Postings in memory, up to a bound; what was not asked for longest makes room."""

    def __init__(self, most_bytes: int) -> None:
        """Begin with nothing."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[TermKey, Postings] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: TermKey) -> Postings | None:
        """Return what is kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: TermKey, found: Postings) -> None:
        """Keep postings, unless they alone are too much."""
        size = found.bytes + ENTRY_BYTES
        with self._lock:
            if key in self._kept or size > self._most_bytes:
                return
            self._kept[key] = found
            self._bytes += size
            while self._bytes > self._most_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= oldest.bytes + ENTRY_BYTES


def read_indexed_chunks(connection: apsw.Connection) -> IndexedChunks:
    """Return all chunks of the words index, whoever asks."""
    batches = read_batches(connection)
    removed = np.array([row for (row,) in connection.execute(SELECT_REMOVED)], dtype=ROW_TYPE)
    if not batches:
        nothing = np.zeros(0, dtype=ROW_TYPE)
        return IndexedChunks(nothing, nothing, "[]", is_any_removed=False, table=None)
    rows = np.concatenate([batch.rows for batch in batches])
    lengths = np.concatenate([batch.lengths for batch in batches])
    if len(removed):
        is_here = ~np.isin(rows, removed)
        rows, lengths = rows[is_here], lengths[is_here]
    order = np.argsort(rows, kind="stable")
    rows, lengths = rows[order], lengths[order]
    by_first_row = sorted(batches, key=lambda batch: int(batch.rows[0]))
    numbers = json.dumps([batch.number for batch in by_first_row])
    return IndexedChunks(rows, lengths, numbers, len(removed) > 0, _table(rows))


def _table(rows: Rows) -> Places | None:
    """Return the place of each row up to one behind the last, if that is not too many."""
    if not len(rows) or int(rows[-1]) > TABLE_PER_CHUNK * len(rows):
        return None
    table = np.full(int(rows[-1]) + 2, -1, dtype=np.int32)
    table[rows] = np.arange(len(rows), dtype=np.int32)
    return table


def read_terms(
    connection: apsw.Connection, chunks: IndexedChunks, terms: Collection[str]
) -> dict[str, Postings]:
    """Return the postings of terms, of all chunks that were not removed.

    Raises:
        CorpusFormatError: they are damaged.
    """
    found = connection.execute(
        SELECT_TERMS, {"terms": json.dumps(list(terms)), "batches": chunks.batches}
    )
    parts: list[list[tuple[bytes, bytes]]] = [[] for _ in terms]
    for at, rows, counts in found:
        parts[at].append((rows, counts))
    return {term: _joined(chunks, term, held) for term, held in zip(terms, parts, strict=True)}


def _joined(chunks: IndexedChunks, term: str, parts: list[tuple[bytes, bytes]]) -> Postings:
    """Return the postings that several batches hold of a term."""
    if not parts:
        return NOWHERE
    rows = b"".join([rows for rows, _ in parts])
    counts = b"".join([counts for _, counts in parts])
    if len(rows) != ROW_TYPE.itemsize * len(counts):
        raise damaged(f"the postings of {term!r}")
    return chunks.decoded(
        np.frombuffer(rows, dtype=ROW_TYPE), np.frombuffer(counts, dtype=COUNT_TYPE)
    )


def count_holding(connection: apsw.Connection, terms: Collection[str]) -> dict[str, int]:
    """Return for each term how many chunks its postings name, removed ones too."""
    counts = connection.execute(COUNT_CHUNKS_HOLDING, {"terms": json.dumps(list(terms))})
    return dict.fromkeys(terms, 0) | {str(term): int(count) for term, count in counts}
