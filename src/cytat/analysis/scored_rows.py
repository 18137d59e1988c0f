"""Rows of an index: those that a filter keeps, and those that one ranker scored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


class AllowedRows:
    """Rows that may be found. Immutable, so that a mask is made once for a search."""

    def __init__(self, rows: Iterable[int]) -> None:
        """Take chunk rows, in any order."""
        given = rows if isinstance(rows, np.ndarray) else np.fromiter(rows, dtype=np.int64)
        self.rows: NDArray[np.int64] = given.astype(np.int64, copy=False)
        if not bool((self.rows[1:] > self.rows[:-1]).all()):
            self.rows = np.unique(self.rows)
        self._mask: Mask = np.zeros(0, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self.rows)

    def mask(self, size: int) -> Mask:
        """Return shape (size,): whether the row of each number may be found."""
        if len(self._mask) != size:
            self._mask = np.zeros(size, dtype=np.bool_)
            self._mask[self.rows[self.rows < size]] = True
        return self._mask

    def keep(self, rows: NDArray[np.int64]) -> Mask:
        """Return shape (len(rows),): whether each of `rows` may be found."""
        if not len(rows):
            return np.zeros(0, dtype=np.bool_)
        return self.mask(int(rows.max()) + 1)[rows]


SCORE_DECIMALS = 6
"""The last bits of a score depend on where a row lies in an index: equal chunks must tie."""

Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """One ranker's scores for one query.

    `hits`: (chunk row, score), best first, ties by chunk id. `rows`, ascending, and `scores`: every
    chunk that was given a score. `mean` and `deviation` are over all `searched` chunks, one
    without a score counting 0.
    """

    hits: tuple[tuple[int, float], ...]
    rows: NDArray[np.int64]
    scores: Scores
    mean: float
    deviation: float
    searched: int

    def scores_of(self, wanted: Sequence[int]) -> dict[int, float]:
        """Return the scores of the wanted rows, rounded; rows without a score are absent."""
        if not len(self.rows):
            return {}
        asked = np.array(wanted, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.rows, asked), len(self.rows) - 1)
        at = at[self.rows[at] == asked]
        scores = self.scores[at].astype(np.float64).round(SCORE_DECIMALS)
        return dict(zip(self.rows[at].tolist(), scores.tolist(), strict=True))


def scored_rows(
    hits: tuple[tuple[int, float], ...],
    *,
    rows: NDArray[np.int64],
    scores: Scores,
    searched: int,
) -> ScoredRows:
    """Return the record, with mean and deviation counted over all chunks searched.

    `rows` and their `scores` may stand in any order, float32 or float64.
    """
    if len(rows) > 1 and bool((rows[1:] < rows[:-1]).any()):
        order = np.argsort(rows)
        rows, scores = rows[order], scores[order]
    mean = float(scores.sum(dtype=np.float64)) / searched if searched else 0.0
    # Around the mean: squares of cosines that all lie near 0.8 would drown their deviation.
    squares = np.square(scores - scores.dtype.type(mean)).sum(dtype=np.float64)
    without = (searched - len(rows)) * mean * mean
    deviation = ((float(squares) + without) / searched) ** 0.5 if searched else 0.0
    is_flat = deviation < 10**-SCORE_DECIMALS  # as scores are told, all are the same
    return ScoredRows(hits, rows, scores, mean, 0.0 if is_flat else deviation, searched)


def best_rows(
    rows: NDArray[np.int64],
    scores: Scores,
    *,
    depth: int,
    ids_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best rows with their scores, the highest first, ties by chunk id.

    `ids_of` is asked for the rows that tie, and for no others: each id is looked up in the file.
    """
    _, at, times = np.unique(scores, return_inverse=True, return_counts=True)
    is_tied = times[at] > 1
    places = np.zeros(len(rows), dtype=np.int64)
    if is_tied.any():
        tied = rows[is_tied].tolist()
        ids = ids_of(tied)
        place_of = {row: place for place, row in enumerate(sorted(tied, key=ids.__getitem__))}
        places[is_tied] = [place_of[row] for row in tied]
    order = np.lexsort((places, -scores))[:depth]
    return tuple(zip(rows[order].tolist(), scores[order].tolist(), strict=True))
