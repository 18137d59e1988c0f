"""Conditions -> the documents that may be found, and the rows of their chunks.

What filters ask of the documents, and where their chunks are, is held in memory for one generation
of the corpus. A condition is judged once for each different value that documents have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis import AllowedRows
from cytat.analysis.filters import Facts, asked_of, holds
from cytat.backends.sqlite.ranking import AllowedDocuments
from cytat.backends.sqlite.rights import Onlooker, onlooker
from cytat.backends.sqlite.spaces import read_generation
from cytat.backends.sqlite.status import read_facts, read_row_ranges
from cytat.records import Condition

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """What each document has for one key: `codes` say which of `values`."""

    values: tuple[str | None, ...]
    codes: Numbers

    def where(self, condition: Condition) -> NDArray[np.bool_]:
        """Return for each document whether it satisfies the condition."""
        verdicts = [holds(condition, value) for value in self.values]
        return np.array(verdicts, dtype=np.bool_)[self.codes]


@dataclass(frozen=True, slots=True, eq=False)
class _Documents:
    """What an onlooker sees of a generation: documents by row, and ranges of their chunks' rows."""

    onlooker: Onlooker
    generation: int
    facts: tuple[Facts, ...]
    numbers: Numbers
    """document.row of each."""
    owners: Numbers
    """Which document each range belongs to, as a place in `facts`."""
    firsts: Numbers
    counts: Numbers
    columns: dict[str, _Column] = field(default_factory=dict)

    def where(self, conditions: Sequence[Condition]) -> NDArray[np.bool_]:
        """Return for each document whether it satisfies every condition."""
        kept = np.ones(len(self.facts), dtype=np.bool_)
        for condition in conditions:
            kept &= self._column(condition.key).where(condition)
        return kept

    def rows(self, kept: NDArray[np.bool_]) -> AllowedRows:
        """Return the rows of the chunks of some documents."""
        is_kept = kept[self.owners]
        firsts, counts = self.firsts[is_kept], self.counts[is_kept]
        before = np.cumsum(counts) - counts
        return AllowedRows(np.repeat(firsts - before, counts) + np.arange(counts.sum()))

    def _column(self, key: str) -> _Column:
        if key not in self.columns:
            numbers: dict[str | None, int] = {}
            asked = (asked_of(key, facts) for facts in self.facts)
            codes = [numbers.setdefault(value, len(numbers)) for value in asked]
            self.columns[key] = _Column(tuple(numbers), np.array(codes, dtype=np.int64))
        return self.columns[key]


class DocumentIndex:
    """Judges the documents of one corpus, as its owner or one user sees them."""

    def __init__(self) -> None:
        """Begin with nothing in memory."""
        self._known: _Documents | None = None

    def allowed(
        self, connection: apsw.Connection, conditions: Sequence[Condition]
    ) -> AllowedDocuments:
        """Return the documents that satisfy all conditions; call inside one transaction."""
        documents = self._documents(connection)
        kept = documents.where(conditions)
        return AllowedDocuments(tuple(documents.numbers[kept].tolist()), documents.rows(kept))

    def _documents(self, connection: apsw.Connection) -> _Documents:
        moment = onlooker(connection), read_generation(connection)
        known = self._known
        if known is None or (known.onlooker, known.generation) != moment:
            known = self._known = _read(connection, *moment)
        return known


def _read(connection: apsw.Connection, seen_by: Onlooker, generation: int) -> _Documents:
    facts = {
        row: Facts(source, title, media_type, language, metadata)
        for row, source, title, media_type, language, metadata in read_facts(connection)
    }
    ranges = np.array(read_row_ranges(connection), dtype=np.int64).reshape(-1, 3)
    numbers = np.fromiter(facts, dtype=np.int64, count=len(facts))
    return _Documents(
        seen_by,
        generation,
        tuple(facts.values()),
        numbers,
        owners=np.searchsorted(numbers, ranges[:, 0]),
        firsts=ranges[:, 1],
        counts=ranges[:, 2],
    )
