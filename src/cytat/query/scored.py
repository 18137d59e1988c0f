"""What one ranker found: its best rows, every score it gave, and how these lie over the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """One ranker's scores for one query.

    `hits`: (chunk row, score), best first, ties by chunk id. `rows` and `scores`: every chunk that
    was given a score, in no order. `mean` and `deviation` are over all `searched` chunks, one
    without a score counting 0.
    """

    hits: tuple[tuple[int, float], ...]
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    mean: float
    deviation: float
    searched: int

    def scores_of(self, wanted: Sequence[int]) -> dict[int, float]:
        """Return the scores of the wanted rows; rows without a score are absent."""
        at = np.flatnonzero(np.isin(self.rows, np.array(wanted, dtype=np.int64)))
        return dict(zip(self.rows[at].tolist(), self.scores[at].tolist(), strict=True))


def scored_rows(
    hits: tuple[tuple[int, float], ...],
    *,
    rows: NDArray[np.int64],
    scores: NDArray[np.float64],
    searched: int,
) -> ScoredRows:
    """Return the record, with mean and deviation counted over all chunks searched."""
    mean = float(scores.sum()) / searched if searched else 0.0
    square = float(np.square(scores).sum()) / searched if searched else 0.0
    return ScoredRows(hits, rows, scores, mean, max(square - mean * mean, 0.0) ** 0.5, searched)
