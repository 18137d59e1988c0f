"""Passages -> a promise of their vectors, kept by a thread while the caller does other work.

Encoders compute outside the interpreter's lock. The thread is a daemon, and whoever waits for it
can be interrupted: an encoder that takes its time keeps nobody from stopping.
"""

import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue

from cytat.ingestion.encoding import PassageEncoder
from cytat.protocols import Vectors

TICK_S = 0.2
"""How often whoever waits may look at a stop or show progress."""


class Encoding:
    """The vectors of some passages, once they are made."""

    def __init__(self, passages: Mapping[bytes, str]) -> None:
        self.passages = passages
        self._is_done = threading.Event()
        self._vectors: Mapping[bytes, Vectors] = {}
        self._failure: BaseException | None = None

    def run(self, encoder: PassageEncoder) -> None:
        """Make the vectors; what goes wrong is raised to whoever waits for them."""
        try:
            self._vectors = encoder.encode(self.passages)
        except BaseException as failure:  # noqa: BLE001 - raised again in `wait`
            self._failure = failure
        finally:
            self._is_done.set()

    def wait(self, *, on_tick: Callable[[], None]) -> Mapping[bytes, Vectors]:
        """Return the vectors when they are made, calling `on_tick` meanwhile."""
        while not self._is_done.wait(TICK_S):
            on_tick()
        if self._failure is not None:
            raise self._failure
        return self._vectors


class EncodingBeside:
    """An encoder at work in a thread of its own, on one set of passages after another."""

    def __init__(self, encoder: PassageEncoder) -> None:
        self._encoder = encoder
        self._work: SimpleQueue[Encoding | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="cytat-encoding", daemon=True)
        self._thread.start()

    def begin(self, passages: Mapping[bytes, str]) -> Encoding:
        """Return a promise; its turn comes after those begun before."""
        encoding = Encoding(passages)
        self._work.put(encoding)
        return encoding

    def close(self) -> None:
        """End the thread after the call of the embedder that it is in, without waiting for it."""
        self._encoder.stop()
        self._work.put(None)

    def _run(self) -> None:
        while (encoding := self._work.get()) is not None:
            encoding.run(self._encoder)
