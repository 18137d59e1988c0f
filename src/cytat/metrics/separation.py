"""Scores of what is right and of what is wrong -> how well they tell the two apart. Pure."""

from collections.abc import Sequence

import numpy as np


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
