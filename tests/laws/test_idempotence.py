"""Law: adding a folder twice changes nothing, not one byte of a table."""

from pathlib import Path

from tests.corpora import add, content_of, write_files
from tests.stores import Store


def dump(store: Store) -> list[object]:
    tables = (
        *("meta", "folder", "document", "segment", "chunk", "vector"),
        *("posting_batch", "posting", "posting_removed"),
    )
    with store.reading() as connection:
        return [list(connection.execute(f"select * from {table}")) for table in tables]  # noqa: S608


def test_adding_twice_changes_nothing(tmp_path: Path) -> None:
    texts = {f"{at}.md": f"# Rozdział {at}\n\n{'Zdanie o kocie. ' * at}" for at in range(20)}
    write_files(tmp_path / "docs", texts | {"empty.txt": "", "odd.bin": "\x00\x01\x02"})
    (tmp_path / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (tmp_path / "docs" / "link").symlink_to(tmp_path)
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs", metadata={"rok": "2025"})
        once = dump(store), content_of(store)
        add(store, tmp_path / "docs", metadata={"rok": "2025"})
        add(store, tmp_path / "docs")
        assert (dump(store), content_of(store)) == once


def test_a_document_given_through_several_paths_is_one(tmp_path: Path) -> None:
    write_files(tmp_path / "docs", {"a.txt": "tekst"})
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs")
        once = dump(store)
        report = add(store, tmp_path / "docs" / "a.txt")
        assert report.totals["unchanged"] == 1
        assert dump(store) == once
