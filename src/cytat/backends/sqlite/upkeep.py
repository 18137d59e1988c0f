"""SqliteUpkeep: verify, repair, copy, purge, and another vector space; see `protocols.Upkeep`."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path

from cytat.backends.sqlite import backups, pending_space, purging, words_repair
from cytat.backends.sqlite.connection import translated
from cytat.backends.sqlite.damage import discard_damage
from cytat.backends.sqlite.seals import ALL_PARTS, SealedPart
from cytat.backends.sqlite.store import SqliteStore
from cytat.backends.sqlite.verifying import (
    CHECKS,
    DAMAGE,
    faults_of_documents,
    faults_of_file,
    unsealed_documents,
)
from cytat.protocols import TermsOf, Vectors
from cytat.records import (
    ChunkId,
    DocumentId,
    DocumentUpdate,
    PassageToEmbed,
    StoredDocument,
    StoreFault,
    VectorSpace,
)

SWITCHED = frozenset({SealedPart.RECORD, SealedPart.VECTORS})


class SqliteUpkeep:
    """What the owner does to keep one corpus file sound."""

    def __init__(self, store: SqliteStore) -> None:
        """Take a store that is open for its owner."""
        self._store = store

    # ------------------------------------------------------------ verify and repair

    @property
    def checks(self) -> Mapping[str, str]:
        """What `verify` looks at, in the order reported, and what to do if it fails."""
        return CHECKS

    def verify(self, *, full: bool, terms_of: TermsOf) -> tuple[StoreFault, ...]:
        """Return what is wrong; nothing is changed."""
        with self._store.moment() as moment:
            connection = moment.connection
            found = chain(
                faults_of_file(connection, full=full),
                faults_of_documents(connection, full=full),
                words_repair.faults_of_words(connection, terms_of) if full else (),
            )
            return tuple(found)

    def readable_documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents; none where the records of some are damaged."""
        with self._store.moment() as moment:
            try:
                return moment.documents()
            except DAMAGE:
                return ()  # reported by `verify`

    def unsealed(self) -> tuple[DocumentId, ...]:
        """Return the documents without a hash of what was written."""
        with self._store.moment() as moment:
            try:
                return unsealed_documents(moment.connection)
            except DAMAGE:
                return ()  # reported by `verify`

    def discard_damage(self) -> Mapping[DocumentId, str]:
        """Take away what of damaged documents misleads; return them with their sources."""
        return discard_damage(self._store)

    def repair_words(self, terms_of: TermsOf) -> bool:
        """Fill the words index anew where it does not hold the terms of the text."""
        return words_repair.repair_words(self._store, terms_of)

    def seal(self) -> None:
        """Keep hashes of the documents that have none and are sound."""
        with self._store.writing() as writing:
            unsealed = set(unsealed_documents(writing.connection))
            if not unsealed:
                return
            faults = faults_of_documents(writing.connection, full=False)
            for name in unsealed - {DocumentId(fault.document_id) for fault in faults}:
                writing.mark_written(name, ALL_PARTS)

    # ------------------------------------------------------------ copies, and what was removed

    def copy_to(self, file: Path, *, shown_as: Path) -> tuple[int, int]:
        """Write a copy of one moment to `file`; return its documents and chunks."""
        with translated(shown_as), self._store.moment() as moment:
            return backups.copy_to(moment.connection, file, shown_as=shown_as)

    def size_bytes(self) -> int:
        """Return the size of the file, without its log."""
        return self._store.path.stat().st_size

    def derived_files(self) -> str | None:
        """Return what there is of a file of vectors; None for a corpus too small to have one."""
        from cytat.backends.sqlite.indexes.vectors import described  # noqa: PLC0415 - needs numpy

        with self._store.moment() as moment:
            return described(moment.connection, self._store.path)

    def is_purge_wanted(self) -> bool:
        """Say whether a purge was begun and has not ended."""
        with self._store.moment() as moment:
            try:
                return purging.is_wanted(moment.connection)
            except DAMAGE:
                return False  # reported by `verify`

    def purge(self) -> None:
        """Clear from the file the words of everything removed before, and all traces."""
        with translated(self._store.path):
            purging.purge(self._store.connection)
        self._store.forget_indexes()

    # ------------------------------------------------------------ another vector space

    def begin_space(self, space: VectorSpace) -> None:
        """Make `space` the next one; vectors of another next one are dropped."""
        with self._store.writing() as writing:
            pending_space.begin_pending(writing.connection, space)

    def drop_pending_space(self) -> None:
        """Give up the next space."""
        with self._store.writing() as writing:
            pending_space.drop_pending(writing.connection)

    def passages_to_embed(
        self, *, languages: Collection[str] | None, after: ChunkId | None, limit: int
    ) -> list[PassageToEmbed]:
        """Return the first passages, by chunk id, that have no vector in the next space."""
        with self._store.moment() as moment:
            return pending_space.read_missing(
                moment.connection, languages=languages, after=after, limit=limit
            )

    def count_passages_wanted(self, *, languages: Collection[str] | None) -> int:
        """Return how many vectors the next space will hold."""
        with self._store.moment() as moment:
            return pending_space.count_wanted(moment.connection, languages=languages)

    def count_pending_vectors(self) -> int:
        """Return how many vectors of the next space are there."""
        with self._store.moment() as moment:
            return pending_space.count_next(moment.connection)

    def add_pending_vectors(
        self, passages: Collection[PassageToEmbed], vectors: Mapping[bytes, Vectors]
    ) -> None:
        """Keep vectors of the next space, by passage hash."""
        with self._store.writing() as writing:
            pending_space.write_next(writing.connection, passages, vectors)

    def pending_without_vector(self) -> Mapping[DocumentId, int]:
        """Return how many chunks of each document would have no vector after a switch now."""
        with self._store.moment() as moment:
            return pending_space.count_lacking(moment.connection)

    def switch_space(self, space: VectorSpace, updates: Iterable[DocumentUpdate]) -> None:
        """Put the next vectors in place of those in use, with the records of all documents."""
        with self._store.writing() as writing:
            pending_space.switch(writing.connection, space, updates)
            writing.mark_changed()
            for document_id in writing.sources():
                writing.mark_written(document_id, SWITCHED)
