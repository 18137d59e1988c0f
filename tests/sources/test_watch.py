"""What a watch takes for a change that has come to rest, with a clock that the test turns."""

import os
import shutil
from pathlib import Path

import pytest

from cytat.protocols import SourceOptions
from cytat.sources import FileSource, Settled, Sources, Watch


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("jeden")
    (tmp_path / "docs" / "b.txt").write_text("dwa")
    return tmp_path / "docs"


@pytest.fixture
def watch(folder: Path, clock: Clock) -> Watch:
    return Watch([folder], sources=sources_in(folder.parent), clock=clock)


def sources_in(base: Path) -> Sources:
    files = FileSource(SourceOptions(base=base, corpus=base / "c.db"))
    return Sources(files, list, base=base)


def names(settled: Settled) -> set[str]:
    return {item.name for item in settled.found.items}


def after(watch: Watch, clock: Clock, *, seconds: float) -> Settled | None:
    clock.now += seconds
    return watch.look()


def test_nothing_is_told_while_nothing_changes(watch: Watch, clock: Clock) -> None:
    assert watch.look() is None
    assert after(watch, clock, seconds=100) is None


def test_a_new_file_is_told_once_it_rests(watch: Watch, folder: Path, clock: Clock) -> None:
    (folder / "c.txt").write_text("trzy")
    assert watch.look() is None
    settled = after(watch, clock, seconds=2)
    assert settled is not None
    assert settled.changed == {"docs/c.txt"}
    assert after(watch, clock, seconds=2) is None


def test_a_file_that_grows_is_left_alone_until_it_rests(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    for step in range(5):
        (folder / "c.txt").write_text("x" * (step + 1))
        assert after(watch, clock, seconds=2) is None
    settled = after(watch, clock, seconds=2)
    assert settled is not None
    assert settled.changed == {"docs/c.txt"}


def test_a_growing_file_does_not_keep_others_waiting(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    (folder / "a.txt").write_text("zmieniony")
    (folder / "log.txt").write_text("1")
    watch.look()
    (folder / "log.txt").write_text("12")
    settled = after(watch, clock, seconds=2)
    assert settled is not None
    assert settled.changed == {"docs/a.txt"}
    assert settled.in_motion == {"docs/log.txt"}


def test_a_file_gone_for_the_moment_of_a_save_is_in_motion(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    (folder / "b.txt").write_text("inne")
    (folder / "a.txt").rename(folder / "a.txt~")
    watch.look()
    clock.now += 2
    (folder / "a.txt~").rename(folder / "a.txt")  # back as it was before the look
    settled = watch.look()
    assert settled is not None
    assert settled.changed == {"docs/b.txt"}
    assert "docs/a.txt" in names(settled)


def test_another_file_renamed_into_place_is_a_change_though_size_and_time_are_equal(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    status = (folder / "a.txt").stat()
    (folder / ".new").write_text("JEDEN")
    os.utime(folder / ".new", ns=(status.st_atime_ns, status.st_mtime_ns))
    (folder / ".new").replace(folder / "a.txt")
    watch.look()
    settled = after(watch, clock, seconds=2)
    assert settled is not None
    assert settled.changed == {"docs/a.txt"}


def test_a_deleted_file_is_told_without_being_read(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    (folder / "a.txt").unlink()
    watch.look()
    settled = after(watch, clock, seconds=2)
    assert settled is not None
    assert settled.changed == frozenset()
    assert names(settled) == {"docs/b.txt"}


def test_a_folder_that_is_gone_counts_as_unplugged_and_comes_back_unchanged(
    watch: Watch, folder: Path, clock: Clock
) -> None:
    shutil.move(folder, folder.with_name("away"))
    watch.look()
    assert after(watch, clock, seconds=2) is None
    shutil.move(folder.with_name("away"), folder)
    watch.look()
    assert after(watch, clock, seconds=2) is None


def test_looks_are_rarer_where_they_take_long(folder: Path) -> None:
    class Slow(Clock):
        def __call__(self) -> float:  # type: ignore[explicit-override]
            self.now += 1.0
            return self.now

    watch = Watch([folder], sources=sources_in(folder.parent), clock=Slow())
    watch.look()
    assert 20 <= watch.interval_s <= 60
