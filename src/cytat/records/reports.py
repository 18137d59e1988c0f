"""What the corpus reports about itself: states, reports, texts shown, traces, checks."""

from collections.abc import Mapping
from dataclasses import dataclass

from cytat.records.calibration import Calibration
from cytat.records.documents import (
    ChunkId,
    DocumentId,
    DocumentState,
    Ledger,
    Locator,
    PageBox,
    Span,
    Stamp,
    TraceId,
    VectorSpace,
    Version,
)


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
    calibration: Calibration | None
    """Of the gate; None: it is as shipped."""


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
    share: float
    """How much of the work is done, from 0 to 1; never falls."""
    seconds_left: float | None
    """None until it can be estimated."""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk as `show --chunks` prints it: where it is and its own words."""

    number: int
    """Its place among all chunks of the document, from 1."""
    chunk_id: ChunkId
    span: Span
    locator: Locator
    heading_path: tuple[str, ...]
    tokens: int | None
    """Of the passage as it is embedded, headings included; None without the encoder."""
    language: str | None
    """That most of it is in, ISO 639-1."""
    text: str


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Canonical text of one stored document version, or a part of it."""

    source: str
    document_id: DocumentId
    version: Version
    text: str
    span: Span
    """The place of `text` in the canonical text."""
    chunks: tuple[ChunkText, ...]
    """Empty unless asked for."""


@dataclass(frozen=True, slots=True)
class SpanBoxes:
    """Where a span of a document is on its pages: one box for each line it touches."""

    source: str
    document_id: DocumentId
    version: Version
    span: Span
    boxes: tuple[PageBox, ...]


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


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found; a check that is not ok names the documents. Notes are not failures."""

    checks: tuple[Check, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a corpus file that was read back and found whole."""

    file: str
    sha256: str
    bytes: int
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Export:
    """A corpus in open formats: which files were written, and how much is in them."""

    folder: str
    files: tuple[str, ...]
    """Names within the folder; texts are counted, not named."""
    documents: int
    texts: int
    chunks: int
    vectors: int
