"""Store: one corpus file, open. Every write is whole, every read sees one moment.

A Store belongs to the thread that opened it; another thread opens its own (`reopened`), which is
cheap. After a fork the child gets a connection of its own. `connection` is for `fulltext` and
`vectors`, which keep their own SQL; they run inside `reading` or `writing` like everything else.
"""

import os
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import apsw

from cytat.errors import CorpusError
from cytat.protocols import Vectors
from cytat.records import (
    Block,
    CorpusStatus,
    DocumentId,
    DocumentState,
    Hit,
    Page,
    Span,
    Trace,
    VectorSpace,
)
from cytat.store import (
    documents,
    folders,
    hits,
    purging,
    reindexing,
    resolving,
    spaces,
    status,
    texts,
    traces,
)
from cytat.store.connection import (
    is_read_only,
    open_existing,
    open_or_create,
    translated,
    unsynchronised,
)
from cytat.store.migrations import migrate
from cytat.store.rows import (
    Candidate,
    ChunkKey,
    Given,
    NewVersion,
    StoredChunk,
    StoredDocument,
    Unread,
)
from cytat.store.schema import MIGRATIONS
from cytat.store.sealing import ALL_PARTS, Part, seal

RECORD = frozenset({Part.RECORD})

_INHERITED: list[apsw.Connection] = []
"""Connections a child process got by fork. Closing one there could break the parent's file."""


