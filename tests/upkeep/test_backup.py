"""Backups: whole, of one moment, never half in place, and checked against their hash."""

import hashlib
import threading
from pathlib import Path

import pytest
from tests.corpora import add, check_whole, content_of, write_files
from tests.stores import Store

from cytat import Corpus
from cytat.corpus.upkeep import back_up, check_hash
from cytat.errors import UsageError


def test_a_backup_holds_what_the_corpus_holds_in_one_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "safe").mkdir()
    copied = back_up(store, tmp_path / "safe" / "b.db", force=False)
    assert sorted(path.name for path in (tmp_path / "safe").iterdir()) == ["b.db", "b.db.sha256"]
    assert copied.sha256 == hashlib.sha256((tmp_path / "safe" / "b.db").read_bytes()).hexdigest()
    assert copied.chunks == store.status().totals["chunks"]
    with Store.open(tmp_path / "safe" / "b.db") as copy:
        assert content_of(copy) == content_of(store)


def test_the_hash_file_is_one_that_sha256sum_reads_and_verifying_leaves_the_bytes_alone(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "b.db"
    copied = back_up(store, file, force=False)
    assert (tmp_path / "b.db.sha256").read_text("utf-8") == f"{copied.sha256}  b.db\n"
    for _ in range(2):
        with Corpus.open(file) as corpus:
            assert all(check.ok for check in corpus.verify_backup(full=True).checks)
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    assert not check_hash(file).ok
    (tmp_path / "b.db.sha256").unlink()
    assert not check_hash(file).ok


def test_a_file_that_is_there_is_not_replaced_unless_that_is_asked_for(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    back_up(store, tmp_path / "b.db", force=False)
    write_files(folder, {"nowy.txt": "nowy plik"})
    add(store, folder)
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(UsageError, match="there already"):
        back_up(store, tmp_path / "b.db", force=False)
    assert (tmp_path / "b.db").read_bytes() == before
    back_up(store, tmp_path / "b.db", force=True)
    assert check_hash(tmp_path / "b.db").ok
    with Store.open(tmp_path / "b.db") as copy:
        assert len(copy.documents()) == 4


def test_senseless_targets_are_refused(store: Store, tmp_path: Path) -> None:
    for target in (store.path, tmp_path / "docs", tmp_path / "nowhere" / "b.db"):
        with pytest.raises(UsageError):
            back_up(store, target, force=True)


def test_a_backup_made_while_another_adds_is_of_one_moment(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    def add_many() -> None:
        with Store.open(store.path) as other:
            for at in range(12):
                write_files(folder, {f"n{at}.txt": f"plik {at} o kotach\n" * (at + 1)})
                add(other, folder)

    adding = threading.Thread(target=add_many)
    sizes = []
    reader = Store.open(store.path)
    adding.start()
    while adding.is_alive():
        copied = back_up(reader, tmp_path / "b.db", force=True)
        sizes.append(copied.documents)
        with Store.open(tmp_path / "b.db") as copy:
            check_whole(copy)
            assert len(copy.documents()) == copied.documents
    adding.join()
    reader.close()
    assert sizes == sorted(sizes)
    assert not list(tmp_path.glob(".*partial*"))
