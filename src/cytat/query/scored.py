"""What one ranker found: rows of chunks with scores, best first, and how scores lie over the corpus."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """The best rows of one ranker, and the spread of its scores over all chunks searched.

    `hits`: (chunk row, score), scores never rise, ties by chunk id. `mean` and `deviation` are
    over every chunk that was allowed, a chunk without a match counting 0.
    """

    hits: tuple[tuple[int, float], ...]
    mean: float
    deviation: float
    searched: int
    """Chunks that could have been hits."""
