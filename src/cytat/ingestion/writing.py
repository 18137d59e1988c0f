"""Ready documents and their vectors -> the corpus file: a group of documents in one transaction.

A document is reported only after its transaction is on disk. Small documents share one, for each
costs a wait for the disk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from cytat.chunking import is_same_chunking
from cytat.errors import UsageError
from cytat.fulltext import Numbers, TermNumbers, index_terms, terms_of_chunk
from cytat.ingestion.preparing import (
    PARTIAL_CODES,
    Ready,
    Recipe,
    is_same,
    passage_of,
    wanted_stamp,
)
from cytat.protocols import Vectors, space_of
from cytat.records import Document, DocumentId, DocumentState, Ledger, Problem, Stamp
from cytat.store import NewVersion, Store, StoredDocument, Unread, text_hash
from cytat.store.spaces import read_chunking, write_chunking
from cytat.vectors import write_vectors


def check_chunking(store: Store, name: str) -> None:
    """Refuse to add with another chunking than the corpus has.

    Raises:
        UsageError: it is another; nothing was changed.
    """
    with store.reading() as connection:
        known = read_chunking(connection)
    if known is not None and not is_same_chunking(known, name):
        raise UsageError(
            f"the corpus is cut as {known}, not as {name}",
            hint="`cytat reindex` with the same options cuts all documents anew; or leave the "
            "options and settings for chunking out, and the corpus goes on as it is",
        )


def claim_chunking(store: Store, name: str) -> None:
    """Check, and note the chunking down as the corpus' own."""
    check_chunking(store, name)
    set_chunking(store, name)


def set_chunking(store: Store, name: str) -> None:
    """Note the chunking down: from now on the corpus is cut so."""
    with store.reading() as connection:
        is_known = read_chunking(connection) == name
    if not is_known:
        with store.writing() as connection:
            write_chunking(connection, name)


NOT_EMBEDDED = "not-embedded"
"""Code of a document some of whose chunks the encoder failed on: words alone find them."""


@dataclass(frozen=True, slots=True)
class Account:
    """What is told of a document version that is searchable."""

    ledger: Ledger
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None


def account_of(ledger: Ledger, *, missing: int) -> Account:
    """Return how a document stands; what its ledger said of vectors before does not count."""
    told = _told(ledger, missing)
    problem = next((known for known in told.problems if _is_loss(known)), None)
    is_partial = problem is not None or told.failed > 0
    return Account(
        ledger=told,
        state=DocumentState.PARTIAL if is_partial else DocumentState.INDEXED,
        code=problem.code if problem else None,
        message=f"{problem.part}: {problem.message}" if problem else None,
        hint="`cytat status` lists what is missing" if is_partial else None,
    )


def _told(ledger: Ledger, missing: int) -> Ledger:
    others = tuple(problem for problem in ledger.problems if problem.code != NOT_EMBEDDED)
    problem = Problem(
        part=f"{missing} chunks",
        code=NOT_EMBEDDED,
        message="the encoder failed on them; they are found by words alone until the next add",
    )
    return replace(ledger, problems=(*others, problem) if missing else others)


def _is_loss(problem: Problem) -> bool:
    return problem.code in PARTIAL_CODES or problem.code == NOT_EMBEDDED


NO_WEIGHTS = ""
"""In the stamp of such a document: it equals no encoder's, so the next `add` tries again."""


@dataclass(frozen=True, slots=True)
class WrittenVersion:
    """A document version that is on disk."""

    version: NewVersion
    is_update: bool


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that was not read, and how its source stands in the corpus now."""

    unread: Unread
    state: DocumentState


@dataclass(frozen=True, slots=True)
class Kept:
    """A document whose version was in the corpus already."""

    known: StoredDocument
    is_told_more: bool
    """Whether metadata was added to it, or another label."""


WriteOutcome: TypeAlias = WrittenVersion | UnreadFile | Kept


@dataclass(frozen=True, slots=True)
class WrittenGroup:
    """What became of a group, and what of the words index was found damaged and left alone."""

    outcomes: tuple[WriteOutcome, ...]
    damage: str | None


@dataclass(frozen=True, slots=True)
class _Analysed:
    """The terms of the chunks of a group, by document, before they have rows."""

    vocabulary: TermNumbers
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
    vocabulary = TermNumbers()
    ready = [one for one in group if isinstance(one, Ready)]
    return _Analysed(
        vocabulary, {one.document.id: _numbered_terms(one, vocabulary) for one in ready}
    )


def _numbered_terms(ready: Ready, vocabulary: TermNumbers) -> list[Numbers]:
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


def _note(store: Store, unread: Unread, recipe: Recipe) -> UnreadFile:
    state = store.record_unread(unread)
    _label(store, unread.document_id, recipe)
    return UnreadFile(unread, state)


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
) -> WrittenVersion | Kept:
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
    return WrittenVersion(version, ready.is_update)


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
