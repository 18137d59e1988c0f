"""A corpus file -> what is in memory of it in this process, one for all who have it open.

Known by device and number of the file, not by its path, and kept as long as somebody has it open.
"""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakValueDictionary

import apsw

from cytat.backends.sqlite.connection import FileIdentity, identity_of
from cytat.backends.sqlite.spaces import read_generation, read_mark

if TYPE_CHECKING:
    from cytat.backends.sqlite.indexes.snapshot import Snapshot, SnapshotKey

CACHE_BYTES = 64 << 20
"""Kept of postings, for all users together: thirteen million at five bytes."""

_Place: TypeAlias = tuple[int, FileIdentity, Path]


class SharedIndexes:
    """What is in memory of one corpus file: the latest generation, and those still asked.

    May be used by several threads.
    """

    def __init__(self, file: Path | None, *, cache_bytes: int = CACHE_BYTES) -> None:
        """Begin with nothing; `file` is None for a corpus in memory."""
        self.process = os.getpid()
        """Whose threads may use it."""
        self._file = file
        self._cache_bytes = cache_bytes
        self._latest: Snapshot | None = None
        self._in_use: WeakValueDictionary[SnapshotKey, Snapshot] = WeakValueDictionary()
        self._lock = threading.Lock()

    def snapshot(self, connection: apsw.Connection) -> "Snapshot":
        """Return what is in memory of the moment that a connection is in."""
        from cytat.backends.sqlite.indexes.snapshot import (  # noqa: PLC0415 - see the package
            Snapshot,
            SnapshotKey,
        )

        key = SnapshotKey(read_generation(connection), read_mark(connection))
        with self._lock:
            found = self._in_use.get(key)
            if found is None:
                before = None if self._latest is None else self._latest.loaded_vectors
                found = Snapshot(key, self._file, before, self._cache_bytes)
                self._in_use[key] = found
            if self._latest is None or key.generation >= self._latest.key.generation:
                self._latest = found
            return found

    def forget(self) -> None:
        """Give back all memory but what is in use: the vectors of what was purged, for one."""
        with self._lock:
            self._latest = None

    @property
    def why_unmapped(self) -> str | None:
        """Why there is no file of vectors beside, where one is wanted; None where all is well."""
        latest = self._latest
        loaded = None if latest is None else latest.loaded_vectors
        return None if loaded is None else loaded.unmapped


_SHARED: WeakValueDictionary[_Place, SharedIndexes] = WeakValueDictionary()
_LOCK = threading.Lock()


def shared_indexes(file: Path) -> SharedIndexes:
    """Return what is in memory of a corpus file, for whoever opens it in this process."""
    place = os.getpid(), identity_of(file), file  # a child process does not use its parent's locks
    with _LOCK:
        found = _SHARED.get(place)
        if found is None:
            found = _SHARED[place] = SharedIndexes(file)
        return found
