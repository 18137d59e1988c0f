"""A store -> Verification: one check after another, each naming the documents it fails on."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cytat.corpus.installed import VersionsNow
from cytat.fulltext import terms_of_chunk
from cytat.protocols import Store, Upkeep
from cytat.records import PIPELINE, Check, StoredDocument, StoreFault, Verification

NAMED = 5
"""Faults told in one check; the others are counted."""


def verify_store(store: Store, *, full: bool) -> Verification:
    """Return what holds and what does not; the corpus is only read."""
    upkeep = store.upkeep
    with store.moment():
        faults = upkeep.verify(full=full, terms_of=terms_of_chunk)
        checks = tuple(_checks(upkeep.checks, faults))
        notes = (*_notes_of_purge(upkeep), *(_notes(store) if full else ()))
    return Verification(checks, notes)


def _checks(hints: Mapping[str, str], faults: Iterable[StoreFault]) -> Iterator[Check]:
    found: dict[str, list[str]] = defaultdict(list)
    for fault in faults:
        found[fault.check].append(f"{fault.source}: {fault.what}" if fault.source else fault.what)
    for name, hint in hints.items():
        wrong = found[name]
        yield Check(name, ok=not wrong, value=_listed(wrong) or "ok", hint=hint if wrong else None)


def _listed(sentences: Sequence[str]) -> str:
    more = len(sentences) - NAMED
    return "; ".join(sentences[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def outdated_sources(documents: Iterable[StoredDocument]) -> list[str]:
    """Return the documents that an earlier pipeline made: `add` and `reindex` make them again."""
    return [one.source for one in documents if one.stamp and one.stamp.pipeline != PIPELINE]


def _notes_of_purge(upkeep: Upkeep) -> Iterator[str]:
    if upkeep.is_purge_wanted():
        yield "A purge was stopped half way: `cytat remove --purge` finishes it."


def _notes(store: Store) -> Iterator[str]:
    """Say what is no damage: files that have changed or gone, versions without seals."""
    documents, unsealed = store.upkeep.readable_documents(), len(store.upkeep.unsealed())
    read = [document for document in documents if document.version is not None]
    versions = VersionsNow(store)
    now = {one.source: versions.of(one.source, one.version, one.file) for one in read}
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
