"""Readers in child processes: whatever a file does to its parser costs that file alone."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.corpora import add, check_whole, write_files
from tests.reading.looking import FORMATS, read_document
from tests.reading.pdf_bombs import deflated, one_page
from tests.stores import Store

from cytat.errors import ReadingError
from cytat.reading.process.child import Limits, held_here, limits_for
from cytat.reading.process.messages import CODES
from cytat.reading.process.pool import ReaderPool
from cytat.reading.text.format import READ_HERE_BYTES
from cytat.records import Document, ReadingOptions
from cytat.testing.readers import assert_document

HOSTILE = (sys.executable, "-B", str(Path(__file__).parent / "hostile_worker.py"))
MIB = 1024 * 1024
LEASE = "biuro/umowa-najmu.pdf"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are whole on Linux alone")


def tight(_: int) -> Limits:
    return Limits(wall_s=2, cpu_s=1, memory_bytes=200 * MIB, reply_bytes=MIB)


@pytest.fixture
def hostile() -> Iterator[ReaderPool]:
    with ReaderPool(FORMATS, command=HOSTILE, limits=tight, reads_here=False) as pool:
        yield pool


@pytest.fixture
def shipped() -> Iterator[ReaderPool]:
    with ReaderPool(FORMATS) as pool:
        yield pool


def read(pool: ReaderPool, source: str, content: bytes = b"some words") -> Document:
    return pool.reader_for(content, source).read(content, source=source, options=ReadingOptions())


def failure(pool: ReaderPool, source: str, content: bytes = b"some words") -> ReadingError:
    with pytest.raises(ReadingError) as caught:
        read(pool, source, content)
    assert caught.value.hint
    return caught.value


def children() -> set[int]:
    """Return the processes that this one has begun and not reaped."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(status.parent.name))
    return found


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# ---------------------------------------------------------------- what a child does


CODE_OF = {
    "spin": "time-limit",
    "sleep": "time-limit",
    "eat": "memory-limit",
    "crash": "unreadable",
    "nonsense": "unreadable",
    "gigabyte": "too-large",
    "short": "unreadable",
    "silent": "unreadable",
    "raise": "unreadable",
    "write": "unreadable",
    "unbalanced": "unreadable",
    "outside": "unreadable",
}


def test_each_hostile_file_costs_itself_alone_and_leaves_nothing(tmp_path: Path) -> None:
    before = children()
    folder = tmp_path / "docs"
    harmless = ["a-first", "n-between", "print", "z-last"]
    names = [*CODE_OF, *harmless]
    write_files(folder, {f"{name}.txt": f"Words of {name}." for name in names})
    with (
        Store.open_or_create(tmp_path / "cytat.db") as store,
        ReaderPool(FORMATS, command=HOSTILE, limits=tight, reads_here=False) as pool,
    ):
        report = add(store, folder, reader_for=pool.reader_for)
        check_whole(store)
    assert {Path(file.source).stem: file.code for file in report.failed} == CODE_OF
    assert all(file.message and file.hint for file in report.failed)
    assert [Path(file.source).stem for file in report.added] == harmless
    assert children() == before


def test_a_crash_is_told_with_its_signal(hostile: ReaderPool) -> None:
    said = failure(hostile, "crash.txt").message
    assert said == "the reader of crash.txt stopped unexpectedly (signal 11)"


TOLD_APART_BADLY = {"memory-limit", "unreadable"}
"""A child counts its parent's peak of memory as its own until it has run a program: below a parent
that once was larger than the limit, a crash and a lack of memory are not always told apart."""


def test_the_memory_of_a_large_parent_is_not_taken_for_the_childs(hostile: ReaderPool) -> None:
    held = bytes([1]) * (150 * MIB)
    assert failure(hostile, "crash.txt").code in TOLD_APART_BADLY
    assert len(held) > tight(0).memory_bytes / 2


def test_what_a_reader_raises_is_told_by_name(hostile: ReaderPool) -> None:
    assert "RecursionError: too deep" in failure(hostile, "raise.txt").message


