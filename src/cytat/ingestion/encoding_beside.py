"""Passages -> a promise of their vectors, kept by a thread while the caller does other work.

Encoders compute outside the interpreter's lock. Whoever waits can be interrupted: an encoder that
takes its time keeps nobody from stopping.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait

from cytat.ingestion.encoding import PassageEncoder
from cytat.protocols import Vectors

TICK_S = 0.2
"""How often whoever waits may look at a stop or show progress."""


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
    """An encoder at work in a thread of its own, on one set of passages after another."""

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
