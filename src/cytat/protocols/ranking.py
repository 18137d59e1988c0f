"""What a store's rankings return: hits with raw scores, how scores lie, the text around hits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cytat.records import Block, ChunkId, Excerpt, FileStamp, FragmentStyle, Part, Span, Version


class Stretch(NamedTuple):
    """A stretch of a document's text, with its lines."""

    span: Span
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Stretches of a document, and all that is needed to cite from them without the store."""

    version: Version
    file: FileStamp | None
    """None: it was added from memory, and nobody else has it."""
    fragments: FragmentStyle
    blocks: tuple[Block, ...]
    """Those that begin in a stretch or reach into one, in text order."""
    parts: tuple[Part, ...]
    """All pages, slides, sheets …; none where the format has none."""
    stretches: tuple[Stretch, ...]


class ScoredChunk(NamedTuple):
    """One hit of one ranker."""

    chunk_id: ChunkId
    score: float


class Spread(NamedTuple):
    """How a ranker's scores lie over all chunks searched; a chunk without a score counts 0."""

    mean: float
    deviation: float


class Scored(Protocol):
    """One ranker's scores for one query. Valid while its moment is open."""

    @property
    def hits(self) -> Sequence[ScoredChunk]:
        """The best, with scores above 0 for words; scores never rise, ties by chunk id."""
        ...

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        ...

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks; one that has none, or may not be found, is absent."""
        ...

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched. Counted when it is asked for."""
        ...


@dataclass(frozen=True, slots=True)
class WordsFound:
    """What the words of a question found.

    `holders`: the hits that hold an identifier of the question whole, one that few chunks hold.
    `is_decided`: the question is nothing but identifiers that some chunk holds whole, so that
    other chunks do not answer it, however near. `missing`: identifiers that no chunk holds whole.
    `words_left_out`: of a very long question, how many words were not looked for.
    """

    scored: Scored
    holders: frozenset[ChunkId]
    is_decided: bool
    missing: tuple[str, ...]
    words_left_out: int


class Allowed(Protocol):
    """The documents that a filter keeps, pushed down into each search. Opaque but for its size."""

    @property
    def documents(self) -> int:
        """How many documents it keeps."""
        ...

    @property
    def chunks(self) -> int:
        """How many chunks these have."""
        ...
