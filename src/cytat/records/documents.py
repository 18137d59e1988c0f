"""What reading and cutting make: documents, their blocks and ledgers, chunks, stamps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cytat.records.places import ChunkId, DocumentId, Page, Span, Version


class BlockKind(StrEnum):
    """What a structural piece is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FURNITURE = "furniture"
    """A running header or footer, or front matter: kept once, in a chunk of its own."""


@dataclass(frozen=True, slots=True)
class Block:
    """A structural piece of a document.

    `heading_path` holds the headings above the block, outermost first; a heading's own path ends
    with itself. A path element need not be a block: "Art. 43" may open a paragraph.
    Blocks of one document are in text order and do not overlap; what lies between them is blank.
    """

    kind: BlockKind
    span: Span
    heading_path: tuple[str, ...]
    anchor: str | None = None
    """In HTML the nearest id at or before the block: where a link can lead."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the ledger has to name: which part, a stable code, a sentence."""

    part: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was read of one document, in counts of its parts (pages; the whole file otherwise).

    `parts == read + empty + ocr + failed`. `left_out` counts pieces inside the parts that were
    left out on purpose (running headers, boilerplate, scripts); `problems` names what matters.
    """

    parts: int
    read: int
    empty: int
    ocr: int
    failed: int
    left_out: int
    problems: tuple[Problem, ...]

    def __post_init__(self) -> None:
        if self.parts != self.read + self.empty + self.ocr + self.failed:
            raise ValueError(f"the ledger does not balance: {self}")


@dataclass(frozen=True, slots=True)
class Document:
    """One source after reading. Every span of the document points into `text`."""

    id: DocumentId
    source: str
    version: Version
    title: str
    media_type: str
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    """Empty for formats without pages."""
    metadata: Mapping[str, str]
    """Front matter and what the format tells (`author`, `date`, `encoding`)."""
    ledger: Ledger
    reader: str
    """Name and version of what read it, such as "pdf/1"."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of one document that is indexed and ranked as a unit.

    `context` is text from elsewhere in the document that is embedded and indexed with the chunk
    and never quoted: the head of a table that was cut between its rows. Empty for most.
    """

    id: ChunkId
    document_id: DocumentId
    span: Span
    heading_path: tuple[str, ...]
    context: str


class DocumentState(StrEnum):
    """How a document stands in the corpus."""

    INDEXED = "indexed"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    FAILED = "failed"
    STALE = "stale"


PIPELINE = 3
"""Rises when this program would make something else of the same bytes with the same settings."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a document version was made; two versions with equal stamps would be made alike."""

    version: Version
    reader: str
    chunking: str
    embedder: str
    dimensions: int
    weights: str
    """Hash that identifies the encoder's weights and its prefixes."""
    pipeline: int


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """What made the corpus' vectors; vectors of two spaces are never compared."""

    embedder: str
    dimensions: int
    weights: str
