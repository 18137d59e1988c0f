"""What measuring makes: an outcome per question, metrics with intervals, runs and comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cytat.records.documents import ChunkId, Span


class JudgedBy(StrEnum):
    """What a question's ranking is judged by: the finest that its gold names."""

    NEEDLES = "needles"
    CHUNKS = "chunks"
    TITLES = "titles"
    SOURCES = "sources"
    NOTHING = "nothing"


class Outcome(StrEnum):
    """How a reply turned out."""

    RIGHT = "right"
    WRONG = "wrong"
    LOST = "lost"
    """Refused, though the documents hold the answer."""
    REFUSED = "refused"
    """Refused, and rightly."""
    BLUFF = "bluff"
    """Answered, though the documents do not hold the answer."""
    NOT_JUDGED = "not-judged"
    """Answered; the gold does not say what would be right."""


class Cause(StrEnum):
    """Where a question went wrong, in the order in which things go wrong."""

    CUTTING = "cutting"
    RETRIEVAL = "retrieval"
    ANSWERING = "answering"
    REFUSING = "refusing"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that has to be found, and the first rank that holds it; None: not in the depth."""

    kind: JudgedBy
    text: str
    """The needle, chunk id, title or source."""
    rank: int | None
    is_destroyed: bool
    """A needle that no chunk holds whole."""


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A hit as a report shows it. `text` is None below the first few ranks."""

    rank: int
    chunk_id: ChunkId
    source: str
    place: str
    heading_path: tuple[str, ...]
    score: float
    is_right: bool
    """Holds a target."""
    text: str | None
    marks: tuple[Span, ...]
    """Places of the needles in `text`."""


@dataclass(frozen=True, slots=True)
class JudgedCitation:
    """A citation, and whether it overlaps a needle or names a right place; None: not judged."""

    marker: int
    source: str
    place: str
    quote: str
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, or a refusal with its reason, as a report shows it."""

    outcome: Outcome
    text: str
    reason: str | None
    """Of a refusal; None for an answer."""
    citations: tuple[JudgedCitation, ...]
    dropped: tuple[str, ...]
    """Statements of a draft that were taken out, with the reason."""
    invented_markers: int
    """Markers in the draft that match no passage."""
    margin: float | None
    """Log odds by which the gate's estimate lay above its threshold; None where a rule decided."""


class JudgeVerdict(StrEnum):
    """What a judging model said of a statement."""

    YES = "yes"
    NO = "no"
    UNREADABLE = "unreadable"
    """Neither: counted apart, not as a pass and not as a failure."""


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement, the metric it was judged for, and what the judge replied."""

    metric: str
    text: str
    verdict: JudgeVerdict
    said: str


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """One question of a run, with everything its report needs.

    `scores` holds a metric's value for this question; None: not measured. A metric that makes no
    sense for the question is absent.
    """

    id: str
    question: str
    group: str | None
    language: str | None
    """Of the question; None: it could not be recognised."""
    type: str | None
    """Of the documents that answer, by the ending of their names; None: none, or of several."""
    is_answerable: bool
    expected: str | None
    judged_by: JudgedBy
    targets: tuple[Target, ...]
    hits: tuple[RankedHit, ...]
    reply: Reply | None
    """None: only retrieval was measured."""
    judged: tuple[JudgedStatement, ...]
    """By a model; empty where none is named."""
    cause: Cause | None
    """None: nothing went wrong, or nothing could be judged."""
    scores: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric over the questions of a group (None: all), with its 95 % interval."""

    name: str
    group: str | None
    value: float | None
    low: float | None
    high: float | None
    interval: str | None
    """`wilson` for rates, `bootstrap` for other means; None: nothing was measured."""
    n: int
    not_measured: int


@dataclass(frozen=True, slots=True)
class Finding:
    """How many questions went wrong for one cause, and what to do about it."""

    cause: Cause | None
    """None: a sentence about the whole."""
    questions: int
    among: int
    advice: str


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one stage took, over the questions of a run."""

    name: str
    n: int
    median_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a run depends on. Runs compare if gold, documents, filter and depth are equal."""

    system: str
    """`cytat`, or what a run file of another system calls itself."""
    gold: str
    """Hash of the questions and their judgments."""
    documents: str
    """Hash of the versions of all documents."""
    where: tuple[str, ...]
    depth: int
    generation: int
    """Of the corpus file."""
    chunking: tuple[str, ...]
    chunks: int
    encoder: str
    weights: str
    mode: str
    evidence: int
    generator: str
    gate: str
    """`shipped`, or a hash of the calibration that was in force."""
    prompts: str
    judge: str
    """The judging model and a hash of the texts it is asked with, or `none`."""
    code: str
    """Version of cytat and a hash of its modules."""
    fusion: str


@dataclass(frozen=True, slots=True)
class EvalReport:
    """A run: what one corpus returned for a gold set."""

    fingerprint: Fingerprint
    metrics: tuple[MetricValue, ...]
    diagnosis: tuple[Finding, ...]
    """The worst first."""
    questions: tuple[QuestionOutcome, ...]
    timings: tuple[Timing, ...]
    notes: tuple[str, ...]


EQUAL = "cannot be told apart"
"""The verdict where chance explains a difference as well."""


@dataclass(frozen=True, slots=True)
class ComparedMetric:
    """One metric of two runs, paired by question."""

    name: str
    baseline: float
    value: float
    n: int
    better: int
    worse: int
    p: float
    p_corrected: float
    verdict: str
    """`better`, `worse` or `EQUAL`."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A run beside its baseline; `differences` says in what the two differ."""

    metrics: tuple[ComparedMetric, ...]
    differences: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvalProgress:
    """How far a run is."""

    done: int
    questions: int
    question: str


@dataclass(frozen=True, slots=True)
class GoldDraft:
    """A gold set written to be filled in by a person."""

    file: str
    seed: int
    cases: int
    """With a passage that answers."""
    unanswerable: int
    """Places for questions that must be refused."""
    documents: int
    """That the passages come from."""
    proposed: int
    """Cases for which a model proposed a question; they wait for review."""
    borrowed: MetricValue | None
    """Share of the proposals' words that occur in their passages; None: nothing was proposed."""
    generator: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far a judging model agrees with people; each metric's group is what was judged."""

    judge: str
    metrics: tuple[MetricValue, ...]
    notes: tuple[str, ...]
