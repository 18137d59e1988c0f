"""Damaged documents -> nothing of them that misleads, so that they can be made again."""

from collections.abc import Collection, Mapping

from cytat.backends.sqlite.pending_space import drop_vectors_of, reset_record
from cytat.backends.sqlite.seals import SealedPart
from cytat.backends.sqlite.store import SqliteStore
from cytat.backends.sqlite.verifying import faults_of_documents
from cytat.backends.sqlite.writing import SqliteWriting
from cytat.records import DocumentId
from cytat.text.identity import document_id

RECORD = frozenset({SealedPart.RECORD})
VECTORS = frozenset({SealedPart.VECTORS})


def discard_damage(store: SqliteStore) -> Mapping[DocumentId, str]:
    """Take away what of damaged documents misleads; return all of these with their sources."""
    with store.moment() as moment:
        faults = list(faults_of_documents(moment.connection, full=True))
    if not faults:
        return {}
    with store.writing() as writing:
        known = writing.sources()
        names = {DocumentId(fault.document_id) for fault in faults} & known.keys()
        for name in names:
            checks = {fault.check for fault in faults if fault.document_id == name}
            _discard(writing, name, known[name], checks)
    return {name: known[name] for name in names}


def _discard(
    writing: SqliteWriting, name: DocumentId, source: str, checks: Collection[str]
) -> None:
    writing.mark_changed()
    if name != document_id(source):
        writing.remove(name)  # its very id is damaged: nothing can be made again under it
        return
    if "vectors" in checks:
        writing.mark_written(name, VECTORS)
        drop_vectors_of(writing.connection, name)
    if "documents" in checks and not _is_readable(writing, name):
        writing.mark_written(name, RECORD)
        reset_record(writing.connection, name)


def _is_readable(writing: SqliteWriting, name: DocumentId) -> bool:
    try:
        return writing.document(name) is not None
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
