"""What one user may read of a generation: masks over what is shared, and the numbers that follow.

Rarity and lengths are those of the chunks that may be read, so that nothing of the others shows.
Users who may read the same documents share one `ReadableIndexes`; who may read all has no masks.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cytat.analysis.places import Mask, PlaceSet
from cytat.fulltext import TermWeights, norms_of
from cytat.vectors import VectorBlocks

Value = TypeVar("Value")


class Once(Generic[Value]):
    """Made when it is first asked for; whoever asks meanwhile waits."""

    def __init__(self) -> None:
        """Begin without it."""
        self._lock = threading.Lock()
        self._made: list[Value] = []

    def get(self, make: Callable[[], Value]) -> Value:
        """Return the value; `make` is called by the first who asks, and again if it failed."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(make())
        return self._made[0]

    @property
    def made(self) -> Value | None:
        """The value if it is there."""
        return self._made[0] if self._made else None


EVERYTHING = None
"""In place of labels: all documents, whatever their labels are."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadableWords:
    """The words index as a user sees it. `mask`: which places may be read; None for all.

    `norms`: of all places, with the mean length of the chunks that may be read.
    """

    mask: Mask | None
    chunks: int
    norms: TermWeights
    lowest_norm: float


@dataclass(frozen=True, slots=True, eq=False)
class ReadableVectors:
    """The vectors as a user sees them. `places`: which may be found; None for all."""

    vectors: VectorBlocks
    places: PlaceSet | None
    lacking_documents: int
    """How many documents that may be read have chunks without a vector."""

    @property
    def chunks(self) -> int:
        """How many chunks have a vector."""
        return len(self.vectors) if self.places is None else len(self.places)


class ReadableIndexes:
    """What users with some labels may read; its parts are made when they are asked for.

    `labels`: those of the documents; EVERYTHING for all.
    """

    def __init__(self, labels: frozenset[str] | None) -> None:
        """Begin without any part."""
        self.labels = labels
        self.words: Once[ReadableWords] = Once()
        self.vectors: Once[ReadableVectors] = Once()
        self.languages: Once[tuple[str, ...]] = Once()


def readable_words(lengths: NDArray[np.integer], mask: Mask | None) -> ReadableWords:
    """Return the words index as one sees it who may read the chunks of a mask.

    Args:
        lengths: of all chunks, in terms.
        mask: which of them may be read; None for all.
    """
    seen = lengths if mask is None else lengths[mask]
    total = float(seen.sum(dtype=np.float64))
    norms = norms_of(lengths, mean=total / len(seen) if total else 1.0)
    lowest = norms if mask is None else norms[mask]
    return ReadableWords(mask, len(seen), norms, float(lowest.min()) if len(seen) else 0.0)


def mask_of(documents: Mask, owners: NDArray[np.int32]) -> Mask:
    """Return for each place whether its document is one of some; one without is not.

    Args:
        documents: shape (documents,), whether each is one of them.
        owners: of each place, the place of its document; -1 for none.
    """
    return np.append(documents, False)[owners]
