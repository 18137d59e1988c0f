"""What the rest of the system needs of storage: a corpus, its moments, its writes, its upkeep.

Ids are those of the records. No connection, cursor or row number of one back-end crosses this
border, and nothing here says how a back-end keeps what it is given. SQLite is the first back-end
(`backends.sqlite`); a small one in memory is the second (`backends.memory`). Each passes
`testing.stores.StoreContract`.

    Store ─ moment() ──▶ Moment: reads, all of one snapshot, as one user may read it
          ─ writing() ─▶ Writing: a Moment that can also be changed; whole or not at all
          ─ upkeep ────▶ Upkeep: verify, back up, purge, another vector space
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cytat.protocols.models import Vectors
from cytat.protocols.ranking import Allowed, Scored, Surroundings, WordsFound
from cytat.protocols.upkeep import Upkeep
from cytat.records import (
    Block,
    Calibration,
    Chunk,
    ChunkId,
    Condition,
    CorpusStatus,
    Coverage,
    Document,
    DocumentId,
    DocumentState,
    Excerpt,
    FileStamp,
    FragmentStyle,
    Making,
    Part,
    Query,
    Span,
    Stamp,
    StoredChunk,
    StoredDocument,
    StoredPassage,
    Trace,
    Unread,
    VectorSpace,
)


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A document version with everything its index needs; written in one piece.

    `given` is what the person added; it overrides the document's own metadata of the same name.
    """

    document: Document
    chunks: Sequence[Chunk]
    terms: Sequence[Sequence[str]]
    """Of each chunk, in the order of `chunks`: its index terms, as often as they occur."""
    vectors: Mapping[bytes, Vectors]
    """By `text_hash` of the passage; shape (dimensions,), length 1. A chunk may have none."""
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None
    file: FileStamp | None
    language: str | None
    given: Mapping[str, str]
    stamp: Stamp


class Moment(Protocol):
    """One snapshot of the corpus, as its owner or one user may read it.

    Everything it returns is of the same instant. A user's rights hold in every method, in counts
    and statistics too: what may not be read is as if it were not there. A moment belongs to the
    thread that opened it, and must be closed before a language model is waited for.
    """

    @property
    def generation(self) -> int:
        """How many committed writes have changed documents or vectors."""
        ...

    # documents

    def resolve(self, source: str) -> StoredDocument:
        """Return the document named by id, source, absolute path or unambiguous tail.

        Raises:
            SourceError: it names none, or several.
        """
        ...

    def document(self, document_id: DocumentId) -> StoredDocument | None:
        """Return one document, or None if no document has this id."""
        ...

    def documents(self) -> Sequence[StoredDocument]:
        """Return all documents by source; thousands are parsed: not for a question's path."""
        ...

    def sources(self) -> Mapping[DocumentId, str]:
        """Return the source of every document."""
        ...

    def count_documents(self) -> int:
        """Return how many documents there are, in any state."""
        ...

    def coverage(self, allowed: Allowed | None = None) -> Coverage:
        """Return how much could be searched at all, counted by the store, not row by row."""
        ...

    def count_outdated(self, pipeline: int) -> int:
        """Return how many documents another pipeline than this has indexed."""
        ...

    def status(self) -> CorpusStatus:
        """Return every document with its state, and totals, counted now."""
        ...

    # texts and places

    def text(self, document_id: DocumentId) -> str:
        """Return a document's whole canonical text."""
        ...

    def excerpt(self, document_id: DocumentId, span: Span) -> Excerpt:
        """Return exactly the characters at `span` and their lines; ValueError if not all there."""
        ...

    def surroundings(
        self, spans: Mapping[DocumentId, Sequence[Span]]
    ) -> Mapping[DocumentId, Surroundings]:
        """Return what is at spans of some documents, in few steps: the evidence of a question.

        A span that ends past the text is cut to it. A document that is not there is absent.
        """
        ...

    def blocks(self, document_id: DocumentId) -> Sequence[Block]:
        """Return a document's blocks in text order."""
        ...

    def parts(self, document_id: DocumentId) -> Sequence[Part]:
        """Return the pages, slides, sheets … of a document; none where its format has none."""
        ...

    def fragments(self, document_id: DocumentId) -> FragmentStyle:
        """Return how links lead to characters of a document that lie in no part."""
        ...

    def chunks(self, document_id: DocumentId) -> Sequence[StoredChunk]:
        """Return a document's chunks in text order."""
        ...

    def passages(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, StoredPassage]:
        """Return some chunks with their words and all a hit shows of their documents.

        Raises:
            CorpusFormatError: an index names a chunk that is not there.
        """
        ...

    def words_hashes(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, bytes]:
        """Return the hash of each chunk's own words: equal words, equal hashes."""
        ...

    # ranking

    def allowed(self, conditions: Sequence[Condition]) -> Allowed:
        """Return the documents that satisfy all conditions."""
        ...

    def count_chunks(self) -> int:
        """Return how many chunks can be found by words."""
        ...

    def count_vectors(self) -> int:
        """Return how many chunks have a vector."""
        ...

    def count_unembedded_documents(self) -> int:
        """Return how many documents have chunks without a vector."""
        ...

    def languages(self) -> Sequence[str]:
        """Return the languages that documents and passages are in, ISO 639-1."""
        ...

    def by_words(self, query: Query, *, depth: int, allowed: Allowed | None) -> WordsFound:
        """Rank chunks by BM25 over the words of a question. Rarity is that of all readable chunks.

        A filter (`allowed`) says what may be a hit and leaves rarity and lengths as they are.
        """
        ...

    def by_vector(self, vector: Vectors, *, depth: int, allowed: Allowed | None) -> Scored:
        """Rank chunks by cosine, exactly. `vector`: shape (dimensions,), float32, length 1."""
        ...

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each index term how many readable chunks hold it."""
        ...

    def vectors_of(self, passage_hashes: Collection[bytes]) -> Mapping[bytes, Vectors]:
        """Return the vectors that are there, by `text_hash` of the passage they embed."""
        ...

    def all_vectors(self) -> Iterator[tuple[ChunkId, Vectors]]:
        """Yield the vector of each chunk, by chunk id."""
        ...

    # what the corpus remembers of itself

    def space(self) -> VectorSpace | None:
        """Return the space of the vectors in use; None before the first."""
        ...

    def pending_space(self) -> VectorSpace | None:
        """Return the space that a reindex is half way to."""
        ...

    def check_space(self, space: VectorSpace) -> None:
        """Refuse an encoder other than the corpus' own (VectorSpaceError)."""
        ...

    def chunking(self) -> str | None:
        """Return the name of the chunking; None while there are no chunks."""
        ...

    def calibration(self) -> Calibration | None:
        """Return the calibration of the gate; None where there was none."""
        ...

    def making(self) -> Making | None:
        """Return what deriving this corpus from another has cost; None if it was not derived."""
        ...

    def folders(self) -> Sequence[Path]:
        """Return the folders that were added; an owner's alone."""
        ...

    def trace(self, trace_id: str | None) -> Trace:
        """Return a trace by its id, the latest by default; SourceError if there is none."""
        ...


