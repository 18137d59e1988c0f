"""One search: what is asked for, what it returns, and the clock of its stages."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from cytat.errors import UsageError
from cytat.protocols import Spread
from cytat.records import Condition, Hit, Query, Ranking, TraceStage
from cytat.retrieval.fusion import DEFAULT_FUSION, FusionRule
from cytat.text.notes import Note, texts_of


class Mode(StrEnum):
    """Which arms rank."""

    HYBRID = "hybrid"
    WORDS = "words"
    VECTORS = "vectors"


def parse_mode(name: str) -> Mode:
    """Return the mode of a name, or raise `UsageError`."""
    if name not in set(Mode):
        raise UsageError(f"unknown mode {name!r}", hint=f"one of: {', '.join(Mode)}")
    return Mode(name)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search: how many hits of which question are wanted, and how they are ranked."""

    question: str
    depth: int
    mode: Mode = Mode.HYBRID
    conditions: tuple[Condition, ...] = ()
    """Documents that do not satisfy all of them are not searched."""
    fusion: FusionRule = DEFAULT_FUSION


@dataclass(frozen=True, slots=True)
class QuestionStatistics:
    """How a question's words and its vector lie in the whole corpus, as the user may read it."""

    chunks: int
    frequencies: Mapping[str, int]
    """Index term of a content word -> chunks that hold it."""
    cosines: Spread | None
    """Of the question's cosine over all chunks searched; None when vectors did not rank."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a question found in one moment of the corpus, and what has to be said about it."""

    query: Query
    mode: Mode
    generation: int
    hits: tuple[Hit, ...]
    statistics: QuestionStatistics
    notes: tuple[Note, ...]
    stages: tuple[TraceStage, ...]

    def ranking(self) -> Ranking:
        """Return the hits as a person gets them; no trace of them has been kept yet."""
        notes = texts_of(self.notes, self.query.language)
        return Ranking(self.query.text, self.mode.value, self.hits, None, notes)


class Stages:
    """Times stages: each lasts from the end of the one before."""

    def __init__(self) -> None:
        """Begin to time the first."""
        self._taken: list[TraceStage] = []
        self._since = time.perf_counter()

    def end(self, name: str, given: Mapping[str, object], seen: Mapping[str, object]) -> None:
        """End a stage: what it received and what it returned."""
        now = time.perf_counter()
        self._taken.append(TraceStage(name, given, seen, (now - self._since) * 1000))
        self._since = now

    def taken(self) -> tuple[TraceStage, ...]:
        """Return the stages that have ended, in order."""
        return tuple(self._taken)
