"""bytes and a name -> the reader that fits, working in a child process with limits.

Whatever a file does to its parser costs that file alone: the child ends, the file fails with a
code, and another child reads on. Which small files may be read in this process says their format.
"""

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn, Self, TypeVar

from cytat.errors import ReadingError
from cytat.protocols import Reader
from cytat.reading.choice import Formats, InstalledReader
from cytat.reading.extraction import name_of
from cytat.reading.opening import open_reader
from cytat.reading.process.child import Child, End, Ended, Limits, limits_for
from cytat.reading.process.messages import (
    GarbledReplyError,
    RawReply,
    Request,
    decode_boxes,
    decode_reply,
)
from cytat.records import Document, PageBox, ReadingOptions, Span

T = TypeVar("T")

WORKER_COMMAND = (sys.executable, "-P", "-B", "-m", "cytat.reading.process.worker")
"""`-P`: a module in the folder one stands in is not imported. `-B`: nothing is written."""
WORKERS = 1
"""Reading runs beside the encoder, which keeps the other processors busy."""
RETIRE_AFTER_BYTES = 16 * 1024 * 1024
"""A child that has read a larger file keeps much memory, and is ended."""

_MIB = 1024 * 1024
_CPU_SIGNAL = getattr(signal, "SIGXCPU", 0)
_SAVE_ANEW = "open it in another program and save it again, or split it"


class ReaderPool:
    """Readers in child processes, started when the first file needs one and ended by `close`."""

    def __init__(
        self,
        formats: Formats,
        *,
        command: Sequence[str] = WORKER_COMMAND,
        workers: int = WORKERS,
        limits: Callable[[int], Limits] = limits_for,
        reads_here: bool = True,
    ) -> None:
        """Make a pool; nothing is started yet.

        Args:
            formats: those that are installed.
            command: starts a worker.
            workers: how many files are read at once, at most.
            limits: size of a file in bytes -> what reading it may cost.
            reads_here: whether small files are read in this process where their format allows.
        """
        self._command = command
        self._limits = limits
        self.formats = formats
        self._reads_here = reads_here
        self._workers = workers
        self._free = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._alive: set[Child] = set()
        self._closed = threading.Event()
        # A child ends with the thread that started it (see worker), so one thread starts them all.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cytat-workers")

    def reader_for(
        self,
        content: bytes,
        source: str,
        *,
        named: str | None = None,
        media_type: str | None = None,
    ) -> Reader:
        """Return the reader for a file, ready to work; see `Formats.reader_for`."""
        found = self.formats.reader_for(content, source, named=named, media_type=media_type)
        if self._reads_here and len(content) <= found.format.read_here_bytes:
            return open_reader(found.format)
        return _ReaderInChild(found, self)

    def close(self) -> None:
        """End every child, busy or not."""
        with self._lock:
            self._closed.set()
            alive = list(self._alive)
        for child in alive:
            child.kill()
        for _ in range(self._workers):
            self._free.acquire()  # whoever waits for a reply sees its end, and lets go
        for child in alive:
            child.ended(End.LATE)
        self._starter.shutdown()
        for _ in range(self._workers):
            self._free.release()  # whoever comes late is told that this pool is closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------ one file

    def read(
        self, content: bytes, *, source: str, options: ReadingOptions, reader: InstalledReader
    ) -> Document:
        """Return the document that this reader makes in a child process; raise `ReadingError`.

        A failure that a worker may have brought along from an earlier file is tried once more,
        in a new one.
        """
        limits = self._limits(len(content))
        file = _File(content, source, reader.target, options, limits, span=None)
        name = reader.format.reader

        def document(reply: RawReply) -> Document:
            return decode_reply(reply, content=content, source=source, reader=name)

        return self._answered(file, document)

    def boxes(
        self,
        content: bytes,
        span: Span,
        *,
        source: str,
        options: ReadingOptions,
        reader: InstalledReader,
    ) -> tuple[PageBox, ...]:
        """Return where a span of a document's text stands on its pages; raise `ReadingError`."""
        limits = self._limits(len(content))
        file = _File(content, source, reader.target, options, limits, span)
        return self._answered(file, decode_boxes)

    def _answered(self, file: "_File", decode: Callable[[RawReply], T]) -> T:
        with self._free:
            child = self._taken()
            if child.files_read:
                try:
                    return self._answered_by(child, file, decode)
                except _SuspectError:
                    child = self._started()
            try:
                return self._answered_by(child, file, decode)
            except _SuspectError as suspect:
                raise suspect.failure from None

    def _answered_by(self, child: Child, file: "_File", decode: Callable[[RawReply], T]) -> T:
        limits = file.limits
        request = Request(
            file.content,
            file.source,
            file.target,
            file.options,
            limits.cpu_s,
            limits.memory_bytes,
            file.span,
        )
        outcome = child.exchange(request, wall_s=limits.wall_s, reply_bytes=limits.reply_bytes)
        if isinstance(outcome, Ended):
            self._forget(child)
            _raise_for(outcome, file)
        try:
            answer = decode(outcome)
        except GarbledReplyError:
            self._forget(child)
            _raise_for(child.ended(End.NONSENSE), file)
        except ReadingError as failure:
            if failure.code == "memory-limit":
                self._end(child)
                raise _SuspectError(_memory_limit(file)) from None
            self._give_back(child, file)
            raise
        self._give_back(child, file)
        return answer

    # ------------------------------------------------------------ children

    def _taken(self) -> Child:
        with self._lock:
            if self._idle and not self._closed.is_set():
                return self._idle.pop()
        return self._started()

    def _started(self) -> Child:
        if self._closed.is_set():
            raise RuntimeError("the pool of readers is closed")
        try:
            child = self._starter.submit(Child, self._command).result()
        except OSError as error:
            raise ReadingError(
                "unreadable",
                f"no process could be started to read it: {error.strerror}",
                hint="free some memory or end other programs, then add it again",
            ) from error
        with self._lock:
            self._alive.add(child)
            is_late = self._closed.is_set()
        if is_late:
            child.kill()  # closed meanwhile: it is not among those that `close` has seen
        return child

    def _give_back(self, child: Child, file: "_File") -> None:
        is_large = len(file.content) > RETIRE_AFTER_BYTES
        with self._lock:
            is_kept = not self._closed.is_set() and not is_large
            if is_kept:
                self._idle.append(child)
        if not is_kept:
            self._end(child)

    def _end(self, child: Child) -> None:
        self._forget(child)
        child.ended(End.LATE)

    def _forget(self, child: Child) -> None:
        with self._lock:
            self._alive.discard(child)


