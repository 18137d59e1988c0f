"""The file of vectors beside a corpus: made, followed, mistrusted, removed; results stay."""

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from tests.corpora import add, write_files
from tests.stores import Store

from cytat.backends.sqlite.indexes.vector_file import map_vectors, vector_file_of
from cytat.backends.sqlite.indexes.vectors import LoadedVectors
from cytat.protocols import ScoredChunk
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import document_id

MAPPED_FROM = "cytat.backends.sqlite.indexes.vectors.MAPPED_FROM"
TEXTS = {f"{at:02}.md": f"Umowa numer {at} o najmie. Czynsz wynosi {at}00 zł." for at in range(30)}
QUESTION = FakeEmbedder().embed_query("Ile wynosi czynsz najmu, umowa numer 7?")


@pytest.fixture(autouse=True)
def many_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file be wanted for twenty vectors."""
    monkeypatch.setattr(MAPPED_FROM, 20)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a corpus of thirty chunks, with everybody's indexes forgotten."""
    write_files(tmp_path / "docs", TEXTS)
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs")
    return tmp_path / "cytat.db"


def ranked(store: Store) -> tuple[ScoredChunk, ...]:
    with store.moment() as moment:
        return tuple(moment.by_vector(QUESTION, depth=99, allowed=None).hits)


def loaded(store: Store) -> LoadedVectors:
    with store.moment() as moment:
        moment.count_vectors()
        shared = store._shared_indexes()
        return shared.snapshot(moment.connection).vectors(moment.connection)


def sizes(store: Store) -> tuple[int, int]:
    """Return how many vectors are mapped, and how many are in memory."""
    found = loaded(store)
    return tuple(  # type: ignore[return-value] # of two
        sum(len(block.keys) for block in blocks) for blocks in (found.mapped, found.added)
    )