class Store:
    """A corpus file, open."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        """Take an open connection; use `open` or `open_or_create`."""
        self.path = path
        self._connection = connection
        self._process = os.getpid()
        self._thread = threading.get_ident()
        self._is_writing = False
        self._is_changed = False
        self._unsealed: dict[str, frozenset[Part]] = {}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a corpus that is there; one that cannot be written can still be read."""
        return cls._migrated(path, open_existing(path))

    @classmethod
    def open_or_create(cls, path: Path) -> Self:
        """Open a corpus, or make an empty one."""
        return cls._migrated(path, open_or_create(path))

    @classmethod
    def _migrated(cls, path: Path, connection: apsw.Connection) -> Self:
        try:
            migrate(connection, path, MIGRATIONS)
        except BaseException:
            connection.close()
            raise
        return cls(path.resolve(), connection)

    def reopened(self) -> "Store":
        """Return another Store on the same file, for the calling thread."""
        return Store.open(self.path)

    def close(self) -> None:
        """Close the file; the Store cannot be used after."""
        if os.getpid() == self._process:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    # ------------------------------------------------------------ transactions

    @property
    def connection(self) -> apsw.Connection:
        """The connection of this process, for the thread that opened the Store."""
        if os.getpid() != self._process:
            self._reconnect()
        elif threading.get_ident() != self._thread:
            raise CorpusError(
                "this Store was opened by another thread",
                hint="open one for each thread; `store.reopened()` is cheap",
            )
        return self._connection

    def _reconnect(self) -> None:
        """Open the file again in a child process, leaving the parent's connection untouched."""
        _INHERITED.append(self._connection)
        self._connection = open_existing(self.path)
        self._process, self._thread = os.getpid(), threading.get_ident()

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Read one moment of the corpus, whatever others write meanwhile. May be nested."""
        connection = self.connection
        with translated(self.path):
            is_outermost = not connection.in_transaction
            try:  # before it begins: Ctrl+C may strike between any two lines
                if is_outermost:
                    connection.execute("begin")
                yield connection
            finally:
                if is_outermost and connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Write all of the block or nothing of it. On disk when this returns.

        Nested in another `writing`, a failure undoes the inner block alone. The lock is taken at
        once: two writers wait for each other instead of failing.
        """
        connection = self.connection
        if connection.in_transaction and not self._is_writing:
            raise RuntimeError("a write inside `reading` would be lost with the end of the reading")
        within = self._savepoint if self._is_writing else self._transaction
        with translated(self.path), within(connection):
            yield connection

    @contextmanager
    def _savepoint(self, connection: apsw.Connection) -> Iterator[None]:
        with connection:
            yield

    @contextmanager
    def _transaction(self, connection: apsw.Connection) -> Iterator[None]:
        try:
            connection.execute("begin immediate")
            self._is_writing, self._is_changed = True, False
            yield
            self._seal(connection)
            if self._is_changed:
                spaces.raise_generation(connection)
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:  # SQLite has rolled back itself where the disk is full
                connection.execute("rollback")
            raise
        finally:
            self._is_writing = False
            self._unsealed.clear()

    def _seal(self, connection: apsw.Connection) -> None:
        for document_id, parts in self._unsealed.items():
            seal(connection, document_id, parts)

    def mark_written(self, document_id: str, parts: frozenset[Part] = ALL_PARTS) -> None:
        """Let parts of a document be sealed at the end of this `writing`."""
        self._unsealed[document_id] = self._unsealed.get(document_id, frozenset()) | parts

    def mark_changed(self) -> None:
        """Let the generation rise at the end of this `writing`; for writers of vectors alone."""
        self._is_changed = True

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written: no trace is kept then."""
        return is_read_only(self.connection)

    @property
    def base(self) -> Path:
        """The folder of the corpus file, which sources are named from."""
        return self.path.parent

    @property
    def generation(self) -> int:
        """How many committed writes have changed documents or vectors."""
        with self.reading() as connection:
            return spaces.read_generation(connection)

    # ------------------------------------------------------------ writing

    def replace(self, new: NewVersion) -> tuple[int, ...]:
        """Write a document version in place of the last; return its chunks' rows, in order.

        Call inside `writing`, and give the rows their words and vectors in the same block.
        """
        with self.writing() as connection:
            self.mark_changed()
            self.mark_written(new.document.id)
            return documents.replace_version(connection, new)

    def record_unread(self, unread: Unread) -> DocumentState:
        """Write down a source that was not read; a good version from before stays, as stale."""
        with self.writing() as connection:
            before = connection.total_changes()
            state = documents.record_unread(connection, unread)
            if connection.total_changes() > before:
                is_kept = state is DocumentState.STALE
                self.mark_changed()
                self.mark_written(unread.document_id, RECORD if is_kept else ALL_PARTS)
            return state

    def add_metadata(self, document_id: DocumentId, given: Given) -> None:
        """Add to the metadata of a document whose version stays as it is."""
        with self.writing() as connection:
            known = documents.read_document_row(connection, document_id)
            if known is not None:
                self.mark_changed()
                self.mark_written(document_id, RECORD)
                documents.update_given(connection, known, given)

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole; say whether there was one."""
        with self.writing() as connection:
            self.mark_changed()
            return documents.delete_document(connection, document_id)

    def purge(self) -> None:
        """Clear from the file the words of everything removed before, and all traces."""
        with translated(self.path):
            purging.purge(self.connection)

    def claim_space(self, space: VectorSpace) -> None:
        """Make `space` the corpus' own, or refuse it (VectorSpaceError)."""
        with self.writing() as connection:
            spaces.claim_space(connection, space)

    def add_folder(self, path: Path) -> None:
        """Remember a folder that was added: files that vanish from it leave the index."""
        with self.writing() as connection:
            folders.add_folder(connection, path)

    def record_trace(self, trace: Trace) -> None:
        """Keep a trace; the oldest go. A power cut may take the last ones, and nothing else."""
        with unsynchronised(self.connection), self.writing() as connection:
            traces.record_trace(connection, trace)

    # ------------------------------------------------------------ reading

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters of the stored version at `span`."""
        with self.reading() as connection:
            return texts.read_excerpt(connection, document_id, span).text

    def text(self, document_id: str) -> str:
        """Return a document's whole canonical text."""
        with self.reading() as connection:
            return texts.read_text(connection, document_id)

    def pages(self, document_id: str) -> tuple[Page, ...]:
        """Return a document's pages; none for formats without pages."""
        with self.reading() as connection:
            return texts.read_pages(connection, document_id)

    def blocks(self, document_id: str) -> tuple[Block, ...]:
        """Return a document's blocks in text order."""
        with self.reading() as connection:
            return texts.read_blocks(connection, document_id)

    def lines(self, document_id: str, span: Span) -> tuple[int, int]:
        """Return the lines, from 1, of the first and last character of `span`."""
        with self.reading() as connection:
            excerpt = texts.read_excerpt(connection, document_id, span)
        return excerpt.first_line, excerpt.last_line

    def resolve(self, source: str) -> StoredDocument:
        """Return the document a person names; SourceError when it is none or several."""
        with self.reading() as connection:
            return resolving.resolve(connection, source, base=self.base)

    def document(self, document_id: DocumentId) -> StoredDocument | None:
        """Return one document's row, or None."""
        with self.reading() as connection:
            return documents.read_document_row(connection, document_id)

    def sources(self) -> Mapping[DocumentId, str]:
        """Return the source of every document, by its id."""
        with self.reading() as connection:
            return documents.read_sources(connection)

    def documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents by source."""
        with self.reading() as connection:
            return documents.read_document_rows(connection)

    def chunks(self, document_id: DocumentId) -> tuple[StoredChunk, ...]:
        """Return a document's chunks in text order."""
        with self.reading() as connection:
            return documents.read_chunks(connection, document_id)

    def chunk_rows(self, document_ids: Collection[DocumentId]) -> frozenset[int]:
        """Return the rows of all chunks of some documents: what a filter allows."""
        with self.reading() as connection:
            return documents.read_chunk_rows(connection, document_ids)

    def chunk_keys(self, rows: Sequence[int]) -> Mapping[int, ChunkKey]:
        """Return id and words hash of the chunks at `rows`."""
        with self.reading() as connection:
            return documents.read_chunk_keys(connection, rows)

    def document_ids(self, rows: Sequence[int]) -> Mapping[int, DocumentId]:
        """Return the document of each of the chunks at `rows`."""
        with self.reading() as connection:
            return documents.read_document_ids(connection, rows)

    def chunk_row(self, chunk_id: str) -> int | None:
        """Return the row of a chunk, or None when the corpus no longer holds it."""
        with self.reading() as connection:
            return hits.read_chunk_row(connection, chunk_id)

    def hits(self, candidates: Sequence[Candidate]) -> tuple[Hit, ...]:
        """Return the hits in the order given, ranked from 1; rank inside the same `reading`."""
        with self.reading() as connection:
            return hits.read_hits(connection, candidates)

    def vectors_of(self, passage_hashes: Sequence[bytes]) -> Mapping[bytes, Vectors]:
        """Return the vectors that are there, by `text_hash` of the passage they embed."""
        with self.reading() as connection:
            return spaces.read_vectors(connection, passage_hashes)

    def all_vectors(self) -> Iterator[tuple[str, bytes]]:
        """Yield each chunk id with its vector as it is stored; call inside `reading`."""
        yield from spaces.read_all_vectors(self.connection)

    def space(self) -> VectorSpace | None:
        """Return the space of the corpus' vectors; None before the first."""
        with self.reading() as connection:
            return spaces.read_space(connection)

    def pending_space(self) -> VectorSpace | None:
        """Return the space that a reindex is half way to; None when there is none."""
        with self.reading() as connection:
            return reindexing.read_pending(connection)

    def check_space(self, space: VectorSpace) -> None:
        """Refuse an encoder other than the corpus' own (VectorSpaceError)."""
        with self.reading() as connection:
            spaces.check_space(connection, space)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that were added."""
        with self.reading() as connection:
            return folders.read_folders(connection)

    def status(self) -> CorpusStatus:
        """Return the corpus' account of itself, counted now."""
        with self.reading() as connection:
            return status.read_status(connection)

    def trace(self, trace_id: str) -> Trace:
        """Return a trace by its id."""
        with self.reading() as connection:
            return traces.read_trace(connection, trace_id)

    def last_trace(self) -> Trace:
        """Return the latest trace."""
        with self.reading() as connection:
            return traces.read_last_trace(connection)
