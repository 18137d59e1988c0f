"""MemoryStore: a corpus in this process, open for its owner or one user, for any number of threads.

A moment keeps the state that was in force when it was opened. A writer holds the lock until the
next state is in its place. Nothing is on disk: the corpus ends with the last store that shows it.
"""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from cytat.backends.memory.moment import MemoryMoment
from cytat.backends.memory.state import EMPTY, KeptTrace
from cytat.backends.memory.writing import MemoryWriting
from cytat.errors import CorpusBusyError, CorpusError, CorpusMissingError, NotAllowedError
from cytat.protocols import Store
from cytat.records import Trace
from cytat.text.identity import check_label

if TYPE_CHECKING:
    from cytat.backends.memory.upkeep import MemoryUpkeep

_M = TypeVar("_M", bound=MemoryMoment)

TRACES_KEPT = 500
WAIT_S = 30.0
"""How long a writer waits for another one."""
PRIVATE = ":memory:"
"""The name of a corpus that nobody else can open."""


class SharedMemory:
    """What the stores of one corpus in memory have in common: its state, and who may write."""

    def __init__(self) -> None:
        """Begin with an empty corpus."""
        self.state = EMPTY
        self.lock = threading.Lock()


class MemoryStore:
    """A corpus in memory; see `protocols.Store`."""

    damage: str | None = None
    is_read_only = False
    file: Path | None = None

    def __init__(
        self, shared: SharedMemory, *, name: str = PRIVATE, labels: Collection[str] | None = None
    ) -> None:
        """Show a corpus to its owner, or to a user with labels."""
        self.name = name
        self.labels = None if labels is None else frozenset(map(check_label, labels))
        self.base = Path.cwd()
        self.shared = shared
        self._is_closed = False
        self._local = threading.local()

    def close(self) -> None:
        """Close it; it cannot be used after."""
        self._is_closed = True

    @contextmanager
    def moment(self) -> Iterator[MemoryMoment]:
        """Keep one state. Inside another moment of the same thread it is that one."""
        mine = self._mine()
        if mine is not None:
            yield mine
            return
        state = self.shared.state
        if self.labels is not None:
            state = state.as_read_by(self.labels)
        with self._as_mine(MemoryMoment(state, base=self.base)) as moment:
            yield moment

    @contextmanager
    def writing(self) -> Iterator[MemoryWriting]:
        """Make the next state, whole or not at all. Nested, a failure undoes the inner block."""
        if self.labels is not None:
            raise NotAllowedError(
                "a reader changes nothing in a corpus", hint="open it as its owner, without labels"
            )
        mine = self._mine()
        if isinstance(mine, MemoryWriting):
            with mine.savepoint():
                yield mine
            return
        with (
            self._alone(),
            self._as_mine(MemoryWriting(self.shared.state, base=self.base)) as writing,
        ):
            yield writing
            self.shared.state = writing.finished()

    def record_trace(self, trace: Trace) -> None:
        """Keep a trace; the oldest go."""
        with self._alone():
            state = self.shared.state
            others = [kept for kept in state.traces if kept.trace.id != trace.id]
            traces = [*others, KeptTrace(trace, self.labels)]
            traces.sort(key=lambda kept: (kept.trace.at, kept.trace.id))
            self.shared.state = replace(state, traces=tuple(traces[-TRACES_KEPT:]))

    @cached_property
    def upkeep(self) -> "MemoryUpkeep":
        """What the owner does to keep the corpus sound."""
        from cytat.backends.memory.upkeep import MemoryUpkeep  # noqa: PLC0415 - seldom needed

        return MemoryUpkeep(self)

    def _mine(self) -> MemoryMoment | None:
        """Return what the calling thread has open."""
        if self._is_closed:
            raise CorpusError(f"{self.name} was closed", hint="open the corpus again")
        mine: MemoryMoment | None = getattr(self._local, "moment", None)
        return mine

    @contextmanager
    def _as_mine(self, moment: _M) -> Iterator[_M]:
        self._local.moment = moment
        try:
            yield moment
        finally:
            self._local.moment = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for other writers."""
        if self._mine() is not None:
            raise RuntimeError("a write inside a moment would not be seen in it")
        if not self.shared.lock.acquire(timeout=WAIT_S):
            raise CorpusBusyError(
                f"{self.name} is being written to by somebody else", hint="try again in a moment"
            )
        try:
            yield
        finally:
            self.shared.lock.release()


class MemoryCorpora:
    """Opens corpora in memory; see `protocols.OpenStore`.

    `:memory:` is always a new one. `memory://NAME` is the same one for the whole process, as long
    as a store of it is referred to.
    """

    engine = "memory"

    def __init__(self) -> None:
        """Begin without any."""
        self._named: WeakValueDictionary[str, SharedMemory] = WeakValueDictionary()
        self._lock = threading.Lock()

    def __call__(self, name: str, *, create: bool, labels: Collection[str] | None) -> Store:
        """Open a corpus for its owner, or for a user with labels."""
        if name == PRIVATE:
            return MemoryStore(SharedMemory(), labels=labels)
        with self._lock:
            shared = self._named.get(name)
            if shared is None:
                if not create:
                    raise CorpusMissingError(
                        f"there is no corpus {name} in this process", hint="add a document to it"
                    )
                shared = self._named[name] = SharedMemory()
        return MemoryStore(shared, name=name, labels=labels)


open_store = MemoryCorpora()
