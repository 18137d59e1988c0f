"""Law: the same files and settings make the same corpus, whatever the order and the grouping."""

import importlib
from pathlib import Path

import pytest
from tests.corpora import add, content_of, write_files
from tests.stores import Store

TEXTS = {f"{at:02}.md": f"# Dział {at % 3}\n\n{'Zdanie o domu. ' * (at % 9)}." for at in range(30)}


def test_two_corpora_of_one_folder_are_equal_row_by_row(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        write_files(tmp_path / name / "docs", TEXTS)
        with Store.open_or_create(tmp_path / name / "cytat.db") as store:
            add(store, tmp_path / name / "docs")
            with store.reading() as connection:
                rows = list(connection.execute("select row, id, start, end from chunk order by 1"))
            contents.append((content_of(store), rows))
    assert contents[0] == contents[1]


@pytest.mark.parametrize("documents_in_a_group", [1, 7])
def test_grouping_and_order_leave_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents_in_a_group: int
) -> None:
    write_files(tmp_path / "docs", TEXTS)
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs")
        expected = content_of(store)
    module = importlib.import_module("cytat.ingestion.groups")
    monkeypatch.setattr(module, "GROUP_DOCUMENTS", documents_in_a_group)
    (tmp_path / "cytat.db").rename(tmp_path / "first.sqlite")
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        for name in sorted(TEXTS, reverse=True):
            add(store, tmp_path / "docs" / name)
        assert content_of(store) == expected
