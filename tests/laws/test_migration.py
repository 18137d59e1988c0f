"""Law: a file of any release opens, and a step that is interrupted is taken again, once."""

from pathlib import Path

import apsw
import pytest

from cytat.errors import CorpusFormatError
from cytat.store import Store
from cytat.store import store as store_module
from cytat.store.migrations import migrate
from cytat.store.schema import MIGRATIONS
from cytat.testing.stores import make_version
from cytat.text.identity import document_id

NEXT = (*MIGRATIONS, "alter table document add column shelf text not null default 'A'")
BROKEN = (*MIGRATIONS, "create table half (x); insert into nowhere values (1)")


def old_file(path: Path) -> Path:
    with Store.open_or_create(path) as store:
        store.replace(make_version("a.txt", "stary tekst"))
    return path


def test_a_file_of_the_last_release_opens_with_all_it_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path / "cytat.db")
    monkeypatch.setattr(store_module, "MIGRATIONS", NEXT)
    with Store.open(path) as store:
        assert store.text(document_id("a.txt")) == "stary tekst"
        assert store.connection.pragma("user_version") == len(NEXT)
        assert store.connection.execute("select shelf from document").get == "A"


def test_a_step_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path / "cytat.db")
    monkeypatch.setattr(store_module, "MIGRATIONS", BROKEN)
    with pytest.raises(apsw.SQLError):
        Store.open(path)
    monkeypatch.setattr(store_module, "MIGRATIONS", MIGRATIONS)
    with Store.open(path) as store:
        assert store.text(document_id("a.txt")) == "stary tekst"
        assert (
            store.connection.execute("select count(*) from sqlite_schema where name='half'").get
            == 0
        )


def test_a_step_is_taken_once_although_two_programs_open_the_file(tmp_path: Path) -> None:
    path = old_file(tmp_path / "cytat.db")
    first, second = apsw.Connection(str(path)), apsw.Connection(str(path))
    migrate(first, path, NEXT)
    migrate(second, path, NEXT)
    columns = [row[1] for row in second.execute("pragma table_info(document)")]
    assert columns.count("shelf") == 1


def test_the_old_program_refuses_the_new_file_and_leaves_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path / "cytat.db")
    monkeypatch.setattr(store_module, "MIGRATIONS", NEXT)
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.setattr(store_module, "MIGRATIONS", MIGRATIONS)
    for opened in (Store.open, Store.open_or_create):
        with pytest.raises(CorpusFormatError, match="format 2"):
            opened(path)
    assert path.read_bytes() == before
