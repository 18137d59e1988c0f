"""Requests on standard input -> replies on standard output: the child side of reading.

    python -m cytat.reading.process.worker

A parser of hostile bytes can crash, loop or eat all memory; here it does so at its own cost. The
process holds itself to limits before the first byte: memory, processor time, no file written, few
files open, no process begun, no core dump. It ends when its input does, and with its parent.
"""

import ctypes
import gc
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, TypeAlias

from cytat.errors import ReadingError
from cytat.protocols import DrawsBoxes, FileFormat, Reader
from cytat.reading.opening import open_reader
from cytat.reading.process.messages import (
    Request,
    encode_boxes,
    encode_document,
    encode_failure,
    receive_request,
)

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows: the parent's clock is the only limit
    resource = None

OPEN_FILES = 16
"""Three streams, the two pipes, and the few that an import opens at a time."""
GC_THRESHOLD = 1_000_000
"""Readers make records by the hundred thousand and no cycles: looking for them after every 700
took a quarter of the time of a large PDF, after every 50,000 a sixth."""
PR_SET_PDEATHSIG = 1
"""Linux: the signal to get when the thread that began this process ends."""
_STATM = Path("/proc/self/statm")
_MESSAGE_CHARACTERS = 500

OpenReader: TypeAlias = Callable[[str], Reader]
"""Where a format stands -> its reader."""


def serve(open_reader: OpenReader) -> None:
    """Answer requests until there are no more; a reader is opened when it is first needed."""
    opened = cache(open_reader)
    requests, replies = _own_pipes()
    idle_bytes = _address_space_bytes()
    _restrict()
    gc.set_threshold(GC_THRESHOLD)
    while (request := receive_request(requests)) is not None:
        _allow(request, idle_bytes)
        for part in _reply_to(request, opened):
            replies.write(part)
        replies.flush()


def _reply_to(request: Request, open_reader: OpenReader) -> tuple[bytes, ...]:
    try:
        return _answer(request, open_reader(request.target))
    except ReadingError as failure:
        return encode_failure(failure)
    except MemoryError:
        return encode_failure(ReadingError("memory-limit", "out of memory", hint="see the parent"))
    except Exception as error:  # noqa: BLE001 - a reader may fail on a hostile file in any way
        said = f"{type(error).__name__}: {error}"[:_MESSAGE_CHARACTERS]
        return encode_failure(
            ReadingError(
                "unreadable",
                f"reading it failed with {said}",
                hint="the file may be damaged; if other programs open it, please report this",
            )
        )


def _answer(request: Request, reader: Reader) -> tuple[bytes, ...]:
    content, source, options = request.content, request.source, request.options
    if request.span is None:
        return encode_document(reader.read(content, source=source, options=options))
    if not isinstance(reader, DrawsBoxes):
        raise TypeError(f"{reader.name} does not say where characters stand on a page")
    return encode_boxes(reader.boxes(content, request.span, source=source, options=options))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the parent, out of the reach of a library that prints."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)
    return requests, replies


def _address_space_bytes() -> int | None:
    """Return what this process has now, or None where only Linux would tell."""
    try:
        pages = int(_STATM.read_text("ascii").split()[0])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _restrict() -> None:
    """Give up, for good, what no reader needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which ends us
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if resource is None:
        return
    for name, most in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_NOFILE", OPEN_FILES),
    ):
        if hasattr(resource, name):
            _limit(resource, getattr(resource, name), most, most)


def _allow(request: Request, idle_bytes: int | None) -> None:
    """Set what this one file may cost beyond what was spent before it."""
    if resource is None:
        return
    spent_s = math.ceil(time.process_time())
    _limit_softly(resource, resource.RLIMIT_CPU, spent_s + request.cpu_s)
    if idle_bytes is not None:
        _limit_softly(resource, resource.RLIMIT_AS, idle_bytes + request.memory_bytes)


def _limit_softly(system: ModuleType, kind: int, most: int) -> None:
    """Set a limit that the next file may raise again."""
    _limit(system, kind, most, system.getrlimit(kind)[1])


def _limit(system: ModuleType, kind: int, soft: int, hard: int) -> None:
    # A system may refuse a limit that it does not know how to hold, or that is lower already.
    with suppress(ValueError, OSError):
        system.setrlimit(kind, (soft, hard))


def open_registered(target: str) -> Reader:
    """Return the reader of the format at `module:name`.

    The main process has loaded it from there and knows that it is one. No other is looked for:
    reading all that is installed takes longer than reading a small file.
    """
    found: FileFormat = EntryPoint("", target, "cytat.readers").load()
    return open_reader(found)


if __name__ == "__main__":
    serve(open_registered)
