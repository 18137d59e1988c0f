"""Scores of what is right and what is wrong -> both errors at every threshold. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cytat.metrics.intervals import Interval, wilson


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """Errors when all that score at least `threshold` are let through."""

    threshold: float
    lost: int
    lost_among: int
    let_through: int
    let_through_among: int

    @property
    def lost_interval(self) -> Interval:
        """Return Wilson's interval of the share that is lost."""
        return wilson(self.lost, self.lost_among)

    @property
    def let_through_interval(self) -> Interval:
        """Return Wilson's interval of the share that is wrongly let through."""
        return wilson(self.let_through, self.let_through_among)


def sweep(
    right: Sequence[float], wrong: Sequence[float], thresholds: Sequence[float]
) -> list[SweepPoint]:
    """Return both errors at each threshold; a score of minus infinity never passes."""
    return [
        SweepPoint(
            threshold,
            lost=sum(not _passes(score, threshold) for score in right),
            lost_among=len(right),
            let_through=sum(_passes(score, threshold) for score in wrong),
            let_through_among=len(wrong),
        )
        for threshold in thresholds
    ]


def _passes(score: float, threshold: float) -> bool:
    return score >= threshold and score != -np.inf


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return the chance that a right one scores above a wrong one; ties count half.

    Source:
        Hanley, McNeil, Radiology 143, 1982, doi:10.1148/radiology.143.1.7063747.
    """
    if not right or not wrong:
        raise ValueError("one of the two kinds is missing")
    above = np.asarray(right)[:, None]
    below = np.asarray(wrong)[None, :]
    return float(((above > below) + 0.5 * (above == below)).mean())
