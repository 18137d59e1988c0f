"""Reindex: what is made again, what stays, and that nothing changes for searches half way."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.corpora import CHUNK_TOKENS, add, check_whole, content_of, tools_of, write_files
from tests.indexes import rows_of
from tests.stores import Store
from tests.upkeep.conftest import TEXTS

from cytat.chunking import StructureChunker
from cytat.corpus.checking import verify_store
from cytat.errors import BackendError, CorpusError
from cytat.ingestion import reindex, reindexing
from cytat.protocols import Vectors, space_of
from cytat.records import DocumentState, IngestReport
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import document_id

NEXT = FakeEmbedder(name="next", dimensions=32)


class Stopped(Exception):  # noqa: N818 - what happened, not what is wrong
    """The run was interrupted."""


def again(store: Store, embedder: FakeEmbedder | None = None, **options: Any) -> IngestReport:
    encoder = embedder or FakeEmbedder()
    tokens = options.pop("chunk_tokens", CHUNK_TOKENS)
    chunker = StructureChunker(budget_tokens=tokens, token_ends=encoder.token_ends)
    return reindex(store, tools_of(store, encoder, chunker), **options)


def stop_after(batches: int) -> Any:
    """Return a listener that stops the run after some batches."""
    seen = 0

    def listen(_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == batches:
            raise Stopped

    return listen


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_PASSAGES", 2)


def failures(store: Store) -> dict[str, str]:
    return {
        check.name: check.value for check in verify_store(store, full=True).checks if not check.ok
    }


def test_nothing_changes_where_nothing_has_changed(store: Store) -> None:
    before, generation = content_of(store), store.generation
    report = again(store)
    assert report.totals["unchanged"] == len(TEXTS)
    assert (report.added, report.updated, report.notes) == ((), (), ())
    assert content_of(store) == before
    assert store.generation == generation


def test_other_settings_make_every_document_again(store: Store) -> None:
    chunks = store.status().totals["chunks"]
    report = again(store, chunk_tokens=20)
    assert report.totals["updated"] == len(TEXTS)
    assert store.status().totals["chunks"] > chunks
    assert failures(store) == {}


def test_new_files_are_not_looked_for_and_changed_ones_are_taken(
    store: Store, folder: Path
) -> None:
    write_files(folder, {"nowy.txt": "nowy plik", "faktura.txt": "Faktura FV/1 na 5 zł.\n"})
    report = again(store)
    assert [outcome.source for outcome in report.updated] == ["docs/faktura.txt"]
    assert set(store.sources().values()) == {f"docs/{name}" for name in TEXTS}
    assert store.text(document_id("docs/faktura.txt")) == "Faktura FV/1 na 5 zł.\n"


def test_a_document_whose_file_is_gone_stays_stale_and_is_named(store: Store, folder: Path) -> None:
    (folder / "umowa.md").unlink()
    report = again(store, NEXT)
    assert [outcome.source for outcome in report.failed] == ["docs/umowa.md"]
    document = store.resolve("umowa.md")
    assert document.state is DocumentState.STALE
    assert store.text(document.id) == TEXTS["umowa.md"]
    assert failures(store) == {}
    check_whole(store)  # every chunk has its vector, that of the lost file, too


def test_another_encoder_makes_the_corpus_that_it_would_have_made_from_scratch(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    report = again(store, NEXT)
    assert report.totals["unchanged"] == len(TEXTS)
    assert "switched from fake to next" in report.notes[0]
    assert store.space() == space_of(NEXT)
    assert store.pending_space() is None
    (tmp_path / "scratch").mkdir()
    folder.rename(tmp_path / "scratch" / "docs")
    with Store.open_or_create(tmp_path / "scratch" / "cytat.db") as scratch:
        add(scratch, tmp_path / "scratch" / "docs", embedder=NEXT)
        assert content_of(store) == content_of(scratch)
    assert failures(store) == {}


@pytest.mark.usefixtures("small_batches")
def test_a_run_that_is_stopped_goes_on_where_it_was(store: Store) -> None:
    before = content_of(store)
    with pytest.raises(Stopped):
        again(store, NEXT, on_event=stop_after(2))
    assert content_of(store) == before
    assert store.pending_space() == space_of(NEXT)
    counting = Counting(NEXT)
    again(store, counting)
    chunks = store.status().totals["chunks"]
    assert counting.texts == chunks - 2 * reindexing.BATCH_PASSAGES
    assert store.space() == space_of(NEXT)


@pytest.mark.usefixtures("small_batches")
def test_naming_a_third_encoder_begins_anew_and_the_old_one_gives_up(store: Store) -> None:
    with pytest.raises(Stopped):
        again(store, NEXT, on_event=stop_after(2))
    third = FakeEmbedder(name="third", dimensions=16)
    with pytest.raises(Stopped):
        again(store, third, on_event=stop_after(1))
    with store.reading() as connection:
        lengths = {
            length for (length,) in connection.execute("select length(vector) from vector_next")
        }
    assert lengths == {16 * 4}
    report = again(store)
    assert "abandoned" in report.notes[0]
    assert store.pending_space() is None
    assert store.space() == space_of(FakeEmbedder())
    assert store.connection.execute("select count(*) from vector_next").get == 0


@pytest.mark.usefixtures("small_batches")
def test_documents_added_changed_and_removed_half_way_are_met(store: Store, folder: Path) -> None:
    changed = False

    def meddle(_: object) -> None:
        nonlocal changed
        if not changed:
            changed = True
            write_files(folder, {"nowy.txt": "nowy plik o psach\n", "umowa.md": "# Inna\n\nkot.\n"})
            (folder / "faktura.txt").unlink()
            with Store.open(store.path) as other:
                add(other, folder)

    again(store, NEXT, on_event=meddle)
    assert set(store.sources().values()) == {"docs/nowy.txt", "docs/umowa.md", "docs/notatka.txt"}
    check_whole(store)
    assert failures(store) == {}
    assert_vectors_are_of_their_words(store)


def test_words_that_change_while_they_are_embedded_keep_no_vector_of_the_old(
    store: Store, folder: Path
) -> None:
    def meddle(texts: Sequence[str]) -> None:
        if any("Kaucja" in text for text in texts):
            write_files(folder, {"umowa.md": "# Umowa\n\nInne słowa.\n"})
            with Store.open(store.path) as other:
                add(other, folder)

    rows = set(rows_of(store, document_id("docs/umowa.md")).values())
    again(store, Watched(NEXT, watch=meddle))
    now = set(rows_of(store, document_id("docs/umowa.md")).values())
    assert not rows & now, "a row is used again"
    check_whole(store)
    assert_vectors_are_of_their_words(store)


@pytest.mark.usefixtures("small_batches")
def test_of_two_programs_that_reindex_to_different_encoders_one_is_told(store: Store) -> None:
    def meddle(_: object) -> None:
        with Store.open(store.path) as other:
            again(other, FakeEmbedder(name="third"))

    with pytest.raises(CorpusError, match="another program"):
        again(store, NEXT, on_event=meddle)
    assert store.status().stamp == space_of(FakeEmbedder(name="third"))
    assert failures(store) == {}


def test_what_the_new_encoder_fails_on_is_told_and_tried_again(store: Store) -> None:
    report = again(store, Failing(NEXT, on="Kaucja"))
    partial = store.resolve("umowa.md")
    assert (partial.state, partial.code) == (DocumentState.PARTIAL, "not-embedded")
    assert failures(store) == {}
    assert any("words only" in note for note in report.notes)
    again(store, NEXT)
    assert store.resolve("umowa.md").state is DocumentState.INDEXED
    check_whole(store)


@pytest.mark.usefixtures("small_batches")
def test_an_encoder_that_goes_away_leaves_searches_as_they_were(store: Store) -> None:
    before = content_of(store)
    with pytest.raises(BackendError, match="are made and kept"):
        again(store, Failing(NEXT, on=""))
    assert content_of(store) == before


DAMAGES = pytest.mark.parametrize(
    "damage",
    [
        "update document set ledger = '[' where source like '%umowa.md'",
        "update document set state = 'fine' where source like '%umowa.md'",
        "update segment set text = replace(text, 'Kaucja', 'Kaucje') where text like '%Kaucja%'",
        "update vector set vector = zeroblob(256) where chunk = 1",
        "update chunk set start = start + 1 where row = 2",
        "update document set title = 'Inna' where source like '%umowa.md'",
        "delete from vector where chunk = 1",
    ],
)


@DAMAGES
def test_damage_is_named_and_undone_from_the_files(store: Store, damage: str) -> None:
    before = content_of(store)
    store.connection.execute(damage)
    named = failures(store)
    assert named
    assert any("docs/" in told for told in named.values())
    report = again(store)
    assert any("rebuilt" in note for note in report.notes)
    assert failures(store) == {}
    assert content_of(store) == before


@DAMAGES
def test_damage_is_undone_on_the_way_to_another_encoder(store: Store, damage: str) -> None:
    store.connection.execute(damage)
    again(store, NEXT)
    assert failures(store) == {}
    assert store.space() == space_of(NEXT)
    check_whole(store)
    assert {store.text(name) for name in store.sources()} == set(TEXTS.values())


def test_damaged_text_whose_file_is_gone_stays_named(store: Store, folder: Path) -> None:
    store.connection.execute("update segment set text = replace(text, '4300', '4800')")
    (folder / "umowa.md").unlink()
    assert any("restore a backup" in note for note in again(store).notes)
    again(store, NEXT)
    assert "umowa.md" in failures(store)["text"]


@pytest.mark.parametrize(
    "damage",
    [
        "update posting set term = 'obce' where term = 'kaucj'",
        "update posting set counts = x'' where term = 'kaucj'",
        "update posting set rows = cast(rows as text) where term = 'kaucj'",
        "update posting_batch set lengths = x'01'",
        "delete from posting_batch where batch = 1",
        "insert into posting_removed select row from chunk",
    ],
)
def test_a_words_index_that_holds_other_words_is_filled_anew(store: Store, damage: str) -> None:
    before = content_of(store)
    store.connection.execute("pragma foreign_keys = off")
    store.connection.execute(damage)
    store.connection.execute("pragma foreign_keys = on")
    assert "words" in failures(store)
    again(store)
    assert failures(store) == {}
    assert content_of(store) == before


# ---------------------------------------------------------------- encoders


class Counting(FakeEmbedder):
    """Counts what it embeds."""

    def __init__(self, like: FakeEmbedder) -> None:
        super().__init__(name=like.name, dimensions=like.dimensions)
        self.texts = 0

    def embed_documents(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, texts: Sequence[str]
    ) -> Vectors:
        self.texts += len(texts)
        return super().embed_documents(texts)


class Watched(FakeEmbedder):
    """Tells what it is about to embed."""

    def __init__(self, like: FakeEmbedder, *, watch: Callable[[Sequence[str]], None]) -> None:
        super().__init__(name=like.name, dimensions=like.dimensions)
        self._watch = watch

    def embed_documents(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, texts: Sequence[str]
    ) -> Vectors:
        self._watch(texts)
        return super().embed_documents(texts)


class Failing(FakeEmbedder):
    """Fails on texts that hold some words."""

    def __init__(self, like: FakeEmbedder, *, on: str) -> None:
        super().__init__(name=like.name, dimensions=like.dimensions)
        self._on = on

    def embed_documents(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, texts: Sequence[str]
    ) -> Vectors:
        vectors = super().embed_documents(texts)
        if not self._on:
            raise BackendError("the server is away", hint="start it")
        vectors[[self._on in text for text in texts]] = np.nan
        return vectors


def assert_vectors_are_of_their_words(store: Store) -> None:
    told = passages(store)
    with store.reading() as connection:
        found = list(
            connection.execute(
                "select passage_hash, vector from chunk join vector on vector.chunk = chunk.row"
            )
        )
    for passage_hash, blob in found:
        wanted = NEXT.embed_documents([told[passage_hash]])[0]
        assert np.array_equal(np.frombuffer(blob, "<f4"), wanted)


def passages(store: Store) -> dict[bytes, str]:
    """Return what is embedded of every chunk, by its hash."""
    from cytat.text.identity import passage_text, text_hash

    found = {}
    for document in store.documents():
        for stored in store.chunks(document.id):
            chunk = stored.chunk
            words = store.slice(document.id, chunk.span)
            text = passage_text(document.title, chunk.heading_path, chunk.context, words)
            found[text_hash(text)] = text
    return found
