"""A store -> Verification: one check after another, each naming the documents it fails on."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from cytat.corpus.texts import version_on_disk
from cytat.ingestion import wrong_words
from cytat.records import PIPELINE, Check, Verification
from cytat.store import Store, StoredDocument
from cytat.store.verifying import (
    DAMAGE,
    Fault,
    faults_of_documents,
    faults_of_file,
    unsealed_documents,
)
from cytat.text.identity import path_of

NAMED = 5
"""Faults told in one check; the others are counted."""

_RESTORE = "restore a backup, or run `cytat reindex`, which makes damaged documents again"
_REINDEX = "run `cytat reindex`"

HINTS: Mapping[str, str] = MappingProxyType(
    {
        "sqlite": "restore a backup, or begin a new file with `cytat add`",
        "format": "restore a backup, or begin a new file with `cytat add`",
        "tables": "restore a backup, or begin a new file with `cytat add`",
        "keys": _RESTORE,
        "counts": _RESTORE,
        "meta": _RESTORE,
        "documents": _RESTORE,
        "text": _RESTORE,
        "chunks": _RESTORE,
        "vectors": _REINDEX,
        "words": _REINDEX,
    }
)
"""What is checked, in the order told, and what to do when it fails."""


def verify_store(store: Store, *, full: bool) -> Verification:
    """Return what holds and what does not; the file is only read."""
    with store.reading() as connection:
        faults = [
            *faults_of_file(connection, full=full),
            *faults_of_documents(connection, full=full),
            *(_faults_of_words(store) if full else ()),
        ]
        checks = tuple(_checks(faults))
        notes = (*_notes_of_purge(store), *(_notes(store) if full else ()))
    return Verification(checks, notes)


def _checks(faults: Iterable[Fault]) -> Iterator[Check]:
    found: dict[str, list[str]] = defaultdict(list)
    for fault in faults:
        found[fault.part].append(f"{fault.source}: {fault.what}" if fault.source else fault.what)
    for name, hint in HINTS.items():
        wrong = found[name]
        yield Check(name, ok=not wrong, value=_listed(wrong) or "ok", hint=hint if wrong else None)


def _listed(sentences: Sequence[str]) -> str:
    more = len(sentences) - NAMED
    return "; ".join(sentences[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def _faults_of_words(store: Store) -> Iterator[Fault]:
    """Compare the words index with the text; that of a damaged text cannot be compared.

    Nor can the words of an earlier pipeline, which a note names.
    """
    try:
        faults = wrong_words(store)
        documents = store.documents()
        outdated = set(outdated_sources(documents))
        sources = {
            stored.row: document.source
            for document in documents
            for stored in store.chunks(document.id)
        }
    except DAMAGE as damage:
        yield Fault("words", "", "", f"cannot be compared ({type(damage).__name__}: {damage})")
        return
    for source in sorted({sources.get(row, "") for row in faults.rows} - outdated):
        yield Fault("words", "", source, "the words index holds other words than its text")
    if faults.is_broken:
        yield Fault("words", "", "", "the words index is not as it was written")


def outdated_sources(documents: Iterable[StoredDocument]) -> list[str]:
    """Return the documents that an earlier pipeline made: `add` and `reindex` make them again."""
    return [one.source for one in documents if one.stamp and one.stamp.pipeline != PIPELINE]


def _notes_of_purge(store: Store) -> Iterator[str]:
    try:
        is_wanted = store.is_purge_wanted
    except DAMAGE:
        return  # told by the checks
    if is_wanted:
        yield "A purge was stopped half way: `cytat remove --purge` finishes it."


def _notes(store: Store) -> Iterator[str]:
    """Say what is no damage: files that have changed or gone, versions without seals."""
    try:
        documents = store.documents()
        unsealed = len(unsealed_documents(store.connection))
    except DAMAGE:
        return  # told by the checks
    read = [document for document in documents if document.version is not None]
    now = {
        document.source: version_on_disk(path_of(document.source, base=store.base))
        for document in read
    }
    gone = [document.source for document in read if now[document.source] is None]
    changed = [
        document.source for document in read if now[document.source] not in {None, document.version}
    ]
    if changed:
        yield f"Changed since they were indexed: {_listed(changed)}. `cytat add` brings them in."
    if gone:
        yield f"Files that are gone or cannot be read: {_listed(gone)}."
    if outdated := outdated_sources(documents):
        yield f"Indexed by an earlier version: {_listed(outdated)}. `cytat reindex` renews them."
    if unsealed:
        yield (
            f"{unsealed} documents were written by an older version and have no seal: what of "
            "them was changed before cannot be told. `cytat reindex` seals them."
        )
