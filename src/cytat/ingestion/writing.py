"""Ready documents and their vectors -> the corpus file: a group of documents in one transaction.

A document is reported only after its transaction is on disk. Small documents share one, for each
costs a wait for the disk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cytat.chunking import is_same_chunking
from cytat.errors import UsageError
from cytat.fulltext import terms_of_chunk
from cytat.ingestion.preparing import PARTIAL_CODES, Ready, Recipe, is_same, wanted_stamp
from cytat.protocols import Moment, NewVersion, Store, Vectors, Writing, space_of
from cytat.records import (
    Document,
    DocumentId,
    DocumentState,
    Ledger,
    Problem,
    Stamp,
    StoredDocument,
    Unread,
)
from cytat.text.identity import EVERYONE


def check_chunking(moment: Moment, name: str) -> None:
    """Refuse to add with another chunking than the corpus has.

    Raises:
        UsageError: it is another; nothing was changed.
    """
    known = moment.chunking()
    if known is not None and not is_same_chunking(known, name):
        raise UsageError(
            f"the chunking of the corpus is {known}, not {name}",
            hint="run `cytat reindex` with the same options to chunk all documents again, or "
            "leave out the options and settings for chunking to keep the corpus as it is",
        )


def set_chunking(store: Store, name: str) -> None:
    """Note the chunking down: from now on the corpus is cut so."""
    with store.moment() as moment:
        is_known = moment.chunking() == name
    if not is_known:
        with store.writing() as writing:
            writing.set_chunking(name)


NOT_EMBEDDED = "not-embedded"
"""Code of a document some of whose chunks the encoder failed on: words alone find them."""


@dataclass(frozen=True, slots=True)
class Account:
    """What is reported of a document version that is searchable."""

    ledger: Ledger
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None


def account_of(ledger: Ledger, *, missing: int) -> Account:
    """Return the state of a document; earlier entries on vectors in its ledger do not count."""
    reported = _with_missing(ledger, missing)
    problem = next((known for known in reported.problems if _is_loss(known)), None)
    is_partial = problem is not None or reported.failed > 0
    return Account(
        ledger=reported,
        state=DocumentState.PARTIAL if is_partial else DocumentState.INDEXED,
        code=problem.code if problem else None,
        message=f"{problem.part}: {problem.message}" if problem else None,
        hint="`cytat status` lists what is missing" if is_partial else None,
    )


def _with_missing(ledger: Ledger, missing: int) -> Ledger:
    others = tuple(problem for problem in ledger.problems if problem.code != NOT_EMBEDDED)
    problem = Problem(
        part=f"{missing} chunks",
        code=NOT_EMBEDDED,
        message="the encoder failed on them; they are found by words only until the next add",
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
    gone_members: frozenset[DocumentId]
    """Documents that went with the version before: they were in it and are not in this one."""
    rights: "RightsChange | None"


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that was not read, and the state of its source in the corpus now."""

    unread: Unread
    state: DocumentState
    rights: "RightsChange | None"


@dataclass(frozen=True, slots=True)
class RightsChange:
    """That other people than before may read a document, or others than everyone a new one."""

    before: str
    """Label; "" for everyone, and for a document that is new."""
    after: str
    is_said: bool
    """Whether the call says so; if not, the label is of the name, the content or the folder."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A document whose version was in the corpus already."""

    known: StoredDocument
    is_told_more: bool
    """Whether metadata was added to it, or another label."""
    rights: RightsChange | None


WriteOutcome: TypeAlias = WrittenVersion | UnreadFile | Kept


def write_group(
    store: Store, group: Sequence[Ready | Unread], vectors: Mapping[bytes, Vectors], recipe: Recipe
) -> tuple[WriteOutcome, ...]:
    """Write all of a group, or nothing; what is returned is on disk.

    Its words are analysed before, so that nobody waits for that with the lock.
    """
    versions = [
        prepared
        if isinstance(prepared, Unread)
        else _Version(prepared, _version(prepared, vectors, recipe))
        for prepared in group
    ]
    with store.writing() as writing:
        if vectors:
            writing.claim_space(space_of(recipe.embedder))
        if any(isinstance(version, _Version) for version in versions):
            _claim_chunking(writing, recipe.chunker.name)
        return tuple(
            _note(writing, version, recipe)
            if isinstance(version, Unread)
            else _write(store, writing, version, recipe)
            for version in versions
        )


