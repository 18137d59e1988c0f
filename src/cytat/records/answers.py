"""Query, hits and what they become: answers, statements, citations and refusals."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from cytat.records.documents import ChunkId, DocumentId, Locator, Span, TraceId, Version


@dataclass(frozen=True, slots=True)
class TermGroup:
    """One word of a question with everything that counts as the same word.

    `alternatives`: any of these terms is the word itself; for an identifier, the whole.
    `parts`: for an identifier or compound, each part with its own alternatives; empty otherwise.
    """

    surface: str
    alternatives: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    is_identifier: bool
    is_stop: bool

    def met_by(self, terms: Collection[str]) -> bool:
        """Say whether a text with these terms holds the word, or the identifier whole."""
        return any(term in terms for term in self.alternatives)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the retrievers take it: its text, its language if known, its words."""

    text: str
    language: str | None
    groups: tuple[TermGroup, ...]

    @property
    def content(self) -> tuple[TermGroup, ...]:
        """The words that carry content; all words when a question has none that do."""
        return tuple(group for group in self.groups if not group.is_stop) or self.groups


@dataclass(frozen=True, slots=True)
class Condition:
    """One `KEY=VALUE` of a filter, with its sign."""

    key: str
    sign: str
    values: tuple[str, ...]
    """Alternatives; empty only for `KEY=`."""

    @property
    def text(self) -> str:
        """The condition as a person writes it."""
        return f"{self.key}{self.sign}{','.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Why:
    """Where a hit stood in each list; None where the list does not hold it."""

    words_rank: int | None
    words_score: float | None
    vectors_rank: int | None
    vectors_score: float | None
    rerank_score: float | None


@dataclass(frozen=True, slots=True)
class Copy:
    """A passage that says the same as a hit, word for word, and was left out in its favour."""

    chunk_id: ChunkId
    document_id: DocumentId
    source: str
    title: str
    heading_path: tuple[str, ...]
    span: Span


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
    copies: tuple[Copy, ...] = ()
    """Best first."""


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
            raise ValueError("a ranking lists a chunk twice")
        scores = [hit.score for hit in self.hits]
        if any(after > before for before, after in pairwise(scores)):
            raise ValueError("scores rise along a ranking")


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
            raise ValueError("every statement needs markers of citations")


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
