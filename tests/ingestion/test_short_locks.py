"""While words are analysed nobody waits; what is damaged in the index is told by the next add."""

from pathlib import Path

import pytest
from tests.corpora import add, write_files
from tests.stores import Store

from cytat.fulltext import terms_of_chunk


def test_others_write_while_words_are_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "docs", {f"{number}.md": f"Umowa {number}." for number in range(3)})
    analysed = 0

    def analyse_while_another_writes(*words: object, **said: object) -> list[str]:
        nonlocal analysed
        analysed += 1
        with Store.open(tmp_path / "c.db") as other:
            other.connection.set_busy_timeout(0)
            with other.writing() as writing:
                writing.add_folder(tmp_path / str(analysed))
        return terms_of_chunk(*words, **said)  # type: ignore[arg-type]

    monkeypatch.setattr("cytat.ingestion.writing.terms_of_chunk", analyse_while_another_writes)
    with Store.open_or_create(tmp_path / "c.db") as store:
        report = add(store, tmp_path / "docs")
        assert len(report.added) == analysed == 3
        assert {tmp_path / str(number) for number in (1, 2, 3)} < set(store.folders())


def test_a_damaged_words_index_is_told_by_the_next_add(tmp_path: Path) -> None:
    with Store.open_or_create(tmp_path / "c.db") as store:
        for number in range(7):
            write_files(tmp_path / "docs", {f"{number}.md": f"Umowa najmu {number}."})
            assert add(store, tmp_path / "docs").notes == ()
        store.connection.execute("update posting set counts = x'09' where batch = 3")
        write_files(tmp_path / "docs", {"7.md": "Umowa najmu 7."})
        report = add(store, tmp_path / "docs")
        assert [one.source for one in report.added] == ["docs/7.md"]
        (told,) = report.notes
        assert told.startswith("the words index is damaged (batch 3); ")
        assert "`cytat reindex`" in told
