"""The chunk rows that a filter keeps, as each index wants them: sorted, or as a mask."""

from collections.abc import Iterable

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
