"""Ready documents and their vectors -> the corpus file: a group of documents in one transaction.

A document is reported only after its transaction is on disk. Small documents share one, for each
costs a wait for the disk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from cytat.fulltext import Numbers, Vocabulary, index_terms, terms_of_chunk
from cytat.ingestion.accounting import account_of
from cytat.ingestion.chunkings import claim_chunking
from cytat.ingestion.preparing import Ready, Recipe, is_same, passage_of, wanted_stamp
from cytat.protocols import Vectors, space_of
from cytat.records import Document, DocumentId, DocumentState, Stamp
from cytat.store import NewVersion, Store, StoredDocument, Unread, text_hash
from cytat.vectors import write_vectors

NO_WEIGHTS = ""
"""In the stamp of such a document: it equals no encoder's, so the next `add` tries again."""


@dataclass(frozen=True, slots=True)
class Written:
    """A document version that is on disk."""

    version: NewVersion
    is_update: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """A file that was not read, and how its source stands in the corpus now."""

    unread: Unread
    state: DocumentState


@dataclass(frozen=True, slots=True)
class Kept:
    """A document whose version was in the corpus already."""

    known: StoredDocument
    is_told_more: bool
    """Whether metadata was added to it, or another label."""


Outcome: TypeAlias = Written | Noted | Kept


@dataclass(frozen=True, slots=True)
class WrittenGroup:
    """What became of a group, and what of the words index was found damaged and left alone."""

    outcomes: tuple[Outcome, ...]
    damage: str | None


@dataclass(frozen=True, slots=True)
class _Analysed:
    """The terms of the chunks of a group, by document, before they have rows."""

    vocabulary: Vocabulary
    terms: Mapping[DocumentId, Sequence[Numbers]]


def write_group(
    store: Store, group: Sequence[Ready | Unread], vectors: Mapping[bytes, Vectors], recipe: Recipe
) -> WrittenGroup:
    """Write all of a group, or nothing; what is returned is on disk.

    Its words are analysed before, so that nobody waits for that with the lock.
    """
    analysed = _analyse(group)
    with store.writing():
        if vectors:
            store.claim_space(space_of(recipe.embedder))
        if any(isinstance(one, Ready) for one in group):
            claim_chunking(store, recipe.chunker.name)
        words: list[tuple[int, Numbers]] = []
        written = tuple(
            _note(store, one, recipe)
            if isinstance(one, Unread)
            else _write(store, one, vectors, recipe, analysed, words)
            for one in group
        )
        damage = index_terms(store.connection, analysed.vocabulary, words)
    return WrittenGroup(written, damage)


def _analyse(group: Sequence[Ready | Unread]) -> _Analysed:
    vocabulary = Vocabulary()
    ready = [one for one in group if isinstance(one, Ready)]
    return _Analysed(
        vocabulary, {one.document.id: _numbered_terms(one, vocabulary) for one in ready}
    )


def _numbered_terms(ready: Ready, vocabulary: Vocabulary) -> list[Numbers]:
    document = ready.document
    return [
        vocabulary.numbered(
            terms_of_chunk(
                chunk,
                title=document.title,
                words=chunk.span.of(document.text),
                language=ready.language,
            )
        )
        for chunk in ready.chunks
    ]


def _note(store: Store, unread: Unread, recipe: Recipe) -> Noted:
    state = store.record_unread(unread)
    _label(store, unread.document_id, recipe)
    return Noted(unread, state)


def _label(store: Store, document_id: DocumentId, recipe: Recipe) -> bool:
    """Say who may read a document, in the transaction that writes it; say whether it is new."""
    return recipe.label is not None and store.set_label(document_id, recipe.label)


def keep(store: Store, known: StoredDocument, recipe: Recipe) -> Kept:
    """Leave a version as it is, and add what the person says of it."""
    is_told_more = {**known.given, **recipe.given} != dict(known.given)
    if not is_told_more and recipe.label is None:
        return Kept(known, is_told_more=False)
    with store.writing():
        if is_told_more:
            store.add_metadata(known.id, recipe.given)
        is_labelled = _label(store, known.id, recipe)
    return Kept(known, is_told_more or is_labelled)


def _write(
    store: Store,
    ready: Ready,
    vectors: Mapping[bytes, Vectors],
    recipe: Recipe,
    analysed: _Analysed,
    words: list[tuple[int, Numbers]],
) -> Written | Kept:
    """Write a document, and put the terms of its chunks, by row, with `words`."""
    missing = sum(passage_hash not in vectors for passage_hash in ready.passages)
    version = _version(ready, recipe, missing=missing)
    written_meanwhile = _written_meanwhile(store, ready, version)
    if written_meanwhile is not None:
        return keep(store, written_meanwhile, recipe)
    rows = store.replace(version)
    _label(store, version.document.id, recipe)
    words += zip(rows, analysed.terms[ready.document.id], strict=True)
    _write_vectors(store, ready, rows, vectors)
    return Written(version, ready.is_update)


def _written_meanwhile(store: Store, ready: Ready, version: NewVersion) -> StoredDocument | None:
    """Return the same version if another program has written it since ours was begun."""
    stored = store.document(ready.document.id)
    if stored is None or (ready.known is not None and stored.stamp == ready.known.stamp):
        return None
    return stored if is_same(stored, ready.document.source, version.stamp) else None


def _write_vectors(
    store: Store, ready: Ready, rows: Sequence[int], vectors: Mapping[bytes, Vectors]
) -> None:
    hashes = [text_hash(passage) for passage in map(passage_of(ready.document), ready.chunks)]
    found = [(row, vectors[key]) for row, key in zip(rows, hashes, strict=True) if key in vectors]
    if found and ready.passages:
        write_vectors(
            store.connection,
            [row for row, _ in found],
            np.stack([vector for _, vector in found]),
        )


def _version(ready: Ready, recipe: Recipe, *, missing: int) -> NewVersion:
    account = account_of(ready.document.ledger, missing=missing)
    document = replace(ready.document, ledger=account.ledger)
    return NewVersion(
        document=document,
        chunks=ready.chunks,
        state=account.state,
        code=account.code,
        message=account.message,
        hint=account.hint,
        file=ready.file,
        language=ready.language,
        given=ready.given,
        stamp=_stamp(document, recipe, missing=missing),
    )


def _stamp(document: Document, recipe: Recipe, *, missing: int) -> Stamp:
    stamp = wanted_stamp(document.version, document.reader, recipe)
    return replace(stamp, weights=NO_WEIGHTS) if missing else stamp