def as_read_from_the_corpus(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """Rank with all vectors in memory, read through SQLite."""
    kept = vector_file_of(corpus).rename(corpus.with_name("aside"))
    with monkeypatch.context() as patched:
        patched.setattr(MAPPED_FROM, 10**9)
        with Store.open(corpus) as store:
            hits = ranked(store)
            assert sizes(store)[0] == 0
    kept.rename(vector_file_of(corpus))
    return hits


def noting(read: list[str]) -> Callable[[object, str, object], bool]:
    """Return what notes each statement, and lets it pass."""

    def note(_: object, statement: str, __: object) -> bool:
        read.append(statement)
        return True

    return note


def test_the_first_question_writes_the_file_and_later_processes_map_it(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(corpus) as store:
        first = ranked(store)
        assert store.upkeep.derived_files() == "30 mapped from cytat.db-vectors"
    read: list[str] = []
    with Store.open(corpus) as store:
        with store.moment() as moment:
            moment.connection.set_exec_trace(noting(read))
            again = tuple(moment.by_vector(QUESTION, depth=99, allowed=None).hits)
            moment.connection.set_exec_trace(None)
        assert sizes(store) == (30, 0)
        assert store.why_unmapped() is None
    assert again == first == as_read_from_the_corpus(corpus, monkeypatch)
    assert not [sql for sql in read if "main.vector" in sql or "passage_hash" in sql]


def test_a_few_vectors_need_no_file(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MAPPED_FROM, 31)
    with Store.open(corpus) as store:
        ranked(store)
        assert store.upkeep.derived_files() is None
    assert not vector_file_of(corpus).exists()


def test_documents_that_came_and_went_since_are_followed_without_a_new_file(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(corpus) as store:
        ranked(store)
    written = vector_file_of(corpus).read_bytes()
    write_files(corpus.parent / "docs", {"new.md": "Umowa numer 7 o najmie lokalu."})
    with Store.open(corpus) as store:
        add(store, corpus.parent / "docs")
        with store.writing() as writing:
            writing.remove(document_id("docs/03.md"))
    with Store.open(corpus) as store:
        hits = ranked(store)
        assert sizes(store) == (30, 1)
        assert len(loaded(store)) == 30
    assert vector_file_of(corpus).read_bytes() == written
    assert hits == as_read_from_the_corpus(corpus, monkeypatch)


def test_a_file_that_is_far_behind_is_written_again(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(corpus) as store:
        ranked(store)
        fresh = {f"new{at}.md": f"Aneks numer {at} do umowy." for at in range(9)}
        write_files(corpus.parent / "docs", fresh)
        add(store, corpus.parent / "docs")
        hits = ranked(store)
        assert sizes(store) == (39, 0)
    assert hits == as_read_from_the_corpus(corpus, monkeypatch)


def test_the_file_of_another_history_of_the_corpus_is_not_believed(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup is put back, and other documents come: rows and counts are the same again."""
    backup = corpus.with_name("backup.db")
    shutil.copy(corpus, backup)
    docs = corpus.parent / "docs"
    write_files(docs, {"new.md": "Umowa numer 7 o najmie lokalu, czynsz."})
    with Store.open(corpus) as store:
        add(store, docs)
        ranked(store)
    shutil.copy(backup, corpus)
    write_files(docs, {"new.md": "Zupełnie inna treść o pogodzie."})
    with Store.open(corpus) as store:
        add(store, docs)
        hits = ranked(store)
    assert hits == as_read_from_the_corpus(corpus, monkeypatch)


def test_vectors_of_another_encoder_are_read_anew(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(corpus) as store:
        ranked(store)
        other = FakeEmbedder(name="other", dimensions=32)
        with store.writing() as writing:
            writing.connection.execute("delete from vector")
            writing.connection.execute("delete from meta where key = 'space'")
            writing.mark_changed()
        write_files(
            corpus.parent / "docs", {name: f"{text} I inne." for name, text in TEXTS.items()}
        )
        add(store, corpus.parent / "docs", embedder=other)
    with Store.open(corpus) as store:
        found = loaded(store)
        assert found.vectors.dimensions == 32
    assert map_vectors(corpus).stamp.weights == other.weights  # type: ignore[union-attr]


@pytest.mark.parametrize("damage", ["cut", "header", "keys", "longer", "empty", "other"])
def test_a_damaged_file_is_as_none(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    with Store.open(corpus) as store:
        hits = ranked(store)
    file = vector_file_of(corpus)
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[{"header": 40, "keys": len(whole) - 300}.get(damage, 0)] ^= 1
    damaged = {
        "cut": whole[:-1],
        "longer": whole + b"\0",
        "empty": b"",
        "other": b"SQLite format 3\0" + whole[16:],
    }
    file.unlink()  # it may be mapped still
    file.write_bytes(damaged.get(damage, bytes(flipped)))
    assert map_vectors(corpus) is None
    with Store.open(corpus) as store:
        assert ranked(store) == hits
        assert sizes(store) == (30, 0)
    assert file.read_bytes()[20:] == whole[20:] or map_vectors(corpus) is not None


def test_where_the_file_cannot_be_written_vectors_are_in_memory_and_it_is_reported(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vector_file_of(corpus).mkdir()
    with Store.open(corpus) as store:
        hits = ranked(store)
        assert sizes(store) == (0, 30)
        assert store.why_unmapped() is not None
        assert (
            store.upkeep.derived_files() == "in memory: the next question writes cytat.db-vectors"
        )
    vector_file_of(corpus).rmdir()
    with Store.open(corpus) as store:
        assert ranked(store) == hits
        assert store.why_unmapped() is None


def test_a_disk_without_room_to_spare_gets_no_file(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("vector_file", "vectors"):
        monkeypatch.setattr(f"cytat.backends.sqlite.indexes.{module}.SPARE_BYTES", 1 << 60)
    with Store.open(corpus) as store:
        ranked(store)
        assert sizes(store) == (0, 30)
        assert store.why_unmapped() == os.strerror(errno.ENOSPC)
        assert store.upkeep.derived_files() == (
            "in memory: cytat.db-vectors cannot be written, the disk is nearly full"
        )
    assert [file.name for file in corpus.parent.iterdir() if "vectors" in file.name] == []


def test_the_file_may_be_read_by_those_who_may_read_the_corpus(corpus: Path) -> None:
    corpus.chmod(0o640)
    with Store.open(corpus) as store:
        ranked(store)
    assert stat.S_IMODE(vector_file_of(corpus).stat().st_mode) == 0o640


def test_a_purge_removes_the_file_and_what_is_mapped(corpus: Path) -> None:
    with Store.open(corpus) as store:
        ranked(store)
        with store.writing() as writing:
            writing.remove(document_id("docs/03.md"))
            writing.want_purge()
        store.upkeep.purge()
        assert not vector_file_of(corpus).exists()
        assert not store.upkeep.is_purge_wanted()
        ranked(store)
    mapped = map_vectors(corpus)
    assert mapped is not None
    assert len(mapped.keys) == 29


def test_a_file_written_of_what_was_removed_meanwhile_is_withdrawn(corpus: Path) -> None:
    with Store.open(corpus) as reader, Store.open(corpus) as writer:
        with reader.moment() as moment:
            assert moment.generation  # the snapshot begins
            thread = Thread(target=_remove_one, args=(writer,))
            thread.start()
            thread.join()
            assert len(moment.by_vector(QUESTION, depth=99, allowed=None).hits) == 30
        assert not vector_file_of(corpus).exists()
        assert len(ranked(reader)) == 29


def _remove_one(store: Store) -> None:
    with store.writing() as writing:
        writing.remove(document_id("docs/03.md"))


KILLED = """
import os, signal, sys
from pathlib import Path
from cytat.backends.sqlite.indexes import vector_file
plain = vector_file._write_block
def killed(file, block):
    plain(file, block)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
vector_file._write_block = killed
import cytat.backends.sqlite.indexes.vectors as vectors
vectors.MAPPED_FROM = 20
from tests.stores import Store
with Store.open(Path(sys.argv[1])) as store, store.moment() as moment:
    moment.count_vectors()
"""


def test_a_kill_while_it_is_written_leaves_the_old_file_and_the_next_clears_up(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(corpus) as store:
        ranked(store)
    old = vector_file_of(corpus).read_bytes()
    with Store.open(corpus) as store:
        fresh = {f"new{at}.md": f"Aneks numer {at} do umowy." for at in range(9)}
        write_files(corpus.parent / "docs", fresh)
        add(store, corpus.parent / "docs")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(corpus)], check=False, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert vector_file_of(corpus).read_bytes() == old
    assert list(corpus.parent.glob(".*.partial"))
    with Store.open(corpus) as store:
        hits = ranked(store)
        assert sizes(store) == (39, 0)
    assert not list(corpus.parent.glob(".*.partial"))
    assert hits == as_read_from_the_corpus(corpus, monkeypatch)
