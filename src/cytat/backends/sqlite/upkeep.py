"""SqliteUpkeep: verify, repair, copy, purge, and another vector space; see `protocols.Upkeep`.

A copy is made page by page inside one transaction, so that it is of one moment however long it
takes, while others go on writing.

A purge takes removed words out of the file: deleting alone leaves their postings in the words
index. The batches are merged without them, `vacuum` writes every page anew, and the log, which
still holds the old pages, is emptied into the file. The file of vectors beside it goes. That it is
wanted is written down before, so that a purge that was stopped is reported, and finished by the
next.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path

import apsw

from cytat.backends.sqlite import pending_space, repairing, spaces
from cytat.backends.sqlite.connection import disk_full, translated
from cytat.backends.sqlite.repairing import discard_damage
from cytat.backends.sqlite.seals import ALL_PARTS, SealedPart
from cytat.backends.sqlite.spaces import PURGE_WANTED
from cytat.backends.sqlite.store import SqliteStore
from cytat.backends.sqlite.verifying import (
    CHECKS,
    DAMAGE,
    faults_of_documents,
    faults_of_file,
    unsealed_documents,
)
from cytat.errors import CorpusError
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

PAGES_IN_A_STEP = 1_000
"""Four megabytes: often enough that an interrupt is heard."""
COUNT_CONTENT = """
select (select count(*) from document),
       (select count(*) from segment),
       (select count(*) from chunk),
       (select count(*) from posting),
       (select count(*) from vector)
"""


def copy_to(connection: apsw.Connection, file: Path, *, shown_as: Path) -> tuple[int, int]:
    """Copy a corpus page by page, inside one transaction; return documents and chunks.

    Raises:
        CorpusError: the copy is not what was copied.
    """
    copy = apsw.Connection(str(file))
    try:
        counts = _count_content(connection)
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                _copy_pages(backup, shown_as)
        faults = [line for (line,) in copy.execute("pragma quick_check") if line != "ok"]
        if faults or _count_content(copy) != counts:
            raise CorpusError(
                f"the copy is not whole: {'; '.join(faults) or 'it holds less'}",
                hint="run `cytat verify` on the corpus, and try another disk",
            )
    finally:
        copy.close()
    documents, _, chunks, *_ = counts
    return documents, chunks


def _copy_pages(backup: apsw.Backup, target: Path) -> None:
    """Copy some pages; where there is no room, it is the target's disk that has none."""
    try:
        backup.step(PAGES_IN_A_STEP)
    except apsw.FullError as error:
        raise disk_full(target) from error


def _count_content(connection: apsw.Connection) -> tuple[int, ...]:
    ((*counts,),) = connection.execute(COUNT_CONTENT)
    return tuple(counts)


DELETE_TRACES = "delete from trace"
DELETE_WANTED = "delete from meta where key = :key"


def purge(connection: apsw.Connection) -> None:
    """Clear the file of what was removed before; traces quote documents, so all of them go."""
    from cytat.backends.sqlite.postings import drop_removed  # noqa: PLC0415 - as in `spaces.read_vectors`

    connection.execute("begin immediate")
    try:
        connection.execute(DELETE_TRACES)
        drop_removed(connection)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("vacuum")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    _remove_vectors_beside(Path(connection.filename))
    connection.execute(DELETE_WANTED, {"key": PURGE_WANTED})


def _remove_vectors_beside(corpus: Path) -> None:
    from cytat.backends.sqlite.indexes import vector_file  # noqa: PLC0415 - as above

    try:
        vector_file.remove_vectors_beside(corpus)
    except OSError as error:
        raise CorpusError(
            f"{vector_file.vector_file_of(corpus)} cannot be removed: {error.strerror}",
            hint="close the programs that use the corpus, and purge again",
        ) from error


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
                repairing.faults_of_words(connection, terms_of) if full else (),
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
        return repairing.repair_words(self._store, terms_of)

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
            return copy_to(moment.connection, file, shown_as=shown_as)

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
                return spaces.is_purge_wanted(moment.connection)
            except DAMAGE:
                return False  # reported by `verify`

    def purge(self) -> None:
        """Clear from the file the words of everything removed before, and all traces."""
        with translated(self._store.path):
            purge(self._store.connection)
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
