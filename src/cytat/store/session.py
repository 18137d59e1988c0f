"""A path -> one connection to a corpus file: who holds it, its transactions, what a write seals.

Belongs to the thread that opened it. After a fork the child gets a connection of its own.
"""

import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import apsw

from cytat.errors import CorpusError, NotAllowedError
from cytat.store import rights, spaces
from cytat.store.connection import (
    check_in_place,
    identity_of,
    is_read_only,
    open_existing,
    open_or_create,
    translated,
)
from cytat.store.migrations import migrate
from cytat.store.schema import MIGRATIONS
from cytat.store.seals import ALL_PARTS, SealedPart, seal

_INHERITED: list[apsw.Connection] = []
"""Connections a child process got by fork. Closing one there could break the parent's file."""


class StoreSession:
    """A corpus file, open, for its owner or one reader."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        """Take an open connection; use `open` or `open_or_create`."""
        self.path = path
        self._connection = connection
        self._identity = identity_of(path)
        self._process = os.getpid()
        self._thread = threading.get_ident()
        self._is_writing = False
        self._is_changed = False
        self._unsealed: dict[str, frozenset[SealedPart]] = {}
        self._labels: frozenset[str] | None = None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a corpus that is there; one that cannot be written can still be read."""
        return cls._migrated(path, open_existing(path))

    @classmethod
    def open_or_create(cls, path: Path) -> Self:
        """Open a corpus, or make an empty one."""
        return cls._migrated(path, open_or_create(path))

    @classmethod
    def _migrated(cls, path: Path, connection: apsw.Connection) -> Self:
        try:
            migrate(connection, path, MIGRATIONS)
        except BaseException:
            connection.close()
            raise
        return cls(path.resolve(), connection)

    def reopened(self) -> Self:
        """Return another Store on the same file and for the same reader, for the calling thread."""
        store = type(self).open(self.path)
        return store if self._labels is None else store.restricted(self._labels)

    def restricted(self, labels: Collection[str]) -> Self:
        """Let this Store show what a reader with `labels` may read, and change nothing, for good.

        See `store.rights`.
        """
        rights.restrict(self._connection, labels)
        self._labels = frozenset(labels)
        return self

    def close(self) -> None:
        """Close the file; the Store cannot be used after."""
        if os.getpid() == self._process:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    # ------------------------------------------------------------ transactions

    @property
    def connection(self) -> apsw.Connection:
        """The connection of this process, for the thread that opened the Store."""
        if os.getpid() != self._process:
            self._reconnect()
        elif threading.get_ident() != self._thread:
            raise CorpusError(
                "this Store was opened by another thread",
                hint="open one for each thread; `store.reopened()` is cheap",
            )
        return self._connection

    def _reconnect(self) -> None:
        """Open the file again in a child process, leaving the parent's connection untouched."""
        _INHERITED.append(self._connection)
        self._connection = open_existing(self.path)
        self._identity = identity_of(self.path)
        self._process, self._thread = os.getpid(), threading.get_ident()
        if self._labels is not None:
            rights.restrict(self._connection, self._labels)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Read one moment of the corpus, whatever others write meanwhile. May be nested."""
        connection = self.connection
        with translated(self.path):
            is_outermost = not connection.in_transaction
            if is_outermost:
                check_in_place(self.path, self._identity)
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

        Nested in another `writing`, a failure undoes the inner block alone. The lock is taken at
        once: two writers wait for each other instead of failing.
        """
        if self._labels is not None:
            raise NotAllowedError(
                "a reader changes nothing in a corpus", hint="open it as its owner, without labels"
            )
        with self._writing() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        connection = self.connection
        if connection.in_transaction and not self._is_writing:
            raise RuntimeError("a write inside `reading` would be lost with the end of the reading")
        if not self._is_writing:
            check_in_place(self.path, self._identity)
        within = self._savepoint if self._is_writing else self._transaction
        with translated(self.path), within(connection):
            yield connection

    @contextmanager
    def _savepoint(self, connection: apsw.Connection) -> Iterator[None]:
        with connection:
            yield

    @contextmanager
    def _transaction(self, connection: apsw.Connection) -> Iterator[None]:
        try:
            connection.execute("begin immediate")
            self._is_writing, self._is_changed = True, False
            yield
            self._seal(connection)
            if self._is_changed:
                spaces.raise_generation(connection)
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:  # SQLite has rolled back itself where the disk is full
                connection.execute("rollback")
            raise
        finally:
            self._is_writing = False
            self._unsealed.clear()

    def _seal(self, connection: apsw.Connection) -> None:
        for document_id, parts in self._unsealed.items():
            seal(connection, document_id, parts)

    def mark_written(self, document_id: str, parts: frozenset[SealedPart] = ALL_PARTS) -> None:
        """Let parts of a document be sealed at the end of this `writing`."""
        self._unsealed[document_id] = self._unsealed.get(document_id, frozenset()) | parts

    def mark_changed(self) -> None:
        """Let the generation rise at the end of this `writing`; for writers of vectors alone."""
        self._is_changed = True

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written: no trace is kept then."""
        return is_read_only(self.connection)

    @property
    def labels(self) -> frozenset[str] | None:
        """Those of the reader it is restricted to; None for the owner."""
        return self._labels

    @property
    def base(self) -> Path:
        """The folder of the corpus file, which sources are named from."""
        return self.path.parent

    @property
    def generation(self) -> int:
        """How many committed writes have changed documents or vectors."""
        with self.reading() as connection:
            return spaces.read_generation(connection)
