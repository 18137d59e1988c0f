"""SqliteStore: one corpus file, open for its owner or one user, for any number of threads."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import apsw

from cytat.backends.sqlite import rights, traces
from cytat.backends.sqlite.connection import (
    is_read_only,
    open_existing,
    open_or_create,
    unsynchronised,
)
from cytat.backends.sqlite.connections import Connections
from cytat.backends.sqlite.indexes import SharedIndexes, shared_indexes
from cytat.backends.sqlite.migrations import migrate
from cytat.backends.sqlite.moment import SqliteMoment
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.backends.sqlite.writing import SqliteWriting
from cytat.errors import NotAllowedError
from cytat.records import Trace

if TYPE_CHECKING:
    from cytat.backends.sqlite.upkeep import SqliteUpkeep


class SqliteStore:
    """A corpus file, open; see `protocols.Store`."""

    def __init__(
        self, path: Path, connection: apsw.Connection, labels: Collection[str] | None
    ) -> None:
        """Take an open connection of the calling thread; use `open` or `open_or_create`."""
        self.path = path.resolve()
        self.damage: str | None = None
        """What of the index the last write found damaged and left alone; None: nothing."""
        self._name = str(path)
        self._labels = None if labels is None else frozenset(labels)
        self._connections = Connections(self.path, connection, self._labels)
        self._indexes: SharedIndexes | None = None
        """Held as long as the store is open."""

    @classmethod
    def open(cls, path: Path, *, labels: Collection[str] | None = None) -> Self:
        """Open a corpus that is there; one that cannot be written can still be read.

        With `labels` it shows what a user who has them may read, and cannot be changed.
        """
        return cls._migrated(path, open_existing(path), labels)

    @classmethod
    def open_or_create(cls, path: Path) -> Self:
        """Open a corpus, or make an empty one."""
        return cls._migrated(path, open_or_create(path), None)

    @classmethod
    def _migrated(
        cls, path: Path, connection: apsw.Connection, labels: Collection[str] | None
    ) -> Self:
        try:
            migrate(connection, path, MIGRATIONS)
            return cls(path, connection, labels)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Close the file; the store cannot be used after."""
        self._connections.close()
        self._indexes = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    # ------------------------------------------------------------ what it is

    @property
    def name(self) -> str:
        """The path as a person wrote it."""
        return self._name

    @property
    def file(self) -> Path:
        """The file."""
        return self.path

    @property
    def base(self) -> Path:
        """The folder of the file, which sources are named from."""
        return self.path.parent

    @property
    def labels(self) -> frozenset[str] | None:
        """Those of the user it is open for; None for the owner."""
        return self._labels

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written: no trace is kept then."""
        return is_read_only(self.connection)

    @property
    def connection(self) -> apsw.Connection:
        """The calling thread's connection, for this back-end and its tests alone."""
        return self._connections.mine().connection

    # ------------------------------------------------------------ transactions

    @contextmanager
    def moment(self) -> Iterator[SqliteMoment]:
        """Open one snapshot. Inside another moment of the same thread it is that one."""
        mine = self._connections.mine()
        if mine.moment is not None:
            yield mine.moment
            return
        with self._connections.reading() as connection:
            moment = SqliteMoment(
                connection, base=self.base, indexes=self._shared_indexes, labels=self._labels
            )
            mine.moment = moment
            try:
                yield moment
            finally:
                mine.moment = None
                moment.end()

    @contextmanager
    def writing(self) -> Iterator[SqliteWriting]:
        """Write all of the block or nothing of it. On disk when this returns.

        Nested in another `writing`, a failure undoes the inner block alone.
        """
        if self._labels is not None:
            raise NotAllowedError(
                "a reader changes nothing in a corpus", hint="open it as its owner, without labels"
            )
        mine = self._connections.mine()
        if isinstance(mine.moment, SqliteWriting):
            with mine.moment.savepoint():
                yield mine.moment
            return
        with self._connections.writing() as connection:
            writing = SqliteWriting(connection, base=self.base, indexes=self._shared_indexes)
            mine.moment = writing
            try:
                yield writing
                writing.finish()
            finally:
                mine.moment = None
                writing.end()
        self.damage = writing.damage

    def use_indexes(self, indexes: SharedIndexes) -> None:
        """Rank by these and not by those of all who have the file open: for measurements."""
        self._indexes = indexes

    def forget_indexes(self) -> None:
        """Give back what is in memory for ranking, and what is mapped."""
        self._shared_indexes().forget()

    def why_unmapped(self) -> str | None:
        """Return why vectors are not mapped from the file beside, where they should be."""
        return self._shared_indexes().why_unmapped

    def _shared_indexes(self) -> SharedIndexes:
        """Return what is in memory for ranking; a child process begins with nothing."""
        if self._indexes is None or self._indexes.process != os.getpid():
            self._indexes = shared_indexes(self.path)
        return self._indexes

    def record_trace(self, trace: Trace) -> None:
        """Keep a trace; the oldest go. A power cut may take the last ones, and nothing else."""
        reader = None if self._labels is None else rights.name_of_reader(self._labels)
        with unsynchronised(self.connection), self._connections.writing() as connection:
            traces.record_trace(connection, trace, reader=reader)

    @cached_property
    def upkeep(self) -> "SqliteUpkeep":
        """What the owner does to keep the corpus sound."""
        from cytat.backends.sqlite.upkeep import SqliteUpkeep  # noqa: PLC0415 - seldom needed

        return SqliteUpkeep(self)
