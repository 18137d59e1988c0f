"""Sources -> what left the index: all that were named, or none.

A purge takes what is named now and what was removed at any time before.
"""

from collections.abc import Sequence

from cytat.errors import UsageError
from cytat.records import FileOutcome, IngestReport
from cytat.store import Store, StoredDocument


def remove_documents(store: Store, named: Sequence[str], *, purge: bool) -> IngestReport:
    """Take documents out of a store; SourceError, and nothing removed, where one is not found."""
    if not named and not purge:
        raise UsageError("no SOURCE is named", hint="name one, or give --purge")
    found = {document.id: document for document in map(store.resolve, named)}
    with store.writing():
        for document_id in found:
            store.remove(document_id)
        if purge:
            store.want_purge()
    if purge:
        store.purge()
    removed = tuple(_removed(document) for document in found.values())
    return IngestReport(
        (), (), (), removed, (), (), {"removed": len(removed), "chunks": 0}, 0.0, ()
    )


def _removed(document: StoredDocument) -> FileOutcome:
    return FileOutcome(
        document.source, document.id, "removed", 0, document.characters, None, None, None, None
    )