class Writing(Moment, Protocol):
    """A moment that can be changed; all of it is on disk when its block ends, or nothing is.

    The generation rises at the end, after everything else, when documents or vectors changed.
    """

    def replace(self, new: NewVersion) -> None:
        """Write a document version in place of the last one, words and vectors included.

        The document's own label stays. One without a label whose content is new to it takes the
        label that its name had, or its content has or had, whatever became of the documents.
        """
        ...

    def record_unread(self, unread: Unread) -> DocumentState:
        """Write down a source that was not read; a good version from before stays, as stale.

        One that is new takes the label that its name had.
        """
        ...

    def add_metadata(self, document_id: DocumentId, given: Mapping[str, str]) -> None:
        """Add to what a person said of a document whose version stays."""
        ...

    def set_label(self, document_id: DocumentId, label: str) -> bool:
        """Say who may read a document, "" for everyone; return whether that is new.

        Labels that its name and its content had before are forgotten.
        """
        ...

    def label(self, document_id: DocumentId) -> str | None:
        """Return who may read a document, "" for everyone; None where there is none."""
        ...

    def remove(self, document_id: DocumentId) -> bool:
        """Remove a document whole, but for its label; say whether there was one."""
        ...

    def want_purge(self) -> None:
        """Write down that a purge is wanted, until it has ended; or refuse (NotAllowedError)."""
        ...

    def claim_space(self, space: VectorSpace) -> None:
        """Make `space` the corpus' own, or refuse it (VectorSpaceError)."""
        ...

    def set_chunking(self, name: str) -> None:
        """Write down how the corpus is cut from now on."""
        ...

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Put a calibration in place of the last; None brings back the shipped gate."""
        ...

    def set_making(self, making: Making) -> None:
        """Mark the corpus as derived from another, and write down the costs so far."""
        ...

    def add_folder(self, path: Path, label: str | None = None) -> None:
        """Remember a folder that was added: files that vanish from it leave the index.

        With a label, a document that comes into it, or into a folder in it, has that label.
        """
        ...


class Store(Protocol):
    """A corpus, open for its owner or for one user. May be used from several threads."""

    @property
    def name(self) -> str:
        """The corpus as a person named it: a path, or a URL without its password."""
        ...

    @property
    def file(self) -> Path | None:
        """The file the corpus is kept in, which is never a document of it; None: in no file."""
        ...

    @property
    def base(self) -> Path:
        """The folder that sources are named from."""
        ...

    @property
    def labels(self) -> frozenset[str] | None:
        """Those of the user it is open for; None for the owner."""
        ...

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written: no trace is kept then."""
        ...

    @property
    def damage(self) -> str | None:
        """What of the index the last write found damaged and left alone; None: nothing."""
        ...

    def moment(self) -> AbstractContextManager[Moment]:
        """Open one snapshot. Inside another moment of the same thread it is that one."""
        ...

    def writing(self) -> AbstractContextManager[Writing]:
        """Write all of the block or nothing; waits for other writers. Nested: a savepoint.

        Raises:
            NotAllowedError: it is open for a user.
        """
        ...

    def record_trace(self, trace: Trace) -> None:
        """Keep a trace; the oldest go. A power cut may take the last ones, and nothing else."""
        ...

    @property
    def upkeep(self) -> Upkeep:
        """What the owner does to keep the corpus sound."""
        ...

    def close(self) -> None:
        """Close it; it cannot be used after. No moment of another thread may be open."""
        ...


class OpenStore(Protocol):
    """What is registered under the entry-point group `cytat.stores`."""

    @property
    def engine(self) -> str:
        """Name and version of what keeps the corpus, such as "SQLite 3.51.3"."""
        ...

    def __call__(self, name: str, *, create: bool, labels: Collection[str] | None) -> Store:
        """Open a corpus.

        Args:
            name: as a person wrote it: a path, or a URL.
            create: make a corpus if there is none.
            labels: of the user it is opened for; None for its owner.

        Raises:
            CorpusMissingError: there is no corpus, and `create` is false.
            CorpusFormatError: the file is not a corpus, or was made by a newer program.
        """
        ...
