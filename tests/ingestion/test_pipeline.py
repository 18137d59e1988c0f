"""Encoding goes on beside writing, can be stopped at once, and tells what it meets."""

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.corpora import add, check_whole, write_files
from tests.stores import Store

from cytat.ingestion import groups
from cytat.protocols import Vectors
from cytat.records import Progress
from cytat.testing.embedders import FakeEmbedder

PATIENCE_S = 30.0


class Slow(FakeEmbedder):
    """The fake encoder, which waits in its second call until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.is_waiting = threading.Event()
        self.may_go_on = threading.Event()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:  # type: ignore[explicit-override]
        self.calls += 1
        if self.calls == 2:
            self.is_waiting.set()
            assert self.may_go_on.wait(PATIENCE_S)
        return super().embed_documents(texts)


class Broken(FakeEmbedder):
    def embed_documents(self, texts: Sequence[str]) -> Vectors:  # type: ignore[explicit-override]
        raise MemoryError("no room for the batch")


@pytest.fixture
def slow() -> Iterator[Slow]:
    embedder = Slow()
    yield embedder
    embedder.may_go_on.set()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(groups, "GROUP_DOCUMENTS", 2)
    write_files(tmp_path / "docs", {f"{at}.txt": f"tekst {at}" for at in range(6)})
    return tmp_path / "docs"


def test_one_group_is_on_disk_while_the_next_is_being_encoded(
    store: Store, folder: Path, slow: Slow
) -> None:
    on_disk: list[int] = []

    def look(_: Progress) -> None:
        if slow.is_waiting.is_set() and not slow.may_go_on.is_set():
            with Store.open(store.path) as other:
                on_disk.append(len(other.documents()))
            if on_disk[-1]:
                slow.may_go_on.set()

    add(store, folder, embedder=slow, on_event=look)
    assert on_disk[-1] == 2
    assert len(store.documents()) == 6
    check_whole(store)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt: a job in a shell's background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to itself")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_does_not_wait_for_the_encoder_and_keeps_what_is_done(
    store: Store, folder: Path, slow: Slow
) -> None:
    def interrupt() -> None:
        assert slow.is_waiting.wait(PATIENCE_S)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        add(store, folder, embedder=slow)
    thread.join()
    assert not slow.may_go_on.is_set()
    check_whole(store)
    kept = len(store.documents())
    assert kept <= 2
    slow.may_go_on.set()
    report = add(store, folder)
    assert report.totals["unchanged"] == kept
    assert report.totals["added"] == 6 - kept
    check_whole(store)


def test_what_is_no_failure_of_the_encoder_alone_ends_the_run(store: Store, folder: Path) -> None:
    with pytest.raises(MemoryError, match="no room"):
        add(store, folder, embedder=Broken())
    assert store.documents() == ()


def test_a_passage_in_two_groups_is_encoded_once(store: Store, tmp_path: Path) -> None:
    texts = {f"{at:02}.txt": "ten sam tekst" for at in range(2 * groups.GROUP_DOCUMENTS)}
    write_files(tmp_path / "docs", texts)
    for name in texts:  # with the name as title the passages would differ
        (tmp_path / "docs" / name).write_text("# Tytuł\n\nTen sam tekst.")
    embedded: list[str] = []

    class Keeping(FakeEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:  # type: ignore[explicit-override]
            embedded.extend(texts)
            return super().embed_documents(texts)

    add(store, tmp_path / "docs", embedder=Keeping())
    check_whole(store)
    assert len(embedded) == len(set(embedded))


def test_progress_never_falls_and_ends_at_the_whole(store: Store, folder: Path) -> None:
    seen: list[Progress] = []
    add(store, folder, on_event=seen.append)
    shares = [one.share for one in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
