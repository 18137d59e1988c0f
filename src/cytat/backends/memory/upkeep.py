"""MemoryUpkeep: the little upkeep that a corpus in memory needs; see `protocols.Upkeep`."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from cytat.backends.memory.state import KeptChunk, KeptDocument, MemoryState
from cytat.backends.memory.store import MemoryStore
from cytat.errors import NotAllowedError
from cytat.protocols import TermsOf, Vectors
from cytat.records import (
    PIPELINE,
    ChunkId,
    DocumentId,
    DocumentUpdate,
    PassageToEmbed,
    StoredDocument,
    StoreFault,
    VectorSpace,
)
from cytat.text.identity import passage_text

CHECKS = {"words": "run `cytat reindex`"}
"""Nothing else can be damaged: there is no file."""


class MemoryUpkeep:
    """The owner's upkeep of one corpus in memory."""

    def __init__(self, store: MemoryStore) -> None:
        """Take a store that is open for its owner."""
        self._store = store

    # ------------------------------------------------------------ verify and repair

    @property
    def checks(self) -> Mapping[str, str]:
        """What `verify` looks at, and what to do if it fails."""
        return CHECKS

    def verify(self, *, full: bool, terms_of: TermsOf) -> tuple[StoreFault, ...]:
        """Return what is wrong; nothing is changed. Words of an earlier pipeline were others."""
        what = "the words index holds other words than its text"
        records = (document.record for document in self._wrong(terms_of)) if full else ()
        return tuple(
            StoreFault("words", "", record.source, what)
            for record in sorted(records, key=lambda record: record.source)
            if record.stamp is None or record.stamp.pipeline == PIPELINE
        )

    def readable_documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents: none can be damaged."""
        with self._store.moment() as moment:
            return moment.documents()

    def unsealed(self) -> tuple[DocumentId, ...]:
        """Return nothing: no document needs a hash."""
        return ()

    def discard_damage(self) -> Mapping[DocumentId, str]:
        """Return nothing: there is no damage."""
        return {}

    def repair_words(self, terms_of: TermsOf) -> bool:
        """Fill the words index anew where it does not hold the terms of the text."""
        if not list(self._wrong(terms_of)):
            return False
        self._change_chunks(
            lambda document, chunk: replace(chunk, terms=_terms(document, chunk, terms_of))
        )
        return True

    def seal(self) -> None:
        """Do nothing: no document needs a hash."""

    def _wrong(self, terms_of: TermsOf) -> list[KeptDocument]:
        return [
            document
            for document in self._state().documents.values()
            if any(chunk.terms != _terms(document, chunk, terms_of) for chunk in document.chunks)
        ]

    # ------------------------------------------------------------ copies, and what was removed

    def copy_to(
        self,
        file: Path,  # noqa: ARG002 - the seam's signature
        *,
        shown_as: Path,
    ) -> tuple[int, int]:
        """Refuse: there is no file to copy."""
        raise NotAllowedError(
            f"{self._store.name} is in memory and cannot be copied to {shown_as}",
            hint="use a corpus in a file, or `cytat export`",
        )

    def size_bytes(self) -> int:
        """Return 0: nothing is on disk."""
        return 0

    def derived_files(self) -> str | None:
        """Return None: nothing is kept beside a corpus in memory."""
        return None

    def is_purge_wanted(self) -> bool:
        """Say that none is: `want_purge` refuses."""
        return False

    def purge(self) -> None:
        """Refuse, as `want_purge` does."""
        with self._store.writing() as writing:
            writing.want_purge()

    # ------------------------------------------------------------ another vector space

    def begin_space(self, space: VectorSpace) -> None:
        """Make `space` the next one; vectors of another next one are dropped."""
        with self._store.writing() as writing:
            if writing.pending_space() != space:
                self._set_pending(space)

    def drop_pending_space(self) -> None:
        """Give up the next space."""
        self._set_pending(None)

    def passages_to_embed(
        self, *, languages: Collection[str] | None, after: ChunkId | None, limit: int
    ) -> tuple[PassageToEmbed, ...]:
        """Return the first passages, by chunk id, that have no vector in the next space."""
        lacking = [
            PassageToEmbed(kept.chunk.id, kept.passage_hash, _passage(document, kept))
            for document in self._in_languages(languages)
            for kept in document.chunks
            if kept.pending is None and kept.chunk.id > (after or "")
        ]
        return tuple(sorted(lacking, key=lambda passage: passage.chunk_id)[:limit])

    def count_passages_wanted(self, *, languages: Collection[str] | None) -> int:
        """Return how many vectors the next space will hold."""
        return sum(len(document.chunks) for document in self._in_languages(languages))

    def count_pending_vectors(self) -> int:
        """Return how many vectors of the next space are there."""
        return sum(kept.pending is not None for kept in self._state().chunks)

    def add_pending_vectors(
        self, passages: Collection[PassageToEmbed], vectors: Mapping[bytes, Vectors]
    ) -> None:
        """Keep vectors of the next space; a passage that has changed is passed over."""
        wanted = {(passage.chunk_id, passage.passage_hash) for passage in passages}

        def with_pending(_: KeptDocument, kept: KeptChunk) -> KeptChunk:
            is_wanted = (kept.chunk.id, kept.passage_hash) in wanted
            if not is_wanted or kept.passage_hash not in vectors:
                return kept
            return replace(kept, pending=vectors[kept.passage_hash])

        self._change_chunks(with_pending, is_counted=False)

    def pending_without_vector(self) -> Mapping[DocumentId, int]:
        """Return how many chunks of each document would have no vector after a switch now."""
        lacking = {
            document_id: sum(kept.pending is None for kept in document.chunks)
            for document_id, document in self._state().documents.items()
        }
        return {document_id: count for document_id, count in lacking.items() if count}

    def switch_space(self, space: VectorSpace, updates: Iterable[DocumentUpdate]) -> None:
        """Put the next vectors in place of those in use, with the records of all documents."""
        with self._store.writing() as writing:
            self._change_chunks(lambda _, kept: replace(kept, vector=kept.pending, pending=None))
            documents = dict(writing.state.documents)
            for update in updates:
                kept = documents.get(update.document_id)
                if kept is not None:
                    documents[update.document_id] = replace(kept, record=_updated(kept, update))
            state = replace(writing.state, documents=documents, space=space, pending_space=None)
            writing.change(state)

    def _state(self) -> MemoryState:
        with self._store.moment() as moment:
            return moment.state

    def _in_languages(self, languages: Collection[str] | None) -> list[KeptDocument]:
        return [
            document
            for document in self._state().documents.values()
            if languages is None or document.record.language in {None, *languages}
        ]

    def _set_pending(self, space: VectorSpace | None) -> None:
        with self._store.writing() as writing:
            self._change_chunks(lambda _, kept: replace(kept, pending=None), is_counted=False)
            writing.change(replace(writing.state, pending_space=space), is_counted=False)

    def _change_chunks(
        self, changed: Callable[[KeptDocument, KeptChunk], KeptChunk], *, is_counted: bool = True
    ) -> None:
        with self._store.writing() as writing:
            documents = {
                document_id: replace(
                    document, chunks=tuple(changed(document, kept) for kept in document.chunks)
                )
                for document_id, document in writing.state.documents.items()
            }
            writing.change(replace(writing.state, documents=documents), is_counted=is_counted)


def _updated(kept: KeptDocument, update: DocumentUpdate) -> StoredDocument:
    return replace(
        kept.record,
        state=update.state,
        code=update.code,
        message=update.message,
        hint=update.hint,
        ledger=update.ledger,
        stamp=update.stamp,
    )


def _passage(document: KeptDocument, kept: KeptChunk) -> str:
    chunk = kept.chunk
    words = chunk.span.of(document.text)
    return passage_text(document.record.title, chunk.heading_path, chunk.context, words)


def _terms(document: KeptDocument, kept: KeptChunk, terms_of: TermsOf) -> Mapping[str, int]:
    record, words = document.record, kept.chunk.span.of(document.text)
    return Counter(terms_of(kept.chunk, title=record.title, words=words, language=record.language))
