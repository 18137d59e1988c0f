"""What a corpus file is refused for, and what is left in it."""

import os
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import numpy as np
import pytest
from tests.stores import Store

from cytat.backends.sqlite import connection
from cytat.backends.sqlite.connection import check_sqlite
from cytat.backends.sqlite.schema import APPLICATION_ID, MIGRATIONS
from cytat.errors import CorpusBusyError, CorpusError, CorpusFormatError, CorpusMissingError
from cytat.records import Span
from cytat.testing.stores import make_version
from cytat.text.identity import document_id, passage_text, text_hash


def test_a_new_file_says_what_it_is_and_how_it_is_written(store: Store) -> None:
    pragma = store.connection.pragma
    assert pragma("application_id") == APPLICATION_ID
    assert pragma("user_version") == len(MIGRATIONS)
    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2  # FULL
    assert pragma("foreign_keys") == 1


def test_a_missing_file_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissingError) as caught:
        Store.open(tmp_path / "cytat.db")
    assert f"cytat --corpus {tmp_path}/cytat.db add" in caught.value.hint
    assert not (tmp_path / "cytat.db").exists()


def test_an_empty_file_is_no_corpus_yet_and_can_become_one(tmp_path: Path) -> None:
    (tmp_path / "cytat.db").touch()
    with pytest.raises(CorpusMissingError):
        Store.open(tmp_path / "cytat.db")
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        assert store.documents() == ()


def test_a_file_begun_and_killed_before_its_tables_can_become_one(tmp_path: Path) -> None:
    begun = apsw.Connection(str(tmp_path / "cytat.db"))
    begun.pragma("journal_mode", "wal")
    begun.close()
    with pytest.raises(CorpusMissingError):
        Store.open(tmp_path / "cytat.db")
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        assert store.documents() == ()


@pytest.mark.parametrize("opened", [Store.open, Store.open_or_create])
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, opened: "type[Store]"
) -> None:
    (tmp_path / "cytat.db").write_bytes(b"Dear diary, " * 50)
    with pytest.raises(CorpusFormatError, match="not a cytat corpus"):
        opened(tmp_path / "cytat.db")  # type: ignore[call-arg]
    assert (tmp_path / "cytat.db").read_bytes() == b"Dear diary, " * 50


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "cytat.db")
    other.execute("create table recipe (name text)")
    other.commit()
    other.close()
    before = (tmp_path / "cytat.db").read_bytes()
    for opened in (Store.open, Store.open_or_create):
        with pytest.raises(CorpusFormatError, match="not cytat's"):
            opened(tmp_path / "cytat.db")
    assert (tmp_path / "cytat.db").read_bytes() == before


def test_a_file_of_a_newer_program_is_refused(store: Store) -> None:
    store.connection.pragma("user_version", len(MIGRATIONS) + 1)
    with pytest.raises(CorpusFormatError, match=f"format {len(MIGRATIONS) + 1}") as caught:
        Store.open(store.path)
    assert "upgrade" in caught.value.hint


@pytest.mark.parametrize("kept_bytes", [50, 5_000, 20_000])
def test_a_truncated_file_is_refused(store: Store, tmp_path: Path, kept_bytes: int) -> None:
    store.replace(make_version("a.txt", "słowo " * 5_000))
    store.close()
    shutil.copy(store.path, tmp_path / "copy.db")
    os.truncate(tmp_path / "copy.db", kept_bytes)
    with pytest.raises(CorpusFormatError, match="cut short"):
        Store.open(tmp_path / "copy.db")


