"""Store: one corpus file, open. Every write is whole, every read sees one moment.

A Store belongs to the thread that opened it; another thread opens its own (`reopened`), which is
cheap. After a fork the child gets a connection of its own. `connection` is for `fulltext` and
`vectors`, which keep their own SQL; they run inside `reading` or `writing` like everything else.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

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
    purging,
    reindexing,
    resolving,
    rights,
    spaces,
    status,
    texts,
    traces,
)
from cytat.store.connection import (
    translated,
    unsynchronised,
)
from cytat.store.rows import (
    Candidate,
    ChunkKey,
    Given,
    NewVersion,
    StoredChunk,
    StoredDocument,
    StoredPassage,
    Unread,
)
from cytat.store.seals import ALL_PARTS, SealedPart, is_sealed
from cytat.store.session import StoreSession

RECORD = frozenset({SealedPart.RECORD})


class Store(StoreSession):
    """A corpus file, open."""

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

    def set_label(self, document_id: DocumentId, label: str) -> bool:
        """Say who may read a document, and return whether that is another label than before."""
        with self.writing() as connection:
            is_sound = SealedPart.TEXT in self._unsealed.get(document_id, ()) or is_sealed(
                connection, document_id, SealedPart.TEXT
            )
            is_new = documents.update_label(connection, document_id, rights.check_label(label))
            if is_new:
                self.mark_changed()
                self.mark_written(
                    document_id, frozenset({SealedPart.TEXT}) if is_sound else frozenset()
                )
            return is_new

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole; say whether there was one."""
        with self.writing() as connection:
            self.mark_changed()
            return documents.delete_document(connection, document_id)

    def want_purge(self) -> None:
        """Write down that what this `writing` removes is to be purged, until `purge` has ended."""
        with self.writing() as connection:
            purging.want(connection)

    @property
    def is_purge_wanted(self) -> bool:
        """Whether a purge was begun and has not ended."""
        with self.reading() as connection:
            return purging.is_wanted(connection)

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
            resolving.add_folder(connection, path)

    def record_trace(self, trace: Trace) -> None:
        """Keep a trace; the oldest go. A power cut may take the last ones, and nothing else."""
        reader = None if self._labels is None else rights.name_of_reader(self._labels)
        with unsynchronised(self.connection), self._writing() as connection:
            traces.record_trace(connection, trace, reader=reader)

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

    def outdated(self, pipeline: int) -> int:
        """Return how many documents were made by another pipeline than this."""
        with self.reading() as connection:
            return documents.count_outdated(connection, pipeline)

    def chunks(self, document_id: DocumentId) -> tuple[StoredChunk, ...]:
        """Return a document's chunks in text order."""
        with self.reading() as connection:
            return documents.read_chunks(connection, document_id)

    def facts(self) -> tuple[status.FactsRow, ...]:
        """Return what a filter can ask of every document, by row."""
        with self.reading() as connection:
            return tuple(status.read_facts(connection))

    def row_ranges(self) -> list[status.RowRange]:
        """Return the rows of all chunks, in ranges, with the row of their document."""
        with self.reading() as connection:
            return status.read_row_ranges(connection)

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
            return texts.read_chunk_row(connection, chunk_id)

    def hits(self, candidates: Sequence[Candidate]) -> tuple[Hit, ...]:
        """Return the hits in the order given, ranked from 1; rank inside the same `reading`."""
        with self.reading() as connection:
            return texts.read_hits(connection, candidates)

    def passages(self, rows: Sequence[int]) -> Mapping[int, StoredPassage]:
        """Return the words of the chunks at `rows`, and where they stand."""
        with self.reading() as connection:
            return texts.read_passages(connection, rows)

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
            return resolving.read_folders(connection)

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
