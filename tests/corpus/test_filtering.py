"""A filter's rows: of the documents as they are now, and as the owner or a reader sees them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests import indexes
from tests.corpora import add, write_files

from cytat.analysis.filters import parse_where
from cytat.backends.sqlite.spaces import raise_generation
from cytat.corpus.filtering import DocumentFilter
from cytat.retrieval import ignore
from cytat.store import Store
from cytat.text.identity import document_id

TEXTS = {
    "a/umowa.md": "# Umowa\n\nCzynsz wynosi 2300 zł.\n\n# Kaucja\n\nKaucja wynosi 4600 zł.\n",
    "a/cennik.txt": "Montaż kosztuje 120 zł.\n",
    "b/notatka.md": "# Notatka\n\nSpotkanie jest we wtorek.\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    write_files(tmp_path, TEXTS)
    with Store.open_or_create(tmp_path / "c.db") as opened:
        add(opened, tmp_path / "a", metadata={"klient": "Nowak"})
        add(opened, tmp_path / "b", metadata={"klient": "Kowalska"})
        yield opened


def rows_of(store: Store, *sources: str) -> set[int]:
    return set(indexes.rows_of(store, *map(document_id, sources)).values())


def kept(
    store: Store, documents: DocumentFilter, where: Mapping[str, str] | str
) -> tuple[set[int], tuple[str, ...]]:
    allowed, notes = documents.allowed_rows(store, parse_where(where), ignore)
    assert allowed is not None
    return set(allowed.rows.tolist()), notes


def test_a_filter_keeps_all_chunks_of_the_documents_that_match(store: Store) -> None:
    documents = DocumentFilter()
    both = rows_of(store, "a/umowa.md", "a/cennik.txt")
    assert len(both) == 3
    assert kept(store, documents, "klient=nowak") == (both, ())
    assert kept(store, documents, {"klient": "Nowak", "type": "md"})[0] == rows_of(
        store, "a/umowa.md"
    )
    assert kept(store, documents, "folder=b") == (rows_of(store, "b/notatka.md"), ())


def test_no_condition_keeps_everything(store: Store) -> None:
    assert DocumentFilter().allowed_rows(store, (), ignore) == (None, ())


def test_a_filter_that_no_document_matches_is_told(store: Store) -> None:
    note = "No document of 3 matches the filter klient=Zet."
    assert kept(store, DocumentFilter(), "klient=Zet") == (set(), (note,))


def test_a_corpus_without_documents_can_be_filtered(tmp_path: Path) -> None:
    with Store.open_or_create(tmp_path / "empty.db") as empty:
        note = "No document of 0 matches the filter klient=Zet."
        assert kept(empty, DocumentFilter(), "klient=Zet") == (set(), (note,))


def test_documents_that_came_changed_or_went_are_judged_as_they_are(
    store: Store, tmp_path: Path
) -> None:
    documents = DocumentFilter()
    kept(store, documents, "klient=Kowalska")
    add(store, tmp_path / "a" / "cennik.txt", metadata={"klient": "Kowalska"})
    assert kept(store, documents, "klient=Kowalska")[0] == rows_of(
        store, "a/cennik.txt", "b/notatka.md"
    )
    store.remove(document_id("b/notatka.md"))
    assert kept(store, documents, "klient=Kowalska")[0] == rows_of(store, "a/cennik.txt")
    write_files(tmp_path, {"a/cennik.txt": "Montaż kosztuje 150 zł.\n"})
    add(store, tmp_path / "a" / "cennik.txt")
    assert kept(store, documents, "klient=Kowalska")[0] == rows_of(store, "a/cennik.txt")


def test_chunks_whose_rows_do_not_follow_each_other_are_kept_too(store: Store) -> None:
    """Files of other programs may hold such; this one writes a version at once."""
    first, last = sorted(rows_of(store, "a/umowa.md"))
    with store.writing() as writing:
        connection = writing.connection
        connection.execute("pragma defer_foreign_keys = on")
        for table, column in (("vector", "chunk"), ("chunk", "row")):
            statement = f"update {table} set {column} = 900 where {column} = ?"  # noqa: S608
            connection.execute(statement, (last,))
        raise_generation(connection)
    assert kept(store, DocumentFilter(), {"klient": "Nowak", "type": "md"})[0] == {first, 900}


def test_a_reader_filters_what_may_be_read(store: Store, tmp_path: Path) -> None:
    add(store, tmp_path / "a" / "umowa.md", label="zarząd")
    allowed = rows_of(store, "a/cennik.txt")
    with Store.open(store.path, labels=()) as stranger:
        assert kept(stranger, DocumentFilter(), "klient=Nowak")[0] == allowed
        note = "No document of 2 matches the filter klient=Zet."
        assert kept(stranger, DocumentFilter(), "klient=Zet")[1] == (note,)


def test_a_filter_shown_another_store_or_reader_keeps_the_rows_of_that_one(
    store: Store, tmp_path: Path
) -> None:
    documents = DocumentFilter()
    store.set_label(document_id("a/umowa.md"), "hr")
    assert len(kept(store, documents, "folder=a")[0]) == 3
    with Store.open(store.path, labels=()) as reader:
        assert kept(reader, documents, "folder=a")[0] == rows_of(store, "a/cennik.txt")
    write_files(tmp_path / "other", {"b/0.md": "Nic.\n", "a/lista.md": "Lista.\n"})
    with Store.open_or_create(tmp_path / "other" / "c.db") as other:
        add(other, tmp_path / "other" / "b", metadata={"klient": "Nowak"})
        add(other, tmp_path / "other" / "a", metadata={"klient": "Nowak"})
        while other.generation < store.generation:
            with other.writing() as writing:
                writing.mark_changed()
        assert other.generation == store.generation
        assert kept(other, documents, "folder=a")[0] == rows_of(other, "a/lista.md")