def test_a_loop_ends_by_the_processor_time_and_a_sleep_by_the_clock() -> None:
    def processor(_: int) -> Limits:
        return Limits(wall_s=60, cpu_s=1, memory_bytes=200 * MIB, reply_bytes=MIB)

    def clock(_: int) -> Limits:
        return Limits(wall_s=1, cpu_s=60, memory_bytes=200 * MIB, reply_bytes=MIB)

    for limits, source in ((processor, "spin.txt"), (clock, "sleep.txt"), (clock, "spin.txt")):
        started = time.monotonic()
        with ReaderPool(FORMATS, command=HOSTILE, limits=limits, reads_here=False) as pool:
            assert failure(pool, source).code == "time-limit"
        assert time.monotonic() - started < 20


def test_what_an_earlier_file_left_in_a_worker_is_not_held_against_the_next(
    hostile: ReaderPool,
) -> None:
    read(hostile, "first.txt")
    # It crashes in a worker that has read before, and not in a new one.
    assert read(hostile, "crash-unless-first.txt").text == "some words"


def test_a_worker_that_was_killed_while_idle_is_replaced(hostile: ReaderPool) -> None:
    before = children()
    read(hostile, "first.txt")
    (worker,) = children() - before
    os.kill(worker, signal.SIGKILL)
    assert read(hostile, "second.txt").text == "some words"


def test_a_reader_is_told_no_secret(hostile: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    names = set(read(hostile, "environment.txt").title.split())
    assert names <= {"LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONPATH"}


def test_a_worker_that_cannot_start_fails_the_file_and_says_so() -> None:
    with ReaderPool(FORMATS, command=["/no/such/program"], reads_here=False) as pool:
        assert "no process could be started" in failure(pool, "a.txt").message


def test_a_worker_that_is_no_worker_fails_the_file_and_says_so() -> None:
    with ReaderPool(FORMATS, command=[sys.executable, "-c", ""], reads_here=False) as pool:
        assert failure(pool, "a.txt").code == "unreadable"


# ---------------------------------------------------------------- the end of the parent


def test_a_pool_that_is_closed_lets_go_of_whoever_waits_and_refuses_the_next() -> None:
    before = children()
    with ThreadPoolExecutor(max_workers=2) as others:
        with ReaderPool(FORMATS, command=HOSTILE, reads_here=False) as pool:
            read(pool, "first.txt")
            waiting = [others.submit(read, pool, name) for name in ("spin.txt", "late.txt")]
            time.sleep(0.2)
        for one in waiting:
            assert isinstance(one.exception(timeout=10), ReadingError | RuntimeError)
        with pytest.raises(RuntimeError, match="closed"):
            read(pool, "later.txt")
    assert children() == before


LOOPING_PARENT = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
from cytat import plugins
from cytat.reading.process.pool import ReaderPool
from cytat.records import ReadingOptions
with ReaderPool(plugins.load_formats(), command={command!r}, reads_here=False) as pool:
    reader = pool.reader_for(b"words", "first.txt")
    reader.read(b"words", source="first.txt", options=ReadingOptions())
    print("ready", flush=True)
    reader.read(b"words", source="spin.txt", options=ReadingOptions())
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(end: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", LOOPING_PARENT.format(command=HOSTILE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    task = Path(f"/proc/{parent.pid}/task")
    workers: set[int] = set()
    for of_thread in task.glob("*/children"):
        with contextlib.suppress(FileNotFoundError):  # a thread may end meanwhile
            workers.update(map(int, of_thread.read_text().split()))
    assert len(workers) == 1
    parent.send_signal(end)
    parent.wait(20)
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while any(map(is_there, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_there, workers))


# ---------------------------------------------------------------- the shipped worker


def test_a_document_is_the_same_from_a_child_as_from_here(example_documents: Path) -> None:
    with ReaderPool(FORMATS, reads_here=False) as pool:
        for path in sorted(path for path in example_documents.rglob("*.*") if path.is_file()):
            source, content = path.name, path.read_bytes()
            assert read(pool, source, content) == read_document(content, source=source)


def test_small_files_of_our_own_formats_start_no_worker() -> None:
    with ReaderPool(FORMATS, command=["/no/such/program"]) as pool:
        assert read(pool, "a.md").text == "some words"
        assert read(pool, "a.txt").text == "some words"
        assert failure(pool, "a.html").code == "unreadable"
        large = b"x" * (READ_HERE_BYTES + 1)
        assert failure(pool, "a.txt", large).code == "unreadable"


def test_a_worker_loads_no_numpy_no_database_no_encoder_and_no_pickle() -> None:
    code = "import cytat.reading.process.worker, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"numpy", "apsw", "onnxruntime", "click", "urllib3", "pickle"}


def damaged(content: bytes, *, seed: int) -> bytes:
    """Return the bytes with one to forty of them changed."""
    chance = random.Random(seed)  # noqa: S311 - the same bytes in every run
    changed = bytearray(content)
    for _ in range(chance.randint(1, 40)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 110), marks=pytest.mark.slow)], ids=["10", "100"]
)
def test_a_damaged_pdf_is_a_balanced_document_or_fails_with_a_code(
    shipped: ReaderPool, example_documents: Path, seeds: range
) -> None:
    content = (example_documents / LEASE).read_bytes()
    refused: dict[int, ReadingError] = {}
    for seed in seeds:
        try:
            assert_document(read(shipped, "a.pdf", damaged(content, seed=seed)))
        except ReadingError as failed:
            refused[seed] = failed
    assert len(refused) < len(seeds)
    assert {failed.code for failed in refused.values()} <= CODES
    crashes = [seed for seed, failed in refused.items() if "stopped" in failed.message]
    assert crashes == []


