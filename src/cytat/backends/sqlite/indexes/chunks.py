"""The chunks of one generation: their documents, who may read these, and which a filter keeps.

Read from the tables themselves, whoever asks: what a user may see of them is `readable`'s business.

What filters ask of all documents is in memory for one generation, shared by all who ask.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis.filters import Facts, asked_of, holds
from cytat.analysis.places import Mask
from cytat.backends.sqlite.status import read_row_ranges
from cytat.records import Condition

SELECT_DOCUMENTS = """
select row, read_label
from main.document
order by row
"""
SELECT_LABELS = """
select distinct read_label
from main.document
order by read_label
"""
SELECT_IDS = """
select row, id
from main.chunk
where row in (select value from json_each(:rows))
"""
SELECT_ROWS_OF_IDS = """
select row, id
from main.chunk
where id in (select value from json_each(:ids))
"""

MOST_IDS = 200_000
"""Kept in memory: those of the hits of a thousand questions."""

Rows = NDArray[np.int64]
"""Of the tables `chunk` or `document`."""
NO_OWNER = -1


@dataclass(frozen=True, slots=True, eq=False)
class ChunkOwners:
    """The document of each chunk. `documents`: their rows, rising; `labels`: who may read each.

    `rows`: of all chunks, rising; `owners`: for each the place of its document among `documents`.
    """

    documents: Rows
    labels: tuple[str, ...]
    rows: Rows
    owners: NDArray[np.int32]
    counts: NDArray[np.int64]
    """Of each document, how many chunks it has."""

    def owners_of(self, rows: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the place of the document of each row; NO_OWNER for one that is not a chunk."""
        if not len(self.rows):
            return np.full(len(rows), NO_OWNER, dtype=np.int32)
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[at] == rows, self.owners[at], np.int32(NO_OWNER))

    def readable(self, labels: Collection[str]) -> NDArray[np.bool_]:
        """Return for each document whether it has one of some labels."""
        wanted = frozenset(labels)
        return np.fromiter((label in wanted for label in self.labels), np.bool_, len(self.labels))


def read_owners(connection: apsw.Connection) -> ChunkOwners:
    """Return the documents and chunks of the moment that a connection is in."""
    found = list(connection.execute(SELECT_DOCUMENTS))
    documents = np.array([row for row, _ in found], dtype=np.int64)
    ranges = np.array(read_row_ranges(connection), dtype=np.int64).reshape(-1, 3)
    owners = np.searchsorted(documents, ranges[:, 0]).astype(np.int32)
    firsts, counts = ranges[:, 1], ranges[:, 2]
    before = np.cumsum(counts) - counts
    rows = np.repeat(firsts - before, counts) + np.arange(counts.sum())
    order = np.argsort(rows, kind="stable")
    return ChunkOwners(
        documents,
        tuple(label for _, label in found),
        rows[order],
        np.repeat(owners, counts)[order],
        np.bincount(owners, counts, minlength=len(documents))[: len(documents)].astype(np.int64),
    )


def read_labels(connection: apsw.Connection) -> frozenset[str]:
    """Return the labels that some document has."""
    return frozenset(label for (label,) in connection.execute(SELECT_LABELS))


class ChunkIds:
    """The ids of chunks that were asked for, by row and back. May be used by several threads."""

    def __init__(self) -> None:
        """Begin with none."""
        self._id_of: dict[int, str] = {}
        self._row_of: dict[str, int] = {}

    def ids(self, connection: apsw.Connection, rows: Sequence[int]) -> dict[int, str]:
        """Return the ids of the chunks at some rows; a row that is not a chunk is absent."""
        known = self._id_of
        unknown = [row for row in rows if row not in known]
        if unknown:
            found = connection.execute(SELECT_IDS, {"rows": json.dumps(unknown)})
            known = self._keep(dict(found)) | {row: known[row] for row in rows if row in known}
        return {row: known[row] for row in rows if row in known}

    def rows(self, connection: apsw.Connection, ids: Collection[str]) -> dict[str, int]:
        """Return the rows of some chunks; an id that is not a chunk's is absent."""
        known = self._row_of
        unknown = [one for one in ids if one not in known]
        if unknown:
            found = connection.execute(SELECT_ROWS_OF_IDS, {"ids": json.dumps(unknown)})
            fresh = {one: row for row, one in self._keep(dict(found)).items()}
            known = fresh | {one: known[one] for one in ids if one in known}
        return {one: known[one] for one in ids if one in known}

    def _keep(self, found: dict[int, str]) -> dict[int, str]:
        """Keep what was read; when it is too much, what was there before goes."""
        by_row, by_id = self._id_of, self._row_of
        if len(by_row) + len(found) > MOST_IDS:
            by_row, by_id = {}, {}
        by_row.update(found)
        by_id.update((one, row) for row, one in found.items())
        self._id_of, self._row_of = by_row, by_id
        return found


SELECT_FACTS = """
select source, title, media_type, language, metadata
from main.document
order by row
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """What each document has for one key: `codes` say which of `values`."""

    values: tuple[str | None, ...]
    codes: NDArray[np.int64]

    def where(self, condition: Condition) -> Mask:
        """Return for each document whether it satisfies the condition."""
        verdicts = [holds(condition, value) for value in self.values]
        return np.array(verdicts, dtype=np.bool_)[self.codes]


class DocumentFacts:
    """What can be asked of all documents of a generation, by row."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        """Take one for each document."""
        self._facts = facts
        self._columns: dict[str, _Column] = {}

    def where(self, conditions: Sequence[Condition]) -> Mask:
        """Return for each document whether it satisfies every condition."""
        kept = np.ones(len(self._facts), dtype=np.bool_)
        for condition in conditions:
            kept &= self._column(condition.key).where(condition)
        return kept

    def _column(self, key: str) -> _Column:
        found = self._columns.get(key)
        if found is None:  # two threads may both make it, and make the same
            numbers: dict[str | None, int] = {}
            asked = (asked_of(key, facts) for facts in self._facts)
            codes = [numbers.setdefault(value, len(numbers)) for value in asked]
            found = _Column(tuple(numbers), np.array(codes, dtype=np.int64))
            self._columns[key] = found
        return found


def read_facts(connection: apsw.Connection) -> DocumentFacts:
    """Return the facts of all documents, whoever asks."""
    return DocumentFacts(
        [
            Facts(source, title, media_type, language, _texts(metadata))
            for source, title, media_type, language, metadata in connection.execute(SELECT_FACTS)
        ]
    )


def _texts(metadata: str) -> Mapping[str, str]:
    return {str(key): str(value) for key, value in json.loads(metadata).items()}
