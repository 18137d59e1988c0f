"""What comparing many ways to cut, embed and rank makes: variants, their figures, their price."""

from collections.abc import Mapping
from dataclasses import dataclass

from cytat.records.evaluation import ComparedMetric, Finding, Fingerprint, MetricValue


@dataclass(frozen=True, slots=True)
class SweepAxes:
    """What is tried on each axis, as a person writes it."""

    chunking: tuple[str, ...]
    budget: tuple[int, ...]
    """Tokens of a chunk, where the chunking itself does not say."""
    embedder: tuple[str, ...]
    mode: tuple[str, ...]
    fusion: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """A way to cut, embed and rank, each named as a person names it."""

    chunking: str
    embedder: str
    mode: str
    fusion: str


@dataclass(frozen=True, slots=True)
class Price:
    """What a way to cut and embed costs.

    Tokens are those of passages as they are embedded, counted by the variant's own encoder.
    """

    chunks: int
    tokens: int
    mean_tokens: float
    """Of a chunk."""
    heading_tokens: int
    """Spent on heading paths; titles, which every chunking puts in front, do not count."""
    heading_share: float
    """Of all tokens."""
    past_window: int
    """Chunks whose end the encoder does not see."""
    embedding_s: float | None
    """To embed all chunks, at the rate measured on those that had to be, else on a few of them;
    None: no index had to be made."""
    indexing_s: float | None
    """To cut, embed and write all of the stored text; None as above."""
    search_ms: float
    """Median of a question, its own embedding included."""
    file_bytes: int


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """A metric of one group of questions beside the baseline's."""

    group: str
    metric: ComparedMetric


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to cut, embed and rank: its figures, beside those of the baseline."""

    name: str
    differs: tuple[str, ...]
    """The axes on which it differs from the baseline; none for the baseline itself."""
    setup: Setup
    fingerprint: Fingerprint
    metrics: tuple[MetricValue, ...]
    compared: tuple[ComparedMetric, ...]
    """Over all questions; none for the baseline itself."""
    by_group: tuple[GroupComparison, ...]
    diagnosis: tuple[Finding, ...]
    price: Price


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """A question, and how near it is to what answers and to what does not."""

    question: str
    similar: float
    """Cosine to the nearest passage that answers."""
    different: float
    """Cosine to the nearest passage that does not."""


@dataclass(frozen=True, slots=True)
class Margin:
    """How well an encoder keeps apart what answers and what does not, by cosine alone."""

    variant: str
    embedder: str
    pairs: int
    lowest_similar: float
    highest_different: float
    margin: float
    """The one less the other: above 0, one threshold would part all pairs."""
    questions: int
    """That have pairs of both kinds."""
    negative: int
    """Of these, how many are nearer to something that does not answer."""
    worst: tuple[SimilarPair, ...]
    """Of those, the first few."""


@dataclass(frozen=True, slots=True)
class EvalSweep:
    """Variants on one gold set, the baseline first."""

    questions: int
    depth: int
    varied: tuple[str, ...]
    """The axes on which variants differ from the baseline."""
    groups: Mapping[str, tuple[str, ...]]
    """Groups of questions, each with those of the gold set that it pools: often itself alone."""
    variants: tuple[Variant, ...]
    margins: tuple[Margin, ...]
    comparisons: int
    """How many tests over all questions the p-values are corrected for."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep is."""

    variant: str
    variants_done: int
    variants: int
    doing: str
    """`indexing` or `asking`."""
    share: float
    """Of what is being done, from 0 to 1."""
    seconds_left: float | None
    """Of what is being done; None until it can be estimated."""
