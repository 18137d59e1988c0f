"""A corpus file with reads and writes that are a moment or a writing of their own, for tests."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from cytat.backends.sqlite.store import SqliteStore
from cytat.protocols import NewVersion, Vectors
from cytat.records import (
    Block,
    ChunkId,
    CorpusStatus,
    DocumentId,
    DocumentState,
    FragmentStyle,
    Part,
    Span,
    StoredChunk,
    StoredDocument,
    Trace,
    Unread,
    VectorSpace,
)


class Store(SqliteStore):
    """A corpus file, open."""

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Read one moment of the corpus."""
        with self.moment() as moment:
            yield moment.connection

    @property
    def generation(self) -> int:
        """How many committed writes have changed documents or vectors."""
        with self.moment() as moment:
            return moment.generation

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters of the stored version at `span`."""
        with self.moment() as moment:
            return moment.excerpt(DocumentId(document_id), span).text

    def text(self, document_id: str) -> str:
        """Return a document's whole canonical text."""
        with self.moment() as moment:
            return moment.text(DocumentId(document_id))

    def parts(self, document_id: str) -> tuple[Part, ...]:
        """Return a document's pages, slides, sheets …."""
        with self.moment() as moment:
            return moment.parts(DocumentId(document_id))

    def fragments(self, document_id: str) -> FragmentStyle:
        """Return how links lead into a document."""
        with self.moment() as moment:
            return moment.fragments(DocumentId(document_id))

    def blocks(self, document_id: str) -> tuple[Block, ...]:
        """Return a document's blocks in text order."""
        with self.moment() as moment:
            return moment.blocks(DocumentId(document_id))

    def lines(self, document_id: str, span: Span) -> tuple[int, int]:
        """Return the lines, from 1, of the first and last character of `span`."""
        with self.moment() as moment:
            excerpt = moment.excerpt(DocumentId(document_id), span)
        return excerpt.first_line, excerpt.last_line

    def resolve(self, source: str) -> StoredDocument:
        """Return the document a person names."""
        with self.moment() as moment:
            return moment.resolve(source)

    def document(self, document_id: DocumentId) -> StoredDocument | None:
        """Return one document, or None."""
        with self.moment() as moment:
            return moment.document(document_id)

    def sources(self) -> Mapping[DocumentId, str]:
        """Return the source of every document, by its id."""
        with self.moment() as moment:
            return moment.sources()

    def documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents by source."""
        with self.moment() as moment:
            return moment.documents()

    def outdated(self, pipeline: int) -> int:
        """Return how many documents another pipeline made."""
        with self.moment() as moment:
            return moment.count_outdated(pipeline)

    def chunks(self, document_id: DocumentId) -> tuple[StoredChunk, ...]:
        """Return a document's chunks in text order."""
        with self.moment() as moment:
            return moment.chunks(document_id)

    def vectors_of(self, passage_hashes: Sequence[bytes]) -> Mapping[bytes, Vectors]:
        """Return the vectors that are there, by passage hash."""
        with self.moment() as moment:
            return moment.vectors_of(passage_hashes)

    def all_vectors(self) -> Iterator[tuple[ChunkId, Vectors]]:
        """Yield each chunk id with its vector; call inside a moment."""
        with self.moment() as moment:
            yield from moment.all_vectors()

    def space(self) -> VectorSpace | None:
        """Return the space of the corpus' vectors."""
        with self.moment() as moment:
            return moment.space()

    def pending_space(self) -> VectorSpace | None:
        """Return the space that a reindex is half way to."""
        with self.moment() as moment:
            return moment.pending_space()

    def check_space(self, space: VectorSpace) -> None:
        """Refuse an encoder other than the corpus' own."""
        with self.moment() as moment:
            moment.check_space(space)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that were added."""
        with self.moment() as moment:
            return moment.folders()

    def status(self) -> CorpusStatus:
        """Return the corpus' account of itself."""
        with self.moment() as moment:
            return moment.status()

    def trace(self, trace_id: str | None) -> Trace:
        """Return a trace by its id."""
        with self.moment() as moment:
            return moment.trace(trace_id)

    # ------------------------------------------------------------ one-shot writes

    def replace(self, new: NewVersion) -> None:
        """Write a document version."""
        with self.writing() as writing:
            writing.replace(new)

    def record_unread(self, unread: Unread) -> DocumentState:
        """Write down a source that was not read."""
        with self.writing() as writing:
            return writing.record_unread(unread)

    def add_metadata(self, document_id: DocumentId, given: Mapping[str, str]) -> None:
        """Add to what a person said of a document."""
        with self.writing() as writing:
            writing.add_metadata(document_id, given)

    def set_label(self, document_id: DocumentId, label: str) -> bool:
        """Say who may read a document."""
        with self.writing() as writing:
            return writing.set_label(document_id, label)

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole."""
        with self.writing() as writing:
            return writing.remove(document_id)

    def claim_space(self, space: VectorSpace) -> None:
        """Make `space` the corpus' own."""
        with self.writing() as writing:
            writing.claim_space(space)
