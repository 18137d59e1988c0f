"""A corpus that is watched: what people do to files, in threads and with real files."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest
from tests.corpora import content_of, write_files
from tests.stores import Store

from cytat import Corpus
from cytat.config import load_settings
from cytat.records import IngestReport
from cytat.sources import watching

PATIENCE_S = 30.0


class Watcher:
    """A corpus watched by a thread of its own."""

    def __init__(self, corpus: Path, folder: Path) -> None:
        self.reports: Queue[IngestReport | BaseException] = Queue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(corpus, folder))
        self._thread.start()

    def next(self) -> dict[str, list[str]]:
        """Return what the next report tells."""
        report = self.reports.get(timeout=PATIENCE_S)
        if isinstance(report, BaseException):
            raise report
        kinds = ("added", "updated", "unchanged", "removed", "skipped", "failed")
        told = {kind: [Path(one.source).name for one in getattr(report, kind)] for kind in kinds}
        return {kind: names for kind, names in told.items() if names}

    def end(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def _run(self, corpus: Path, folder: Path) -> None:
        try:
            with Corpus(load_settings({"corpus": str(corpus), "embedder": "fake"})) as opened:
                opened.watch(folder, on_report=self.reports.put, stop=self._stop)
        except BaseException as failure:  # noqa: BLE001 - raised again in `next`
            self.reports.put(failure)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(watching, "SETTLED_AFTER_S", 0.1)
    monkeypatch.setattr(watching, "SHORTEST_INTERVAL_S", 0.02)
    write_files(tmp_path / "docs", {"a.txt": "jeden", "b.txt": "dwa"})
    return tmp_path / "docs"


@pytest.fixture
def watch(tmp_path: Path, folder: Path) -> Iterator[Callable[[], Watcher]]:
    begun: list[Watcher] = []

    def begin() -> Watcher:
        begun.append(Watcher(tmp_path / "cytat.db", folder))
        return begun[-1]

    yield begin
    for one in begun:
        one.end()


def test_changes_come_in_as_they_happen_and_leave_what_an_add_would(
    tmp_path: Path, folder: Path, watch: Callable[[], Watcher]
) -> None:
    watcher = watch()
    assert watcher.next() == {"added": ["a.txt", "b.txt"]}
    (folder / "c.txt").write_text("trzy")
    assert watcher.next() == {"added": ["c.txt"]}
    (folder / ".a.txt.swp").write_text("zmieniony")
    (folder / ".a.txt.swp").replace(folder / "a.txt")
    assert watcher.next() == {"updated": ["a.txt"]}
    (folder / "b.txt").rename(folder / "d.txt")
    assert watcher.next() == {"added": ["d.txt"], "removed": ["b.txt"]}
    (folder / "c.txt").unlink()
    assert watcher.next() == {"removed": ["c.txt"]}
    watcher.end()
    with Corpus(load_settings({"corpus": str(tmp_path / "new.db"), "embedder": "fake"})) as new:
        new.add(folder)
    with Store.open(tmp_path / "cytat.db") as ours, Store.open(tmp_path / "new.db") as theirs:
        assert content_of(ours) == content_of(theirs)


def test_a_folder_that_vanishes_empties_nothing(
    tmp_path: Path, folder: Path, watch: Callable[[], Watcher]
) -> None:
    write_files(tmp_path / "docs", {"sub/c.txt": "trzy"})
    watcher = watch()
    assert watcher.next() == {"added": ["a.txt", "b.txt", "c.txt"]}
    folder.rename(tmp_path / "away")
    with pytest.raises(Empty):
        watcher.reports.get(timeout=0.3)
    (tmp_path / "away").rename(folder)
    (folder / "d.txt").write_text("cztery")
    assert watcher.next() == {"added": ["d.txt"]}


def test_a_file_that_cannot_be_read_is_told_once_and_ends_nothing(
    folder: Path, watch: Callable[[], Watcher]
) -> None:
    watcher = watch()
    watcher.next()
    (folder / "zly.pdf").write_bytes(b"%PDF-1.7 nothing more")
    assert watcher.next() == {"failed": ["zly.pdf"]}
    (folder / "c.txt").write_text("trzy")
    assert watcher.next() == {"added": ["c.txt"]}
