"""A worker whose reader does what the file's name says: the worst that a parser could.

Started by tests as a pool's command; only its `serve` is the product's.
"""

import ctypes
import fcntl
import itertools
import os
import stat
import tempfile
import time
from collections import deque
from collections.abc import Callable

from cytat.protocols import Reader
from cytat.reading.extraction import stem_of
from cytat.reading.process.messages import REPLY_HEAD, REPLY_MARK
from cytat.reading.process.worker import open_registered, serve
from cytat.records import Document, ReadingOptions

seen: list[str] = []


def reply_pipe() -> int:
    """Return the descriptor that only the worker's own code should write to."""
    return next(fd for fd in range(3, 16) if _is_write_end(fd))


def _is_write_end(fd: int) -> bool:
    try:
        is_pipe = stat.S_ISFIFO(os.fstat(fd).st_mode)
    except OSError:
        return False
    return is_pipe and bool(fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_WRONLY)


def spin() -> None:
    """Loop for ever in C, with the interpreter's lock held."""
    deque(itertools.repeat(None), maxlen=0)


def eat() -> None:
    held = []
    while True:
        held.append(bytearray(16 * 1024 * 1024))


def crash() -> None:
    ctypes.string_at(0)


def crash_unless_first() -> None:
    if len(seen) > 1:
        crash()


def print_much() -> None:
    for _ in range(100):
        print("garbage on standard output")
        os.write(1, b"more garbage")


def talk_nonsense() -> None:
    os.write(reply_pipe(), b"garbage where a reply should be")


def send_a_gigabyte() -> None:
    os.write(reply_pipe(), REPLY_HEAD.pack(REPLY_MARK, 2, 1 << 30))
    while True:
        os.write(reply_pipe(), bytes(1 << 20))


def promise_more_than_is_sent() -> None:
    os.write(reply_pipe(), REPLY_HEAD.pack(REPLY_MARK, 2, 100) + b"{}")
    os._exit(0)


def fall_silent() -> None:
    os.close(reply_pipe())
    time.sleep(3600)


def raise_something() -> None:
    raise RecursionError("too deep")


def write_a_file() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


def tell_environment(document: Document) -> None:
    object.__setattr__(document, "title", " ".join(sorted(os.environ)))


def unbalance(document: Document) -> None:
    object.__setattr__(document.ledger, "failed", 7)


def point_outside(document: Document) -> None:
    object.__setattr__(document.blocks[0].span, "end", len(document.text) + 1)


BEFORE: dict[str, Callable[[], None]] = {
    "spin": spin, "sleep": lambda: time.sleep(3600), "eat": eat, "crash": crash,
    "crash-unless-first": crash_unless_first, "print": print_much, "nonsense": talk_nonsense,
    "gigabyte": send_a_gigabyte, "short": promise_more_than_is_sent, "silent": fall_silent,
    "raise": raise_something, "write": write_a_file,
}  # fmt: skip
AFTER: dict[str, Callable[[Document], None]] = {
    "environment": tell_environment, "unbalanced": unbalance, "outside": point_outside,
}  # fmt: skip


class HostileReader:
    """The reader asked for, but for what the file's name says."""

    def __init__(self, reader: Reader) -> None:
        self.name = reader.name
        self._reader = reader

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        name = stem_of(source)
        seen.append(name)
        if name in BEFORE:
            BEFORE[name]()
        document = self._reader.read(content, source=source, options=options)
        if name in AFTER:
            AFTER[name](document)
        return document


def open_hostile(target: str) -> Reader:
    return HostileReader(open_registered(target))


if __name__ == "__main__":
    serve(open_hostile)
