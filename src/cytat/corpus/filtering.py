"""Conditions -> the chunk rows that may be found, and what has to be said about them.

What filters ask of the documents, and where their chunks are, is held in memory for one generation
of the corpus. A condition is judged once for each different value that documents have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cytat.analysis import AllowedRows
from cytat.analysis.filters import Facts, asked_of, holds
from cytat.records import Condition
from cytat.retrieval import Record, Stages
from cytat.store import Store
from cytat.store.rights import Onlooker, onlooker

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


class DocumentFilter:
    """Judges the documents of one corpus, as its owner or one reader sees them."""

    def __init__(self) -> None:
        """Begin with nothing in memory."""
        self._known: _Documents | None = None

    def allowed_rows(
        self, store: Store, conditions: Sequence[Condition], record: Record
    ) -> tuple[AllowedRows | None, tuple[str, ...]]:
        """Return the rows of the documents that a filter keeps, None for all; and notes."""
        if not conditions:
            return None, ()
        stages = Stages(record)
        documents = self._documents(store)
        kept = documents.where(conditions)
        rows = documents.rows(kept)
        where = [f"{one.key}{one.sign}{','.join(one.values)}" for one in conditions]
        stages.end("filter", {"where": where}, {"documents": int(kept.sum()), "chunks": len(rows)})
        note = f"No document of {len(kept)} matches the filter {' and '.join(where)}."
        return rows, () if kept.any() else (note,)

    def _documents(self, store: Store) -> _Documents:
        with store.reading() as connection:
            moment = onlooker(connection), store.generation
            if self._known is None or (self._known.onlooker, self._known.generation) != moment:
                self._known = _read(store, *moment)
            return self._known


def _read(store: Store, seen_by: Onlooker, generation: int) -> _Documents:
    facts = {
        row: Facts(source, title, media_type, language, metadata)
        for row, source, title, media_type, language, metadata in store.facts()
    }
    ranges = np.array(store.row_ranges(), dtype=np.int64).reshape(-1, 3)
    rows = np.fromiter(facts, dtype=np.int64, count=len(facts))
    return _Documents(
        seen_by,
        generation,
        tuple(facts.values()),
        owners=np.searchsorted(rows, ranges[:, 0]),
        firsts=ranges[:, 1],
        counts=ranges[:, 2],
    )
