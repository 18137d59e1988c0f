"""A filter's chunks: of the documents as they are now, and as the owner or a reader sees them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests import indexes
from tests.corpora import add, write_files
from tests.stores import Store

from cytat.analysis.filters import parse_where
from cytat.backends.sqlite.spaces import raise_generation
from cytat.records import ChunkId
from cytat.retrieval import Mode, SearchRequest, retrieve
from cytat.testing.embedders import FakeEmbedder
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


def chunks_of(store: Store, *sources: str) -> set[ChunkId]:
    with store.moment() as moment:
        return {one.chunk.id for name in sources for one in moment.chunks(document_id(name))}


def kept(store: Store, where: Mapping[str, str] | str) -> set[ChunkId]:
    """Return the chunks that may be found: each has a vector, and all of these are asked for."""
    vector = FakeEmbedder().embed_query("Czynsz")
    with store.moment() as moment:
        allowed = moment.allowed(parse_where(where))
        found = {hit.chunk_id for hit in moment.by_vector(vector, depth=100, allowed=allowed).hits}
    assert allowed.chunks == len(found)
    return found


def notes_of(store: Store, where: str) -> tuple[str, ...]:
    """Return what a search says of its filter."""
    request = SearchRequest("Czynsz?", 5, Mode.WORDS, parse_where(where))
    with store.moment() as moment:
        return retrieve(moment, request, embedder=None).ranking().notes


def test_a_filter_keeps_all_chunks_of_the_documents_that_match(store: Store) -> None:
    both = chunks_of(store, "a/umowa.md", "a/cennik.txt")
    assert len(both) == 3
    assert kept(store, "klient=nowak") == both
    assert kept(store, {"klient": "Nowak", "type": "md"}) == chunks_of(store, "a/umowa.md")
    assert kept(store, "folder=b") == chunks_of(store, "b/notatka.md")


def test_a_filter_that_no_document_matches_is_told(store: Store) -> None:
    assert kept(store, "klient=Zet") == set()
    assert notes_of(store, "klient=Zet") == ("No document of 3 matches the filter klient=Zet.",)


def test_a_corpus_without_documents_can_be_filtered(tmp_path: Path) -> None:
    with Store.open_or_create(tmp_path / "empty.db") as empty:
        assert kept(empty, "klient=Zet") == set()
        note = "No document of 0 matches the filter klient=Zet."
        assert notes_of(empty, "klient=Zet") == (note,)


def test_documents_that_came_changed_or_went_are_judged_as_they_are(
    store: Store, tmp_path: Path
) -> None:
    kept(store, "klient=Kowalska")
    add(store, tmp_path / "a" / "cennik.txt", metadata={"klient": "Kowalska"})
    assert kept(store, "klient=Kowalska") == chunks_of(store, "a/cennik.txt", "b/notatka.md")
    store.remove(document_id("b/notatka.md"))
    assert kept(store, "klient=Kowalska") == chunks_of(store, "a/cennik.txt")
    write_files(tmp_path, {"a/cennik.txt": "Montaż kosztuje 150 zł.\n"})
    add(store, tmp_path / "a" / "cennik.txt")
    assert kept(store, "klient=Kowalska") == chunks_of(store, "a/cennik.txt")


def test_chunks_whose_rows_do_not_follow_each_other_are_kept_too(store: Store) -> None:
    """Files of other programs may hold such; this one writes a version at once."""
    both = chunks_of(store, "a/umowa.md")
    last = max(indexes.rows_of(store, document_id("a/umowa.md")).values())
    with store.writing() as writing:
        connection = writing.connection
        connection.execute("pragma defer_foreign_keys = on")
        for table, column in (("vector", "chunk"), ("chunk", "row")):
            statement = f"update {table} set {column} = 900 where {column} = ?"  # noqa: S608
            connection.execute(statement, (last,))
        raise_generation(connection)
    assert kept(store, {"klient": "Nowak", "type": "md"}) == both


def test_a_reader_filters_what_may_be_read(store: Store, tmp_path: Path) -> None:
    add(store, tmp_path / "a" / "umowa.md", label="zarząd")
    allowed = chunks_of(store, "a/cennik.txt")
    with Store.open(store.path, labels=()) as stranger:
        assert kept(stranger, "klient=Nowak") == allowed
        note = "No document of 2 matches the filter klient=Zet."
        assert notes_of(stranger, "klient=Zet") == (note,)


def test_a_filter_shown_another_store_or_reader_keeps_the_chunks_of_that_one(
    store: Store, tmp_path: Path
) -> None:
    store.set_label(document_id("a/umowa.md"), "hr")
    assert len(kept(store, "folder=a")) == 3
    with Store.open(store.path, labels=()) as reader:
        assert kept(reader, "folder=a") == chunks_of(store, "a/cennik.txt")
    write_files(tmp_path / "other", {"b/0.md": "Nic.\n", "a/lista.md": "Lista.\n"})
    with Store.open_or_create(tmp_path / "other" / "c.db") as other:
        add(other, tmp_path / "other" / "b", metadata={"klient": "Nowak"})
        add(other, tmp_path / "other" / "a", metadata={"klient": "Nowak"})
        while other.generation < store.generation:
            with other.writing() as writing:
                writing.mark_changed()
        assert other.generation == store.generation
        assert kept(other, "folder=a") == chunks_of(other, "a/lista.md")
