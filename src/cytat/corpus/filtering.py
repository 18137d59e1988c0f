"""Conditions -> the chunk rows that may be found, and what has to be said about them."""

from collections.abc import Sequence

from cytat.analysis import AllowedRows
from cytat.records import Condition
from cytat.retrieval import Record, Stages
from cytat.store import Store
from cytat.store.ranking import AllowedDocuments


class DocumentFilter:
    """Judges the documents of a store, and tells the trace of it."""

    def allowed_rows(
        self, store: Store, conditions: Sequence[Condition], record: Record
    ) -> tuple[AllowedRows | None, tuple[str, ...]]:
        """Return the rows of the documents that a filter keeps, None for all; and notes."""
        if not conditions:
            return None, ()
        stages = Stages(record)
        with store.moment() as moment:
            allowed = AllowedDocuments.of(moment.allowed(conditions))
            documents = moment.count_documents()
        where = [f"{one.key}{one.sign}{','.join(one.values)}" for one in conditions]
        seen = {"documents": allowed.documents, "chunks": allowed.chunks}
        stages.end("filter", {"where": where}, seen)
        note = f"No document of {documents} matches the filter {' and '.join(where)}."
        return allowed.rows, () if allowed.documents else (note,)
