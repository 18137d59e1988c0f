"""For tests of rankers and fusions: the law every ranking keeps, and a ranker's scores by hand."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cytat.protocols import ScoredChunk, Spread
from cytat.records import ChunkId


def assert_lawful(ranked: Sequence[tuple[ChunkId, float]]) -> None:
    """Fail unless no chunk is in a ranking twice, scores never rise, and ties go by chunk id."""
    chunk_ids = [chunk_id for chunk_id, _ in ranked]
    if len(set(chunk_ids)) != len(chunk_ids):
        raise AssertionError(f"a chunk is there twice: {chunk_ids}")
    keys = [(-score, chunk_id) for chunk_id, score in ranked]
    if keys != sorted(keys):
        raise AssertionError(f"scores rise, or ties are not by chunk id: {ranked}")


@dataclass(frozen=True, slots=True)
class GivenScores:
    """Scores by chunk id, all of them hits, best first; implements `Scored`."""

    scores: Mapping[str, float] | Mapping[ChunkId, float]
    searched: int
    mean: float
    deviation: float

    @property
    def hits(self) -> Sequence[ScoredChunk]:
        """The chunks with a score, best first, ties by chunk id."""
        ranked = sorted(self.scores.items(), key=lambda pair: (-pair[1], pair[0]))
        return [ScoredChunk(ChunkId(chunk_id), score) for chunk_id, score in ranked]

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores that are given."""
        return {one: self.scores[one] for one in chunk_ids if one in self.scores}

    def spread(self) -> Spread:
        """Return mean and deviation as they are given."""
        return Spread(self.mean, self.deviation)
