"""Passages -> vectors by hash. A passage the encoder fails on has none, and the failure is kept.

A failed batch is tried again in halves, so that one poisonous passage costs only itself. After
`FAILURES_IN_A_ROW` the encoder counts as away, and nothing more is asked of it in this run.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from cytat.errors import BackendError
from cytat.protocols import Embedder, Vectors

BATCH_PASSAGES = 64
"""What is embedded between two signs of life; sorted by length, so that little is padding."""
FAILURES_IN_A_ROW = 3


class PassageEncoder:
    """An embedder that may fail in part."""

    def __init__(self, embedder: Embedder, *, on_batch: Callable[[int], None]) -> None:
        """Take an embedder; `on_batch` is told how many passages a finished batch had."""
        self._embedder = embedder
        self._on_batch = on_batch
        self._failures_in_a_row = 0
        self.failure: BackendError | None = None
        """The last failure."""

    @property
    def is_away(self) -> bool:
        """Whether the embedder has failed so often that it is left alone."""
        return self._failures_in_a_row >= FAILURES_IN_A_ROW

    def encode(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        """Return the vectors that could be made."""
        by_length = sorted(passages.items(), key=lambda item: (len(item[1]), item[0]))
        return dict(
            pair
            for start in range(0, len(by_length), BATCH_PASSAGES)
            for pair in self._encode_batch(by_length[start : start + BATCH_PASSAGES])
        )

    def _encode_batch(self, batch: Sequence[tuple[bytes, str]]) -> Iterable[tuple[bytes, Vectors]]:
        vectors = self._try([passage for _, passage in batch])
        if vectors is not None:
            self._on_batch(len(batch))
            return zip((key for key, _ in batch), vectors, strict=True)
        middle = len(batch) // 2
        halves = (batch[:middle], batch[middle:]) if middle else ()
        return [pair for half in halves for pair in self._encode_batch(half)]

    def _try(self, passages: Sequence[str]) -> Vectors | None:
        if self.is_away:
            return None
        try:
            vectors = _checked(self._embedder.embed_documents(passages), len(passages))
        except BackendError as error:
            self.failure = error
            self._failures_in_a_row += 1
            return None
        self._failures_in_a_row = 0
        return vectors


def _checked(vectors: Vectors, passages: int) -> Vectors:
    """Return the vectors; a reply that cannot be paired with the passages is a failure."""
    if len(vectors) != passages or not np.isfinite(vectors).all():
        raise BackendError(
            f"{passages} passages were embedded, {len(vectors)} vectors came back, or not numbers",
            hint="check the embedder with `cytat doctor`",
        )
    return vectors
