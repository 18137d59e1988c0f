"""Law: a file of any release opens, and a step that is interrupted is taken again, once."""

import shutil
from pathlib import Path

import apsw
import pytest
from tests.stores import Store

from cytat import Corpus
from cytat.backends.sqlite import store as session_module
from cytat.backends.sqlite.migrations import migrate
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.errors import CorpusFormatError
from cytat.records import Answer
from cytat.testing.stores import make_version
from cytat.text.identity import document_id

FIRST = Path(__file__).parents[1] / "files" / "format-1.db"
"""Made by the first release with the fake encoder, from lease.md and invoice.txt below."""
LEASE = """# Umowa najmu

## Czynsz

Czynsz wynosi 2150 zł miesięcznie, płatny do dziesiątego dnia miesiąca.

## Kaucja

Kaucja wynosi 4300 zł i jest zwracana w terminie miesiąca od opuszczenia lokalu.
"""
INVOICE = "Invoice FV/2025/09/0143 of 9 September 2025, total 1,230.00 PLN, due in fourteen days.\n"

NEXT = (*MIGRATIONS, "alter table document add column shelf text not null default 'A'")
BROKEN = (*MIGRATIONS, "create table half (x); insert into nowhere values (1)")


def old_file(path: Path) -> Path:
    with Store.open_or_create(path) as store:
        store.replace(make_version("a.txt", "stary tekst"))
    return path


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus file of format 1, and the two documents beside it."""
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    (tmp_path / "lease.md").write_text(LEASE, "utf-8")
    (tmp_path / "invoice.txt").write_text(INVOICE, "utf-8")
    return Path(shutil.copy(FIRST, tmp_path))


def test_the_first_format_is_what_the_file_has() -> None:
    header = FIRST.read_bytes()[:100]
    assert int.from_bytes(header[60:64], "big") == 1


def test_a_file_of_the_first_format_answers_as_before(first: Path) -> None:
    with Corpus.open(first) as corpus:
        hits = corpus.search("wysokość kaucji").hits
        assert [hit.chunk_id for hit in hits] == [
            "c2af015e65201982b24a7",
            "c15b83f6bd2bbf5423319",
            "c093ff672da7eb4129736",
        ]
        answer = corpus.ask("Ile wynosi kaucja?")
        assert isinstance(answer, Answer)
        assert [citation.quote for citation in answer.citations] == [
            "Kaucja wynosi 4300 zł i jest zwracana w terminie miesiąca od opuszczenia lokalu."
        ]
        assert not answer.citations[0].stale
        assert corpus.show("lease.md").text == LEASE
        assert corpus.show("invoice.txt").text == INVOICE


def test_a_file_of_the_last_release_opens_with_all_it_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path / "cytat.db")
    monkeypatch.setattr(session_module, "MIGRATIONS", NEXT)
    with Store.open(path) as store:
        assert store.text(document_id("a.txt")) == "stary tekst"
        assert store.connection.pragma("user_version") == len(NEXT)
        assert store.connection.execute("select shelf from document").get == "A"


def test_a_step_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path / "cytat.db")
    monkeypatch.setattr(session_module, "MIGRATIONS", BROKEN)
    with pytest.raises(apsw.SQLError):
        Store.open(path)
    monkeypatch.setattr(session_module, "MIGRATIONS", MIGRATIONS)
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
    monkeypatch.setattr(session_module, "MIGRATIONS", NEXT)
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.setattr(session_module, "MIGRATIONS", MIGRATIONS)
    for opened in (Store.open, Store.open_or_create):
        with pytest.raises(CorpusFormatError, match=f"format {len(NEXT)}"):
            opened(path)
    assert path.read_bytes() == before


def steps_to_carry_over(path: Path, *, chunks: int) -> int:
    """Return how many thousand instructions of SQLite the words of a format-2 file take."""
    connection = apsw.Connection(str(path))
    migrate(connection, path, MIGRATIONS[:2])
    connection.executemany(
        "insert into words (rowid, heading, body) values (?, 'pismo', ?)",
        ((row, f"czynsz kaucja slowo{row % 50} numer{row}") for row in range(1, chunks + 1)),
    )
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    connection.set_progress_handler(count, 1000)
    migrate(connection, path, MIGRATIONS)
    assert connection.execute("select count(*) from posting where term = 'czynsz'").get == 1
    return steps


def test_words_are_carried_over_in_time_that_grows_with_the_file_and_no_faster(
    tmp_path: Path,
) -> None:
    small = steps_to_carry_over(tmp_path / "small.db", chunks=500)
    large = steps_to_carry_over(tmp_path / "large.db", chunks=4000)
    # Eight times the chunks in quadratic time would take sixty-four times as many.
    assert small > 0
    assert large < 16 * small
