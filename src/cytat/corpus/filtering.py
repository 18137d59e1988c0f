"""Conditions -> the chunk rows that may be found, and what has to be said about them."""

from collections.abc import Sequence

from cytat.query import AllowedRows
from cytat.query.filters import Condition, Facts, matches
from cytat.retrieval import Record, Stages
from cytat.store import Store, StoredDocument


def allowed_rows(
    store: Store, conditions: Sequence[Condition], record: Record
) -> tuple[AllowedRows | None, tuple[str, ...]]:
    """Return the rows of the documents that a filter keeps, None for all; and notes."""
    if not conditions:
        return None, ()
    stages = Stages(record)
    documents = store.documents()
    kept = {document.id for document in documents if matches(conditions, _facts(document))}
    rows = AllowedRows(store.chunk_rows(kept))
    where = [f"{one.key}{one.sign}{','.join(one.values)}" for one in conditions]
    stages.end("filter", {"where": where}, {"documents": len(kept), "chunks": len(rows)})
    note = f"No document of {len(documents)} matches the filter {' and '.join(where)}."
    return rows, () if kept else (note,)


def _facts(document: StoredDocument) -> Facts:
    return Facts(
        document.source,
        document.title,
        document.media_type,
        document.language,
        document.metadata,
    )