BOMB = one_page(deflated(b" " * MIB, times=1024), filters="/FlateDecode")
"""A gigabyte of blanks in a megabyte."""
NESTED_BOMB = one_page(
    deflated(deflated(deflated(b" " * MIB, times=1024), times=1), times=1),
    filters="[/FlateDecode /FlateDecode /FlateDecode]",
)


def test_a_bomb_fails_at_the_memory_limit_and_the_next_file_is_read(
    example_documents: Path,
) -> None:
    def small(_: int) -> Limits:
        return Limits(wall_s=60, cpu_s=30, memory_bytes=200 * MIB, reply_bytes=MIB)

    assert len(BOMB) < 1.1 * MIB
    assert len(NESTED_BOMB) < 2000
    with ReaderPool(FORMATS, limits=small) as pool:
        assert failure(pool, "bomb.pdf", BOMB).code in TOLD_APART_BADLY
        assert failure(pool, "nested.pdf", NESTED_BOMB).code in TOLD_APART_BADLY
        assert "kaucj" in read(pool, LEASE, (example_documents / LEASE).read_bytes()).text


@pytest.mark.slow
@pytest.mark.parametrize("content", [BOMB, NESTED_BOMB], ids=["flat", "nested"])
def test_a_bomb_ends_within_the_shipped_limits(shipped: ReaderPool, content: bytes) -> None:
    started = time.monotonic()
    assert failure(shipped, "bomb.pdf", content).code == "memory-limit"
    assert time.monotonic() - started < limits_for(len(content)).wall_s


@pytest.mark.slow
@pytest.mark.parametrize("operators", [b"q Q ", b"BT ET "], ids=["graphics", "text"])
def test_three_million_operators_end_within_the_shipped_limits(
    shipped: ReaderPool, operators: bytes
) -> None:
    flood = one_page(operators * 1_500_000, filters="[]")
    assert failure(shipped, "flood.pdf", flood).code == "no-text"


def test_a_hundred_thousand_nested_tags_are_a_page(shipped: ReaderPool) -> None:
    document = read(shipped, "deep.html", b"<html><body>" + b"<div>" * 100_000 + b"deep down")
    assert document.text == "deep down"
    assert [problem.code for problem in document.ledger.problems] == ["nested-too-deep"]


def test_limits_grow_with_the_file_and_end_somewhere() -> None:
    assert limits_for(0) == Limits(180, 60, 1024 * MIB, 64 * MIB)
    assert limits_for(10 * MIB).cpu_s == 460
    assert limits_for(10**12) == limits_for(10**13)


def test_what_a_system_cannot_hold_is_not_claimed() -> None:
    assert held_here("win32") == "time, size of the text"
    assert "memory" in held_here("linux")
    assert "memory" not in held_here("darwin")
