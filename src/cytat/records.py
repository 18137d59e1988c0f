"""The frozen nouns. A record that exists is complete; what is not known yet is another type.

Positions are code points into one document's canonical text, half-open. JSON lives in
`surfaces.wire`; nothing here knows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NewType, Self

DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
Version = NewType("Version", str)
"""SHA-256 of the bytes read, in hexadecimal."""
TraceId = NewType("TraceId", str)


# ---------------------------------------------------------------- places


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
    TIME = "time"
    HEADING = "heading"
    LINE = "line"
    PART = "part"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Locator:
    """A span said for people (`label`) and for programs (`fragment`, with its leading `#`)."""

    kind: LocatorKind
    label: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a document's text with a number (from 1) and the printed label, if any."""

    number: int
    label: str | None
    span: Span


# ---------------------------------------------------------------- documents


class BlockKind(StrEnum):
    """What a structural piece is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FURNITURE = "furniture"
    """A running header or footer: kept once per document, in a chunk of its own."""


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


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """One row of the corpus' own account of itself; counts are recounts."""

    source: str
    document_id: DocumentId
    title: str
    state: DocumentState
    code: str | None
    message: str | None
    version: Version | None
    chunks: int
    characters: int
    language: str | None
    ledger: Ledger | None
    stamp: Stamp | None
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """All documents with their states, counts per state and kind, and the corpus' stamp."""

    documents: tuple[DocumentStatus, ...]
    totals: Mapping[str, int]
    stamp: VectorSpace | None


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What `add` did with one source."""

    source: str
    document_id: DocumentId
    state: str
    """added | updated | unchanged | removed | skipped | failed, or `partial` with a code."""
    chunks: int
    characters: int
    code: str | None
    message: str | None
    hint: str | None
    ledger: Ledger | None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one `add` did."""

    added: tuple[FileOutcome, ...]
    updated: tuple[FileOutcome, ...]
    unchanged: tuple[FileOutcome, ...]
    removed: tuple[FileOutcome, ...]
    skipped: tuple[FileOutcome, ...]
    failed: tuple[FileOutcome, ...]
    totals: Mapping[str, int]
    seconds: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work is."""

    files: int
    """All there are to do."""
    files_done: int
    chunks: int
    """Written so far."""
    source: str
    """What is being worked on."""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk as `show --chunks` prints it: where it is and its own words."""

    chunk_id: ChunkId
    span: Span
    locator: Locator
    heading_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Canonical text of one stored document version, or a part of it."""

    source: str
    document_id: DocumentId
    version: Version
    text: str
    span: Span
    """Where `text` stands in the canonical text."""
    chunks: tuple[ChunkText, ...]
    """Empty unless asked for."""


# ---------------------------------------------------------------- search


@dataclass(frozen=True, slots=True)
class Why:
    """Where a hit stood in each list; None where the list does not hold it."""

    words_rank: int | None
    words_score: float | None
    vectors_rank: int | None
    vectors_score: float | None
    rerank_score: float | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One row of a ranking, complete enough to show and to cite."""

    chunk_id: ChunkId
    document_id: DocumentId
    source: str
    title: str
    rank: int
    score: float
    span: Span
    locator: Locator
    heading_path: tuple[str, ...]
    text: str
    why: Why


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits of one query, best first: ranks 1..n, ids unique, scores never rise; ties by id."""

    query: str
    mode: str
    hits: tuple[Hit, ...]
    trace_id: TraceId | None
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        if [hit.rank for hit in self.hits] != list(range(1, len(self.hits) + 1)):
            raise ValueError("ranks are not 1..n")
        if len({hit.chunk_id for hit in self.hits}) != len(self.hits):
            raise ValueError("a chunk stands twice in a ranking")
        scores = [hit.score for hit in self.hits]
        if any(after > before for before, after in pairwise(scores)):
            raise ValueError("scores rise along a ranking")


# ---------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote and its place. Made by `grounding.cite` only, which reads the span again."""

    marker: int
    document_id: DocumentId
    source: str
    title: str
    quote: str
    span: Span
    locator: Locator
    heading_path: tuple[str, ...]
    version: Version
    stale: bool
    """The file has changed since it was indexed, or is gone."""


class Verdict(StrEnum):
    """The outcome of grounding one statement."""

    QUOTED = "quoted"
    SUPPORTED = "supported"
    UNCHECKED = "unchecked"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Statement:
    """The smallest part of an answer that can be true or false alone, with its markers."""

    text: str
    markers: tuple[int, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class DroppedStatement:
    """A statement of a draft that is not part of the answer, and why."""

    text: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Confidence:
    """A calibrated estimate, and the data it was calibrated on."""

    value: float
    calibrated_on: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Text whose statements all carry citations; without a citation it cannot be built."""

    question: str
    language: str
    text: str
    complete: bool
    statements: tuple[Statement, ...]
    dropped: tuple[DroppedStatement, ...]
    citations: tuple[Citation, ...]
    generator: str
    evidence: tuple[ChunkId, ...]
    confidence: Confidence | None
    notes: tuple[str, ...]
    trace_id: TraceId | None

    def __post_init__(self) -> None:
        if not self.citations or not self.statements:
            raise ValueError("an answer needs at least one statement and one citation")
        markers = {citation.marker for citation in self.citations}
        if any(
            not statement.markers or not set(statement.markers) <= markers
            for statement in self.statements
        ):
            raise ValueError("every statement needs markers that stand for citations")


class RefusalReason(StrEnum):
    """Why there is no answer."""

    EMPTY_CORPUS = "empty-corpus"
    NO_EVIDENCE = "no-evidence"
    WEAK_EVIDENCE = "weak-evidence"
    NOT_IN_EVIDENCE = "not-in-evidence"
    UNSUPPORTED_DRAFT = "unsupported-draft"
    CONFLICTING_SOURCES = "conflicting-sources"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the corpus could be searched at all."""

    documents: int
    failed: int
    unread_parts: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A declared non-answer with a reason and the nearest hits: a result, not a failure."""

    question: str
    language: str
    reason: RefusalReason
    text: str
    nearest: tuple[Hit, ...]
    coverage: Coverage
    notes: tuple[str, ...]
    trace_id: TraceId | None


@dataclass(frozen=True, slots=True)
class TraceStage:
    """What one stage received, returned and took (milliseconds)."""

    name: str
    input: Mapping[str, object]
    output: Mapping[str, object]
    ms: float


@dataclass(frozen=True, slots=True)
class Trace:
    """The stages of one search or ask; kept in the corpus only."""

    id: TraceId
    verb: str
    question: str
    at: str
    """UTC, ISO 8601."""
    stages: tuple[TraceStage, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `doctor` or `verify`."""

    name: str
    ok: bool
    value: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `doctor` found; `contacts` are all the addresses that settings name."""

    checks: tuple[Check, ...]
    contacts: tuple[str, ...]
