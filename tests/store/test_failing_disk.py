"""The n-th write to the disk fails, for every n: an error is told, and old or new is kept whole.

A file system of our own stands between SQLite and the disk and fails where it is told to.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.corpora import check_whole

from cytat.errors import CorpusError
from cytat.fulltext import ChunkWords, index_chunks
from cytat.store import Store
from cytat.store.migrations import migrate
from cytat.store.schema import MIGRATIONS
from cytat.testing.stores import make_version
from cytat.text.identity import document_id

OLD, NEW = "stara wersja " * 400, "nowa wersja " * 900
LAST = 200
"""More writes than one replacement takes."""


@dataclass
class Fault:
    """Which write fails, and how; `writes` counts them."""

    at: int | None
    error: type[apsw.Error]
    stays: bool
    writes: int = 0

    def count(self) -> None:
        self.writes += 1
        if self.at is not None and (
            self.writes == self.at or (self.stays and self.writes > self.at)
        ):
            raise self.error


class FailingFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: Any, fault: Fault) -> None:
        self._fault = fault
        super().__init__("", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._fault.count()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._fault.count()
        super().xSync(flags)


class FailingDisk(apsw.VFS):
    def __init__(self, name: str, fault: Fault) -> None:
        self._fault = fault
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> FailingFile:  # type: ignore[explicit-override]  # noqa: N802
        return FailingFile(name, flags, self._fault)


NAMES = itertools.count()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        write(store, OLD)
    return tmp_path / "cytat.db"


def write(store: Store, text: str) -> None:
    """Replace the one document, with words and vectors, as ingestion does."""
    with store.writing() as connection:
        rows = store.replace(make_version("a.txt", text, chunk_characters=100))
        index_chunks(connection, [ChunkWords(row, "", "słowa", None) for row in rows])
        connection.executemany(
            "insert into vector values (?, ?)", ((row, bytes(64)) for row in rows)
        )


def open_on(path: Path, fault: Fault) -> Store:
    name = f"failing-{next(NAMES)}"
    disk = FailingDisk(name, fault)
    connection = apsw.Connection(str(path), vfs=name)
    migrate(connection, path, MIGRATIONS)
    connection.pragma("synchronous", "FULL")
    connection.pragma("foreign_keys", 1)
    store = Store(path, connection)
    store.disk = disk  # type: ignore[attr-defined]  # lives as long as the connection
    return store


@pytest.mark.parametrize("lasting", ["once", "from then on"])
@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_every_write_that_fails_is_told_and_leaves_old_or_new_whole(
    path: Path, error: type[apsw.Error], lasting: str
) -> None:
    content = path.read_bytes()
    for at in range(1, LAST):
        for left in path.parent.glob("cytat.db*"):
            left.unlink()
        path.write_bytes(content)
        fault = Fault(None, error, stays=lasting != "once")
        store = open_on(path, fault)
        fault.at = fault.writes + at
        told: list[str] = []
        try:
            write(store, NEW)
        except CorpusError as caught:
            told.append(caught.hint)
        has_failed = fault.writes >= fault.at
        fault.at = None
        store.close()
        with Store.open(path) as store:
            check_whole(store)
            text = store.text(document_id("a.txt"))
        # A write that is told as failed may still have reached the disk; one that is not told has.
        assert text in ((OLD, NEW) if told else (NEW,))
        assert all(told)
        if not has_failed:
            return
    pytest.fail("the sweep ended before the writes did")