def test_a_damaged_page_is_an_error_and_not_an_empty_text(store: Store, tmp_path: Path) -> None:
    store.replace(make_version("a.txt", "słowo " * 5_000))
    store.close()
    content = bytearray(store.path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(CorpusFormatError, match="damaged"):
        Store.open(tmp_path / "copy.db").text(document_id("a.txt"))


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.9.0"])
def test_a_sqlite_that_can_lose_data_is_refused(version: str) -> None:
    with pytest.raises(CorpusError, match=r"3\.51\.3 is needed"):
        check_sqlite(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.52.0", "4.0.0"])
def test_a_sound_sqlite_is_taken(version: str) -> None:
    check_sqlite(version)


def test_a_writer_that_waited_too_long_is_told_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.05)
    with Store.open(store.path) as other, store.writing(), pytest.raises(CorpusBusyError):
        other.remove(document_id("a.txt"))


def test_a_reader_sees_one_moment_while_others_write(store: Store) -> None:
    store.replace(make_version("a.txt", "stary tekst"))
    with Store.open(store.path) as other, other.reading():
        assert other.text(document_id("a.txt")) == "stary tekst"
        store.replace(make_version("a.txt", "nowy"))
        assert other.text(document_id("a.txt")) == "stary tekst"
    with Store.open(store.path) as other:
        assert other.text(document_id("a.txt")) == "nowy"


def test_a_write_inside_a_reading_is_a_fault_and_not_a_loss(store: Store) -> None:
    with store.reading(), pytest.raises(RuntimeError, match="would be lost"):
        store.replace(make_version("a.txt", "tekst"))
    store.replace(make_version("a.txt", "tekst"))
    assert store.text(document_id("a.txt")) == "tekst"


def test_each_thread_has_a_connection_and_a_moment_of_its_own(store: Store) -> None:
    store.replace(make_version("a.txt", "stary"))
    with ThreadPoolExecutor(1) as other, store.moment() as moment:
        assert moment.text(document_id("a.txt")) == "stary"
        other.submit(store.replace, make_version("a.txt", "nowy")).result()
        assert moment.text(document_id("a.txt")) == "stary"
        assert other.submit(store.text, document_id("a.txt")).result() == "nowy"
    assert store.text(document_id("a.txt")) == "nowy"


def test_a_moment_inside_another_is_that_one(store: Store) -> None:
    with store.moment() as moment, store.moment() as inner:
        assert inner is moment
    with store.writing() as writing, store.moment() as within:
        assert within is writing


def test_connections_of_threads_that_have_ended_are_closed_when_another_comes(
    store: Store,
) -> None:
    left = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: left.append(store.connection))
        thread.start()
        thread.join()
    assert len(left) == 5
    for connection_of_ended in left[:4]:
        with pytest.raises(apsw.ConnectionClosedError):
            connection_of_ended.pragma("user_version")
    assert store.documents() == ()


def test_a_store_that_was_closed_is_not_opened_again_by_another_thread(store: Store) -> None:
    store.close()
    with ThreadPoolExecutor(1) as other, pytest.raises(CorpusError, match="was closed"):
        other.submit(store.documents).result()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_gets_a_connection_of_its_own(store: Store) -> None:
    store.replace(make_version("a.txt", "tekst"))
    inherited = store.connection
    child = os.fork()
    if child == 0:
        is_own = store.connection is not inherited
        text = store.slice(document_id("a.txt"), Span(0, 5))
        os._exit(0 if is_own and text == "tekst" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.connection is inherited


def test_a_file_that_may_not_be_written_can_be_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.replace(make_version("a.txt", "tekst"))
    store.close()
    monkeypatch.setattr(connection, "_is_writable", lambda _: False)
    with Store.open(store.path) as reader:
        assert reader.is_read_only
        assert reader.text(document_id("a.txt")) == "tekst"
        with pytest.raises(CorpusError, match="cannot be written"):
            reader.remove(document_id("a.txt"))


def test_a_removed_document_is_gone_from_the_bytes_after_a_purge(store: Store) -> None:
    text = "kot ma na imie Zefirynek"
    key = text_hash(passage_text("tajne.txt", (), "", text))
    vector = np.zeros(64, dtype=np.float32)
    vector[:2] = (0.6, 0.8)
    store.replace(make_version("tajne.txt", text, chunk_characters=99, vectors={key: vector}))
    store.replace(make_version("inne.txt", "pies"))
    store.remove(document_id("tajne.txt"))
    store.upkeep.purge()
    files = [store.path, *store.path.parent.glob("cytat.db-*")]
    held = b"".join(file.read_bytes() for file in files).lower()
    assert b"zefirynek" not in held
    assert vector[:2].tobytes().lower() not in held
    assert b"tajne.txt" not in held
    assert b"pies" in held