class _ReaderInChild:
    """A reader that works in a child of the pool; its parser is never imported here."""

    def __init__(self, installed: InstalledReader, pool: ReaderPool) -> None:
        self.name = installed.format.reader
        self._installed = installed
        self._pool = pool

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        """Return the document; raise `ReadingError` with a code when it cannot be had."""
        return self._pool.read(content, source=source, options=options, reader=self._installed)


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    source: str
    target: str
    options: ReadingOptions
    limits: Limits
    span: Span | None


# ---------------------------------------------------------------- what is said of a child's end


class _SuspectError(Exception):
    """A failure that may be the worker's and not the file's."""

    def __init__(self, failure: ReadingError) -> None:
        self.failure = failure
        super().__init__(failure.message)


def _raise_for(ended: Ended, file: _File) -> NoReturn:
    if ended.end is End.LATE or (_CPU_SIGNAL and ended.exit_code == -_CPU_SIGNAL):
        raise _time_limit(file)
    if ended.end is End.TOO_MUCH:
        raise _too_large(file)
    # Native code that gets no memory does not say so: it stops.
    if ended.peak_bytes > file.limits.memory_bytes / 2:
        raise _SuspectError(_memory_limit(file))
    raise _SuspectError(_crash(ended, file))


def _time_limit(file: _File) -> ReadingError:
    limits = file.limits
    return ReadingError(
        "time-limit",
        f"reading {name_of(file.source)} took longer than {limits.cpu_s} s of processor time, "
        f"or {limits.wall_s:.0f} s in all",
        hint=_SAVE_ANEW,
    )


def _memory_limit(file: _File) -> ReadingError:
    mebibytes = file.limits.memory_bytes // _MIB
    return ReadingError(
        "memory-limit",
        f"reading {name_of(file.source)} needs more than {mebibytes} MiB of memory",
        hint=_SAVE_ANEW,
    )


def _too_large(file: _File) -> ReadingError:
    mebibytes = file.limits.reply_bytes // _MIB
    return ReadingError(
        "too-large",
        f"the text of {name_of(file.source)} is larger than {mebibytes} MiB",
        hint="split it into smaller files",
    )


def _crash(ended: Ended, file: _File) -> ReadingError:
    code = ended.exit_code
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    if ended.end is End.NONSENSE:
        how = "its reply made no sense"
    return ReadingError(
        "unreadable",
        f"the reader of {name_of(file.source)} stopped unexpectedly ({how})",
        hint=f"the file may be damaged: {_SAVE_ANEW}",
    )
