"""What a store keeps and returns: documents with their states, chunks, passages, faults."""

from collections.abc import Mapping
from dataclasses import dataclass

from cytat.records.documents import (
    Chunk,
    ChunkId,
    DocumentId,
    DocumentState,
    Ledger,
    Locator,
    Stamp,
    Version,
)


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Size and time of a file when it was read; only a hint, the version decides."""

    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A source that could not be read (`failed`), or holds nothing to read (`skipped`)."""

    document_id: DocumentId
    source: str
    state: DocumentState
    code: str
    message: str
    hint: str
    file: FileStamp | None
    ledger: Ledger | None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What a store keeps of a document, without its text, blocks and parts."""

    id: DocumentId
    source: str
    title: str
    media_type: str
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None
    version: Version | None
    file: FileStamp | None
    characters: int
    chunks: int
    """Counted."""
    language: str | None
    metadata: Mapping[str, str]
    """What can be filtered by: the document's own, overridden by `given`."""
    given: Mapping[str, str]
    """What the person added."""
    ledger: Ledger | None
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the hash of what is embedded of it, and of its own words."""

    chunk: Chunk
    passage_hash: bytes
    words_hash: bytes


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The characters at a span, and the lines (from 1) of its first and last character."""

    text: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk with its words and place, and what a hit shows of its document."""

    chunk: Chunk
    source: str
    title: str
    version: Version
    locator: Locator
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class StoreFault:
    """Something wrong in a store: `check` is what was looked at, the ids are empty for the whole.

    `what` is a sentence for people.
    """

    check: str
    document_id: str
    source: str
    what: str


@dataclass(frozen=True, slots=True)
class Making:
    """Seconds of each stage, and what was done in them: documents that change are rebuilt.

    Vectors that were found elsewhere cost nothing and do not count.
    """

    cutting_s: float
    cut_characters: int
    embedding_s: float
    embedded_tokens: int
    writing_s: float
    written_chunks: int


@dataclass(frozen=True, slots=True)
class PassageToEmbed:
    """A chunk without a vector in the next space, and the text that is to be embedded.

    `passage` is blank when the text is damaged: it has no vector then.
    """

    chunk_id: ChunkId
    passage_hash: bytes
    passage: str


@dataclass(frozen=True, slots=True)
class DocumentUpdate:
    """State and stamp of a document whose text stays, once it has other vectors."""

    document_id: DocumentId
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None
    ledger: Ledger | None
    stamp: Stamp | None
