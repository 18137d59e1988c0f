"""Passages -> vectors by hash, now or by a thread while the caller does other work.

A failed batch is tried again in halves, so that one poisonous passage costs only itself. After
`FAILURES_IN_A_ROW` the encoder counts as away, and nothing more is asked of it in this run.

Encoders compute outside the interpreter's lock. The waiting thread can be interrupted: a slow
encoder keeps nobody from stopping.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from cytat.embedding import embed_passages
from cytat.errors import BackendError
from cytat.protocols import Embedder, Vectors

BATCH_PASSAGES = 32
"""What is embedded between two signs of life; of like length, so that little is padding."""
FAILURES_IN_A_ROW = 3


class PassageEncoder:
    """An embedder that may fail in part."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._failures_in_a_row = 0
        self._is_stopped = False
        self.failure: str | None = None
        """Why the last passage that has no vector has none."""
        self.characters_done = 0
        """Of all passages that were tried so far; may be read from another thread."""

    @property
    def is_away(self) -> bool:
        """Whether the embedder has failed so often that it is left alone."""
        return self._failures_in_a_row >= FAILURES_IN_A_ROW

    def stop(self) -> None:
        """Ask nothing more of the embedder; what is being encoded goes without the rest."""
        self._is_stopped = True

    def encode(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        """Return the vectors that could be made."""
        by_length = sorted(passages, key=lambda key: (len(passages[key]), key))
        vectors: dict[bytes, Vectors] = {}
        for start in range(0, len(by_length), BATCH_PASSAGES):
            batch = {key: passages[key] for key in by_length[start : start + BATCH_PASSAGES]}
            vectors |= self._encode_batch(batch)
            self.characters_done += sum(map(len, batch.values()))
        return vectors

    def _encode_batch(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        if not passages or self.is_away or self._is_stopped:
            return {}
        try:
            embedded = embed_passages(self._embedder, list(passages.values()))
        except BackendError as error:
            self.failure = error.message
            self._failures_in_a_row += 1
            return self._encode_halves(passages)
        self._failures_in_a_row = 0
        for reason in embedded.missing.values():
            self.failure = reason
        return {
            key: embedded.vectors[at]
            for at, key in enumerate(passages)
            if at not in embedded.missing
        }

    def _encode_halves(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        """Return what the two halves give; a single passage has no halves."""
        keys: Sequence[bytes] = list(passages)
        middle = len(keys) // 2
        halves = (keys[:middle], keys[middle:]) if middle else ()
        vectors: dict[bytes, Vectors] = {}
        for half in halves:
            vectors |= self._encode_batch({key: passages[key] for key in half})
        return vectors


TICK_S = 0.2
"""How often the waiting thread checks for a stop and shows progress."""


class Encoding:
    """The vectors of some passages, once they are made."""

    def __init__(self, passages: Mapping[bytes, str], future: Future[dict[bytes, Vectors]]) -> None:
        self.passages = passages
        self._future = future

    def wait(self, *, on_tick: Callable[[], None]) -> Mapping[bytes, Vectors]:
        """Return the vectors when they are made, calling `on_tick` meanwhile."""
        while not wait([self._future], timeout=TICK_S).done:
            on_tick()
        return self._future.result()


class EncodingBeside:
    """An encoder at work in its own thread, on one set of passages after another."""

    def __init__(self, encoder: PassageEncoder) -> None:
        self._encoder = encoder
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cytat-encoding")

    def begin(self, passages: Mapping[bytes, str]) -> Encoding:
        """Return a promise; its turn comes after those begun before."""
        return Encoding(passages, self._pool.submit(self._encoder.encode, passages))

    def close(self) -> None:
        """End the thread after the call of the embedder that it is in, without waiting for it."""
        self._encoder.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
