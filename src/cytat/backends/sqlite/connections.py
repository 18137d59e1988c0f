"""A corpus file -> its connections, one for each thread, and their transactions.

A connection belongs to the thread it was opened for; those of threads that have ended are closed
when another thread comes. After a fork the child opens its own and leaves the parent's alone.
"""

import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from cytat.backends.sqlite import rights
from cytat.backends.sqlite.connection import (
    FileIdentity,
    check_in_place,
    identity_of,
    open_existing,
    translated,
)
from cytat.errors import CorpusError

if TYPE_CHECKING:
    from cytat.backends.sqlite.moment import SqliteMoment

_INHERITED: list[apsw.Connection] = []
"""Connections a child process got by fork. Closing one there could break the parent's file."""


@dataclass(slots=True)
class OfThread:
    """What one thread has open."""

    thread: threading.Thread
    connection: apsw.Connection
    identity: FileIdentity
    """Of the file when the connection was opened."""
    moment: "SqliteMoment | None" = None
    """The one that is open."""


class Connections:
    """The connections of one open corpus file, for its owner or one user."""

    def __init__(
        self, path: Path, first: apsw.Connection, labels: Collection[str] | None = None
    ) -> None:
        """Take the file, and a connection for the calling thread."""
        self._path = path
        self._labels = labels
        self._local = threading.local()
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._is_closed = False
        self._open: list[OfThread] = []
        self._keep(first)

    def mine(self) -> OfThread:
        """Return what the calling thread has open, opening it if need be."""
        if os.getpid() != self._process:
            self._leave_to_parent()
        found: OfThread | None = getattr(self._local, "of_thread", None)
        return self._keep(open_existing(self._path)) if found is None else found

    def close(self) -> None:
        """Close every connection; a child process closes its own alone."""
        if os.getpid() != self._process:
            self._leave_to_parent()
        self._is_closed = True
        with self._lock:
            for one in self._open:
                one.connection.close()
            self._open.clear()
        self._local = threading.local()

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Read one moment of the corpus, whatever others write meanwhile. May be nested."""
        mine = self.mine()
        connection = mine.connection
        with translated(self._path):
            is_outermost = not connection.in_transaction
            if is_outermost:
                check_in_place(self._path, mine.identity)
            try:  # before it begins: Ctrl+C may strike between any two lines
                if is_outermost:
                    connection.execute("begin")
                yield connection
            finally:
                if is_outermost and connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Write all of the block or nothing of it. On disk when this returns.

        The lock is taken at once: two writers wait for each other instead of failing.
        """
        mine = self.mine()
        connection = mine.connection
        if connection.in_transaction:
            raise RuntimeError("a write inside a moment would be lost with the end of the moment")
        check_in_place(self._path, mine.identity)
        with translated(self._path):
            try:
                connection.execute("begin immediate")
                yield connection
                connection.execute("commit")
            except BaseException:
                _roll_back(connection)
                raise

    def _keep(self, connection: apsw.Connection) -> OfThread:
        if self._is_closed:
            connection.close()
            raise CorpusError(f"{self._path} was closed", hint="open the corpus again")
        if self._labels is not None:
            rights.restrict(connection, self._labels)
        thread = threading.current_thread()
        mine = OfThread(thread, connection, identity_of(self._path))
        self._local.of_thread = mine
        with self._lock:
            for one in self._open:
                if not one.thread.is_alive():
                    one.connection.close()
            self._open = [one for one in self._open if one.thread.is_alive()]
            self._open.append(mine)
        return mine

    def _leave_to_parent(self) -> None:
        """Begin anew in a child process; its only thread is the one that was forked."""
        _INHERITED.extend(one.connection for one in self._open)
        self._open = []
        self._local = threading.local()
        self._lock = threading.Lock()
        self._process = os.getpid()


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:  # SQLite has rolled back itself if the disk is full
        connection.execute("rollback")
