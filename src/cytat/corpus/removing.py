"""A store -> documents removed from it. A purge takes all that was removed at any time before."""

from collections.abc import Sequence
from pathlib import Path

from cytat.errors import UsageError
from cytat.protocols import Moment, Store
from cytat.records import DocumentId, FileOutcome, IngestReport, StoredDocument
from cytat.text.identity import MEMBER, containers_of


def remove_documents(store: Store, named: Sequence[str], *, purge: bool) -> IngestReport:
    """Take documents out of a store; SourceError, and nothing removed, where one is not found."""
    if not named and not purge:
        raise UsageError("no SOURCE is named", hint="name one, or give --purge")
    with store.writing() as writing:
        found = {document.id: document for document in map(writing.resolve, named)}
        found |= _members(writing, {document.source for document in found.values()}, store.base)
        for document_id in found:
            writing.remove(document_id)
        if purge:
            writing.want_purge()
    if purge:
        store.upkeep.purge()
    removed = tuple(_removed(document) for document in found.values())
    return IngestReport(
        (), (), (), removed, (), (), {"removed": len(removed), "chunks": 0}, 0.0, ()
    )


def _members(moment: Moment, containers: set[str], base: Path) -> dict[DocumentId, StoredDocument]:
    """Return the documents that are in others, however deep: members of archives, attachments."""
    inside = (
        moment.document(document_id)
        for document_id, source in moment.sources().items()
        if MEMBER in source and containers.intersection(containers_of(source, base=base))
    )
    return {document.id: document for document in inside if document is not None}


def _removed(document: StoredDocument) -> FileOutcome:
    return FileOutcome(
        document.source, document.id, "removed", 0, document.characters, None, None, None, None
    )
