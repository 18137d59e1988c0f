"""A command -> one worker process, seen from its parent: a request in, a reply or its end out.

A child that is late, says too much, talks nonsense or crashes is ended and reaped here, whatever
it does; nothing of it is waited for without a clock.
"""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import IO

from cytat.reading.process.messages import REPLY_HEAD, REPLY_MARK, RawReply, Request, encode_request

_MIB = 1024 * 1024

CPU_BASE_S = 60
CPU_PER_MIB_S = 40
CPU_MOST_S = 1200
"""At least twice what the densest honest files took, tables and headings of a word or two in
Markdown; prose takes a twentieth of that: benchmarks/results/reading_isolation.json."""
WALL_PER_CPU = 3
"""Other programs use the processor too; a file must not fail because the machine is busy."""
MEMORY_BASE_BYTES = 1024 * _MIB
MEMORY_PER_BYTE = 300
MEMORY_MOST_BYTES = 4096 * _MIB
"""Dense Markdown took up to 400 times its size, prose 25 times: same place. The most is less than
what most machines have, so that the file fails and not the machine."""
REPLY_BASE_BYTES = 64 * _MIB
REPLY_PER_BYTE = 8
REPLY_MOST_BYTES = 1024 * _MIB
"""The text in UTF-8 with its blocks. Compressed text seldom grows more than eightfold."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost. Only the wall clock and the reply are held everywhere."""

    wall_s: float
    cpu_s: int
    """Held where the system can: everywhere but on Windows."""
    memory_bytes: int
    """Address space beyond what an idle reader has. Held on Linux."""
    reply_bytes: int
    """Of the document that comes back."""


def limits_for(size_bytes: int) -> Limits:
    """Return the limits for a file of this size."""
    cpu_s = min(CPU_BASE_S + math.ceil(CPU_PER_MIB_S * size_bytes / _MIB), CPU_MOST_S)
    return Limits(
        wall_s=WALL_PER_CPU * cpu_s,
        cpu_s=cpu_s,
        memory_bytes=min(MEMORY_BASE_BYTES + MEMORY_PER_BYTE * size_bytes, MEMORY_MOST_BYTES),
        reply_bytes=min(REPLY_BASE_BYTES + REPLY_PER_BYTE * size_bytes, REPLY_MOST_BYTES),
    )


def held_here(platform: str = sys.platform) -> str:
    """Return which limits the system can hold, in words."""
    if platform == "linux":
        return "time, processor time, memory, size of the text"
    if platform == "win32":
        return "time, size of the text"
    return "time, processor time, size of the text"


resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows tells no peak
    resource = None

LAST_WORDS_S = 1.0
"""How long a child whose pipe has ended may take to end too, so that its exit code is its own."""
_LOOKS_EVERY_S = 0.005
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit in which the system tells the peak of memory."""
KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "PYTHONHOME")
"""What an interpreter may need to start. The rest, keys among it, is none of a reader's concern."""


class End(StrEnum):
    """Why a child is no more."""

    LATE = "late"
    TOO_MUCH = "too much"
    NONSENSE = "nonsense"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended."""

    end: End
    exit_code: int
    """Negative for a signal."""
    peak_bytes: int
    """The most memory it held; 0 where the system does not tell, or it was less than ours."""


class Child:
    """One worker process. Used by one thread at a time; only `kill` may come from another."""

    def __init__(self, command: Sequence[str]) -> None:
        self.files_read = 0
        self._is_late = threading.Event()
        # Linux counts what the parent held when it began the child as the child's own peak.
        self._inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if resource else 0
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,  # so that Ctrl+C reaches the parent alone
        )

    def exchange(self, request: Request, *, wall_s: float, reply_bytes: int) -> RawReply | Ended:
        """Send a request and return the reply; or end the child and say how it ended."""
        self.files_read += 1
        alarm = threading.Timer(wall_s, self._ring)
        alarm.daemon = True
        alarm.start()
        try:
            received = self._exchanged(request, reply_bytes)
        finally:
            alarm.cancel()
        if isinstance(received, RawReply):
            return received
        alarm.join()  # it must not ring for another process with the same number
        return self.ended(End.LATE if self._is_late.is_set() else received)

    def ended(self, end: End) -> Ended:
        """End the child, reap it, and say how it ended."""
        if end is not End.CRASH:
            self.kill()
        exit_code, peak_bytes = self._reaped()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not sent is lost with the child
                _opened(pipe).close()
        return Ended(end, exit_code, peak_bytes)

    def kill(self) -> None:
        """End the child at once; whoever waits for its reply sees its pipe end."""
        self._process.kill()

    def _ring(self) -> None:
        self._is_late.set()
        self.kill()

    def _exchanged(self, request: Request, reply_bytes: int) -> RawReply | End:
        try:
            self._send(request)
            return self._receive(reply_bytes)
        except OSError:  # a pipe that the child has closed
            return End.CRASH

    def _send(self, request: Request) -> None:
        pipe = _opened(self._process.stdin)
        pipe.write(encode_request(request))
        pipe.write(request.content)
        pipe.flush()

    def _receive(self, reply_bytes: int) -> RawReply | End:
        pipe = _opened(self._process.stdout)
        head = pipe.read(REPLY_HEAD.size)
        if len(head) < REPLY_HEAD.size:
            return End.NONSENSE if head else End.CRASH
        mark, told_bytes, text_bytes = REPLY_HEAD.unpack(head)
        if mark != REPLY_MARK:
            return End.NONSENSE
        if told_bytes + text_bytes > reply_bytes:
            return End.TOO_MUCH
        reply = RawReply(pipe.read(told_bytes), pipe.read(text_bytes))
        is_whole = len(reply.told) == told_bytes and len(reply.text) == text_bytes
        return reply if is_whole else End.CRASH

    def _reaped(self) -> tuple[int, int]:
        """Return the exit code and the peak of memory; a child that lingers is killed."""
        if self._process.returncode is not None or not hasattr(os, "wait4"):
            return self._waited(), 0
        deadline = time.monotonic() + LAST_WORDS_S
        try:
            while True:
                is_over = time.monotonic() > deadline
                if is_over:
                    os.kill(self._process.pid, signal.SIGKILL)
                pid, status, usage = os.wait4(self._process.pid, 0 if is_over else os.WNOHANG)
                if pid:
                    break
                time.sleep(_LOOKS_EVERY_S)
        except ChildProcessError:  # a kill from another thread has reaped it
            return self._process.wait(), 0
        self._process.returncode = os.waitstatus_to_exitcode(status)
        is_its_own = usage.ru_maxrss > self._inherited
        return self._process.returncode, usage.ru_maxrss * _RSS_UNIT if is_its_own else 0

    def _waited(self) -> int:
        try:
            return self._process.wait(LAST_WORDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _environment() -> dict[str, str]:
    """Return what a child starts with: our own import path, and no key of anybody."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("a child is always started with pipes")
    return pipe
