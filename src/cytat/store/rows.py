"""The records that cross the store's border, and their JSON columns. One shape, both ways."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    Copy,
    Document,
    DocumentId,
    DocumentState,
    Ledger,
    Page,
    Problem,
    Span,
    Stamp,
    Version,
    Why,
)

StoredValue: TypeAlias = str | int | float | bytes | None
"""What a table cell holds."""
Row: TypeAlias = tuple[Any, ...]
"""A row as APSW hands it over: the columns of its statement, unpacked where they are read."""

Given: TypeAlias = Mapping[str, str]
"""Metadata that a person added."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Size and time of a file when it was read; only a hint, the version decides."""

    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class NewVersion:
    """Everything of a document version but its words and vectors.

    `given` is what the person added; it overrides the document's own metadata of the same name.
    """

    document: Document
    chunks: Sequence[Chunk]
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None
    file: FileStamp | None
    language: str | None
    given: Given
    stamp: Stamp


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
    """One row of `document`, without its text, blocks and pages."""

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
    given: Given
    """What the person added."""
    ledger: Ledger | None
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the key its words and its vector are filed under."""

    row: int
    chunk: Chunk
    passage_hash: bytes
    words_hash: bytes


@dataclass(frozen=True, slots=True)
class ChunkKey:
    """What ranking needs to know of a chunk: ties go by `id`, copies share a `words_hash`."""

    id: ChunkId
    words_hash: bytes


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The characters at a span, and the lines (from 1) of its first and last character."""

    text: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk's words, with what stands beside them and where they stand."""

    place: Copy
    context: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of a ranking before it is made into a hit; `excerpt`, if its words were read."""

    row: int
    score: float
    why: Why
    copies: tuple[Copy, ...] = ()
    excerpt: Excerpt | None = None


def text_hash(text: str) -> bytes:
    """Return the SHA-256 of a text: of a passage, the key under which its vector is found again."""
    return hashlib.sha256(text.encode()).digest()


# ---------------------------------------------------------------- JSON columns


def dump_json(value: object) -> str:
    """Return the one spelling of a value: no blanks, keys sorted, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def dump_reading(document: Document) -> str:
    """Return a document's pages and blocks."""
    pages = [[page.number, page.label, page.span.start, page.span.end] for page in document.pages]
    return dump_json({"blocks": list(map(_block_values, document.blocks)), "pages": pages})


def _block_values(block: Block) -> list[object]:
    """Return a block as JSON; an anchor is written only where there is one."""
    values: list[object] = [
        block.kind.value,
        block.span.start,
        block.span.end,
        list(block.heading_path),
    ]
    return values if block.anchor is None else [*values, block.anchor]


def parse_pages(reading: str) -> tuple[Page, ...]:
    """Return the pages in a `reading` column."""
    return tuple(
        Page(number, label, Span(start, end))
        for number, label, start, end in json.loads(reading)["pages"]
    )


def parse_blocks(reading: str) -> tuple[Block, ...]:
    """Return the blocks in a `reading` column."""
    return tuple(
        Block(BlockKind(kind), Span(start, end), tuple(path), anchor[0] if anchor else None)
        for kind, start, end, path, *anchor in json.loads(reading)["blocks"]
    )


def dump_optional(record: Ledger | Stamp | None) -> str | None:
    """Return a ledger or stamp as JSON, or None."""
    return None if record is None else dump_json(asdict(record))


def parse_ledger(column: str | None) -> Ledger | None:
    """Return the ledger in a column."""
    if column is None:
        return None
    fields = json.loads(column)
    problems = tuple(Problem(**problem) for problem in fields.pop("problems"))
    return Ledger(**fields, problems=problems)


def parse_stamp(column: str | None) -> Stamp | None:
    """Return the stamp in a column."""
    return None if column is None else Stamp(**json.loads(column))


def parse_path(column: str) -> tuple[str, ...]:
    """Return the heading path in a column."""
    return tuple(json.loads(column))


def parse_texts(column: str) -> Mapping[str, str]:
    """Return a mapping of texts, such as metadata."""
    texts: dict[str, str] = json.loads(column)
    return texts
