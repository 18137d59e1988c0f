"""What reading and cutting make: ids, spans, documents, blocks, ledgers, chunks, stamps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType, Self

DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
Version = NewType("Version", str)
"""SHA-256 of the bytes read, in hexadecimal."""
TraceId = NewType("TraceId", str)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range `[start, end)` of code points in one document's canonical text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}:{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters of `text` in this span; they must all be there."""
        if self.end > len(text):
            raise ValueError(f"span {self.start}:{self.end} ends past {len(text)} characters")
        return text[self.start : self.end]

    def overlaps(self, other: Self) -> bool:
        """Say whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def holds(self, other: Self) -> bool:
        """Say whether `other` lies within this span."""
        return self.start <= other.start and other.end <= self.end


class LocatorKind(StrEnum):
    """The honest unit of place of a format."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"
    ROW = "row"
    FIELD = "field"
    TIME = "time"
    HEADING = "heading"
    LINE = "line"
    PATH = "path"
    PART = "part"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Locator:
    """A span said for people (`label`) and for programs (`fragment`, with its leading `#`)."""

    kind: LocatorKind
    label: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document's text with its own place: a page, a slide, a row, a mail part.

    A reader writes it; `text.locators` makes a locator of the parts that a span touches.
    """

    kind: LocatorKind
    label: str
    """What people call it: the printed number of a page, `Arkusz1!B3:D7`, `02:12–02:39`."""
    fragment: str
    """What a link to it ends with, with its leading `#`."""
    span: Span
    number: int | None
    """Where parts of this kind are counted: from 1, in text order."""


class FragmentStyle(StrEnum):
    """How a link leads to characters that lie in no `Part`."""

    CHARACTERS = "characters"
    """`#char=28215,28701`: by their positions in the canonical text."""
    WORDS = "words"
    """`#id:~:text=first,last`: by their words, which a browser looks for on the page."""


@dataclass(frozen=True, slots=True)
class PageBox:
    """A rectangle on a page (from 1) as it is shown, in points from its upper left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class BlockKind(StrEnum):
    """What a structural piece is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FURNITURE = "furniture"
    """A running header or footer, front matter, a table of contents: in a chunk of its own."""


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
    parts: tuple[Part, ...]
    """Pages, slides, sheets and the like, in text order; empty for formats without them."""
    fragments: FragmentStyle
    metadata: Mapping[str, str]
    """Front matter and what the format says (`author`, `date`, `encoding`)."""
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
    """The state of a document in the corpus."""

    INDEXED = "indexed"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    FAILED = "failed"
    STALE = "stale"


PIPELINE = 4
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

    def is_same_as(self, other: "VectorSpace") -> bool:
        """Say whether vectors can be compared: a name may change, the weights make a space."""
        return (self.dimensions, self.weights) == (other.dimensions, other.weights)