@dataclass(frozen=True, slots=True)
class _Version:
    """A prepared document with the version made of it."""

    ready: Ready
    new: NewVersion


def _claim_chunking(writing: Writing, name: str) -> None:
    """Check, and note the chunking down as the corpus' own."""
    check_chunking(writing, name)
    if writing.chunking() != name:
        writing.set_chunking(name)


def _note(writing: Writing, unread: Unread, recipe: Recipe) -> UnreadFile:
    before = writing.label(unread.document_id)
    state = writing.record_unread(unread)
    return UnreadFile(unread, state, _label(writing, unread.document_id, before, recipe))


def _label(
    writing: Writing, document_id: DocumentId, before: str | None, recipe: Recipe
) -> RightsChange | None:
    """Say who may read a document, in the transaction that writes it; return what changed.

    That a new document has the label which the call names is no change.
    """
    is_said = recipe.label is not None
    if recipe.label is not None:
        writing.set_label(document_id, recipe.label)
    after = writing.label(document_id) or EVERYONE
    if after == (before or EVERYONE) or (before is None and is_said):
        return None
    return RightsChange(before or EVERYONE, after, is_said)


def keep(store: Store, known: StoredDocument, recipe: Recipe) -> Kept:
    """Leave a version as it is, and add what the person says of it."""
    is_told_more = {**known.given, **recipe.given} != dict(known.given)
    if not is_told_more and recipe.label is None:
        return Kept(known, is_told_more=False, rights=None)
    with store.writing() as writing:
        if is_told_more:
            writing.add_metadata(known.id, recipe.given)
        rights = _label(writing, known.id, writing.label(known.id), recipe)
    return Kept(known, is_told_more or rights is not None, rights)


def _write(
    store: Store, writing: Writing, version: _Version, recipe: Recipe
) -> WrittenVersion | Kept:
    written_meanwhile = _written_meanwhile(writing, version)
    if written_meanwhile is not None:
        return keep(store, written_meanwhile, recipe)
    name = version.new.document.id
    before = writing.label(name)
    writing.replace(version.new)
    rights = _label(writing, name, before, recipe)
    gone_members = version.ready.gone_members
    for member in gone_members:
        writing.remove(member)
    return WrittenVersion(version.new, version.ready.is_update, gone_members, rights)


def _written_meanwhile(writing: Writing, version: _Version) -> StoredDocument | None:
    """Return the same version if another program has written it since ours was begun."""
    ready = version.ready
    stored = writing.document(ready.document.id)
    if stored is None or (ready.known is not None and stored.stamp == ready.known.stamp):
        return None
    return stored if is_same(stored, ready.document.source, version.new.stamp) else None


def _version(ready: Ready, vectors: Mapping[bytes, Vectors], recipe: Recipe) -> NewVersion:
    missing = len(ready.passages.keys() - vectors.keys())
    account = account_of(ready.document.ledger, missing=missing)
    document = replace(ready.document, ledger=account.ledger)
    return NewVersion(
        document=document,
        chunks=ready.chunks,
        terms=_terms(ready),
        vectors={key: vectors[key] for key in ready.passages.keys() & vectors.keys()},
        state=account.state,
        code=account.code,
        message=account.message,
        hint=account.hint,
        file=ready.file,
        language=ready.language,
        given=ready.given,
        stamp=_stamp(document, recipe, missing=missing),
    )


def _terms(ready: Ready) -> tuple[list[str], ...]:
    """Return the index terms of each chunk."""
    document = ready.document
    return tuple(
        terms_of_chunk(
            chunk,
            title=document.title,
            words=chunk.span.of(document.text),
            language=ready.language,
        )
        for chunk in ready.chunks
    )


def _stamp(document: Document, recipe: Recipe, *, missing: int) -> Stamp:
    stamp = wanted_stamp(document.version, document.reader, recipe)
    return replace(stamp, weights=NO_WEIGHTS) if missing else stamp
