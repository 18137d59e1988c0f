"""SqliteMoment: everything read of one snapshot, as the owner or one user may read it.

A snapshot is a read transaction. What a user may not read is hidden by the views of `rights`,
below every statement here. What ranks is imported when it is asked to rank: a status does not wait
for numpy to load.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from cytat.backends.sqlite import chunks, documents, pending_space, spaces, status, texts, traces
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.texts import read_surroundings
from cytat.protocols import Allowed, Scored, Surroundings, Vectors, WordsFound
from cytat.records import (
    Block,
    Calibration,
    ChunkId,
    Condition,
    CorpusStatus,
    Coverage,
    DocumentId,
    Excerpt,
    FragmentStyle,
    Making,
    Part,
    Query,
    Span,
    StoredChunk,
    StoredDocument,
    StoredPassage,
    Trace,
    VectorSpace,
)
from cytat.text.identity import EVERYONE

if TYPE_CHECKING:
    from cytat.backends.sqlite.indexes.ranking import MomentIndexes


class SqliteMoment:
    """One snapshot; see `protocols.Moment`. Valid inside the block that opened it."""

    def __init__(
        self,
        connection: apsw.Connection,
        *,
        base: Path,
        indexes: Callable[[], SharedIndexes],
        labels: Collection[str] | None = None,
    ) -> None:
        """Take a connection inside a transaction; the first read fixes the snapshot.

        Args:
            connection: on which only what the labels allow can be seen.
            base: the folder that sources are named from.
            indexes: what is in memory for ranking.
            labels: those of the user; None for the owner.
        """
        self._connection = connection
        self._base = base
        self._shared_indexes = indexes
        self._labels = None if labels is None else frozenset({EVERYONE, *labels})
        self._ranked_by: tuple[SharedIndexes, MomentIndexes] | None = None

    def end(self) -> None:
        """Let go of what is in memory for ranking; nothing can be ranked after."""
        self._ranked_by = None
        self._shared_indexes = _ended

    @property
    def connection(self) -> apsw.Connection:
        """The connection, for what else of this back-end reads the same snapshot."""
        return self._connection

    @cached_property
    def generation(self) -> int:
        """How many committed writes have changed documents or vectors."""
        return spaces.read_generation(self._connection)

    # ------------------------------------------------------------ documents

    def resolve(self, source: str) -> StoredDocument:
        """Return the document a person names; SourceError when it is none or several."""
        return status.resolve(self._connection, source, base=self._base)

    def document(self, document_id: DocumentId) -> StoredDocument | None:
        """Return one document, or None."""
        return documents.read_document_row(self._connection, document_id)

    def documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents by source."""
        return documents.read_document_rows(self._connection)

    def sources(self) -> Mapping[DocumentId, str]:
        """Return the source of every document, by its id."""
        return documents.read_sources(self._connection)

    def count_documents(self) -> int:
        """Return how many documents there are, in whatever state."""
        return documents.count_documents(self._connection)

    def coverage(self, allowed: Allowed | None = None) -> Coverage:
        """Return how much could be searched at all."""
        within = None if allowed is None else self._indexes.document_rows(allowed)
        return status.read_coverage(self._connection, within)

    def count_outdated(self, pipeline: int) -> int:
        """Return how many documents another pipeline than this has indexed."""
        return documents.count_outdated(self._connection, pipeline)

    def status(self) -> CorpusStatus:
        """Return every document with its state, and totals."""
        return status.read_status(self._connection)

    # ------------------------------------------------------------ texts and places

    def text(self, document_id: DocumentId) -> str:
        """Return a document's whole canonical text."""
        return texts.read_text(self._connection, document_id)

    def excerpt(self, document_id: DocumentId, span: Span) -> Excerpt:
        """Return exactly the characters at `span` and their lines."""
        return texts.read_excerpt(self._connection, document_id, span)

    def surroundings(
        self, spans: Mapping[DocumentId, Sequence[Span]]
    ) -> Mapping[DocumentId, Surroundings]:
        """Return what is at spans of some documents."""
        return read_surroundings(self._connection, spans)

    def blocks(self, document_id: DocumentId) -> tuple[Block, ...]:
        """Return a document's blocks in text order."""
        return texts.read_blocks(self._connection, document_id)

    def parts(self, document_id: DocumentId) -> tuple[Part, ...]:
        """Return a document's pages, slides, sheets …; none where its format has none."""
        return texts.read_parts(self._connection, document_id)

    def fragments(self, document_id: DocumentId) -> FragmentStyle:
        """Return how links lead to characters of a document that lie in no part."""
        return texts.read_fragments(self._connection, document_id)

    def chunks(self, document_id: DocumentId) -> tuple[StoredChunk, ...]:
        """Return a document's chunks in text order."""
        return chunks.read_chunks(self._connection, document_id)

    def passages(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, StoredPassage]:
        """Return some chunks with their words and all a hit shows of their documents."""
        return texts.read_passages(self._connection, chunk_ids)

    def words_hashes(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, bytes]:
        """Return the hash of each chunk's own words."""
        return chunks.read_words_hashes(self._connection, chunk_ids)

    # ------------------------------------------------------------ ranking

    def allowed(self, conditions: Sequence[Condition]) -> Allowed:
        """Return the documents that satisfy all conditions."""
        return self._indexes.allowed(conditions)

    def count_chunks(self) -> int:
        """Return how many chunks can be found by words."""
        return self._indexes.count_chunks()

    def count_vectors(self) -> int:
        """Return how many chunks have a vector."""
        return self._indexes.count_vectors()

    def count_unembedded_documents(self) -> int:
        """Return how many documents have chunks without a vector."""
        return self._indexes.count_unembedded_documents()

    def languages(self) -> tuple[str, ...]:
        """Return the languages that documents and passages are in, ISO 639-1."""
        return self._indexes.languages()

    def by_words(self, query: Query, *, depth: int, allowed: Allowed | None) -> WordsFound:
        """Rank chunks by BM25 over the words of a question."""
        return self._indexes.by_words(query, depth=depth, allowed=allowed)

    def by_vector(self, vector: Vectors, *, depth: int, allowed: Allowed | None) -> Scored:
        """Rank chunks by cosine, exactly."""
        return self._indexes.by_vector(vector, depth=depth, allowed=allowed)

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each index term how many readable chunks hold it."""
        return self._indexes.frequencies(terms)

    @property
    def _indexes(self) -> "MomentIndexes":
        """The indexes as they are in this moment; those of a writing change with it."""
        from cytat.backends.sqlite.indexes.ranking import (  # noqa: PLC0415 - see the top
            MomentIndexes,
        )

        shared = self._shared_indexes()
        if self._ranked_by is None or self._ranked_by[0] is not shared:
            ranked = MomentIndexes(self._connection, shared, self._labels)
            self._ranked_by = shared, ranked
        return self._ranked_by[1]

    def vectors_of(self, passage_hashes: Collection[bytes]) -> Mapping[bytes, Vectors]:
        """Return the vectors that are there, by the hash of the passage they embed."""
        return spaces.read_vectors(self._connection, passage_hashes)

    def all_vectors(self) -> Iterator[tuple[ChunkId, Vectors]]:
        """Yield the vector of each chunk, by chunk id."""
        return spaces.read_all_vectors(self._connection)

    # ------------------------------------------------------------ what the corpus remembers

    def space(self) -> VectorSpace | None:
        """Return the space of the vectors in use; None before the first."""
        return spaces.read_space(self._connection)

    def pending_space(self) -> VectorSpace | None:
        """Return the space that a reindex is half way to; None when there is none."""
        return pending_space.read_pending(self._connection)

    def check_space(self, space: VectorSpace) -> None:
        """Refuse an encoder other than the corpus' own (VectorSpaceError)."""
        spaces.check_space(self._connection, space)

    def chunking(self) -> str | None:
        """Return the name of the chunking; None while there are no chunks."""
        return spaces.read_chunking(self._connection)

    def calibration(self) -> Calibration | None:
        """Return the calibration of the gate; None where there was none."""
        return spaces.read_calibration(self._connection)

    def making(self) -> Making | None:
        """Return what deriving this corpus has cost; None for one of its own."""
        return spaces.read_making(self._connection)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that were added; an owner's alone."""
        return status.read_folders(self._connection)

    def trace(self, trace_id: str | None) -> Trace:
        """Return a trace by its id, the latest by default; SourceError where there is none."""
        if trace_id is None:
            return traces.read_last_trace(self._connection)
        return traces.read_trace(self._connection, trace_id)


def _ended() -> SharedIndexes:
    raise RuntimeError("the moment has ended: rank inside the block that opened it")
