"""A corpus in one SQLite file: documents, words as postings, vectors, traces.

Opened by name through `plugins`; nobody imports it.
"""

from collections.abc import Collection
from pathlib import Path

from cytat.backends.sqlite.connection import sqlite_version
from cytat.backends.sqlite.store import SqliteStore


class SqliteFiles:
    """Opens corpus files; see `protocols.OpenStore`."""

    @property
    def engine(self) -> str:
        """Name and version of the library in use."""
        return f"SQLite {sqlite_version()}"

    def __call__(self, name: str, *, create: bool, labels: Collection[str] | None) -> SqliteStore:
        """Open the file at a path, for its owner or for a user with labels."""
        if create and labels is None:
            return SqliteStore.open_or_create(Path(name))
        return SqliteStore.open(Path(name), labels=labels)


open_store = SqliteFiles()

__all__ = ["SqliteStore", "open_store"]
