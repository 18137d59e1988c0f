"""A corpus cut or embedded otherwise, from its stored text: as if it had been added so."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.corpora import content_of, tools_of, write_files
from tests.stores import Store
from typing_extensions import override

from cytat.chunking import open_chunker
from cytat.errors import CorpusFormatError, UsageError
from cytat.ingestion import begin_derived, derive, ingest
from cytat.protocols import Vectors
from cytat.records import AddOptions, Making, Progress
from cytat.testing.embedders import FakeEmbedder

TEXTS = {
    "umowa.md": "---\nclient: Nowak\n---\n\n# Umowa najmu\n\n## Czynsz\n\nCzynsz wynosi 2150 zł."
    "\n\n## Kaucja\n\nKaucja wynosi 4300 zł i jest zwracana po miesiącu od końca najmu.\n",
    "strona.html": "<title>Plan</title><h1>Plan</h1><p>Rano kawa, potem praca do obiadu.</p>",
    "notatka.txt": "Spotkanie odbyło się we wtorek w biurze na Długiej. Nikt się nie spóźnił, a "
    "o trzeciej podano ciasto, które upiekła pani Halina z księgowości na drugim piętrze.\n",
}


class Counting(FakeEmbedder):
    """A fake encoder that counts what it is asked for."""

    def __init__(self, *, weights: str | None = None) -> None:
        super().__init__()
        self.asked = 0
        self.weights = weights or self.weights

    @override
    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        return super().embed_documents(texts)


def add(store: Store, folder: Path, chunking: str, embedder: FakeEmbedder) -> None:
    tools = tools_of(store, embedder, open_chunker(chunking, embedder=embedder))
    ingest(store, [folder], tools, AddOptions(metadata={"year": "2025"}))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Store]:
    """A corpus of three documents, cut at their structure."""
    write_files(tmp_path / "docs", TEXTS)
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs", "structure:40", FakeEmbedder())
        yield store


def open_derived(path: Path) -> Store:
    store = Store.open_or_create(path)
    try:
        begin_derived(store)
    except BaseException:
        store.close()
        raise
    return store


def derived(
    corpus: Store,
    path: Path,
    chunking: str,
    embedder: FakeEmbedder,
    donors: Sequence[Store] = (),
) -> Store:
    target = open_derived(path)
    chunker = open_chunker(chunking, embedder=embedder)
    derive(corpus, target, chunker=chunker, embedder=embedder, donors=donors, listen=lambda _: None)
    return target


@pytest.mark.parametrize("chunking", ["fixed:12+3", "pathless:40", "semantic", "structure:40"])
def test_what_is_derived_is_what_the_files_would_have_been_made_into(
    chunking: str, corpus: Store, tmp_path: Path
) -> None:
    embedder = FakeEmbedder(name="other", dimensions=32)
    with (
        derived(corpus, tmp_path / "derived.db", chunking, embedder) as made,
        # The same folder, so that sources have the same names.
        Store.open_or_create(tmp_path / "added.db") as added,
    ):
        add(added, tmp_path / "docs", chunking, embedder)
        assert content_of(made) == content_of(added)


def test_no_file_is_read_and_the_corpus_is_not_changed(corpus: Store, tmp_path: Path) -> None:
    for path in sorted((tmp_path / "docs").iterdir()):
        path.unlink()
    before = (corpus.generation, content_of(corpus))
    with derived(corpus, tmp_path / "derived.db", "fixed:12", FakeEmbedder()) as made:
        assert len(made.documents()) == 3
    assert (corpus.generation, content_of(corpus)) == before


def test_vectors_of_equal_passages_are_taken_from_the_corpus_and_from_donors(
    corpus: Store, tmp_path: Path
) -> None:
    same = Counting()
    with derived(corpus, tmp_path / "same.db", "structure:40", same):
        assert same.asked == 0
    first, second = Counting(), Counting()
    with derived(corpus, tmp_path / "first.db", "fixed:12", first) as donor:
        assert first.asked > 0
        with derived(corpus, tmp_path / "second.db", "fixed:12", second, [donor]):
            assert second.asked == 0
    other = Counting(weights="another space")
    with derived(corpus, tmp_path / "other.db", "structure:40", other, [corpus]) as made:
        assert other.asked == len(list(made.all_vectors())) > 0


def test_what_is_there_is_not_made_again_and_what_changed_is(corpus: Store, tmp_path: Path) -> None:
    path = tmp_path / "derived.db"
    derived(corpus, path, "fixed:12", Counting(weights="another space")).close()
    again = Counting(weights="another space")
    with derived(corpus, path, "fixed:12", again) as made:
        assert again.asked == 0
        generation = made.generation
    (tmp_path / "docs" / "notatka.txt").unlink()
    write_files(tmp_path / "docs", {"strona.html": "<title>Plan</title><p>Rano herbata.</p>"})
    add(corpus, tmp_path / "docs", "structure:40", FakeEmbedder())
    with derived(corpus, path, "fixed:12", again) as made:
        assert again.asked == 1
        assert made.generation > generation
        assert {one.source for one in made.documents()} == {"docs/umowa.md", "docs/strona.html"}


def test_a_run_that_was_stopped_goes_on_where_it_was(corpus: Store, tmp_path: Path) -> None:
    write_files(tmp_path / "docs", {f"{at}.txt": f"Plik numer {at}." for at in range(200)})
    add(corpus, tmp_path / "docs", "structure:40", FakeEmbedder())
    embedder = Counting(weights="another space")
    chunker = open_chunker("fixed:12", embedder=embedder)

    def stop(progress: Progress) -> None:
        if progress.files_done == 70:
            raise KeyboardInterrupt

    with open_derived(tmp_path / "derived.db") as target:
        with pytest.raises(KeyboardInterrupt):
            derive(corpus, target, chunker=chunker, embedder=embedder, donors=(), listen=stop)
        kept = len(target.documents())
        assert 0 < kept < 203
        before = embedder.asked
        derive(corpus, target, chunker=chunker, embedder=embedder, donors=(), listen=lambda _: None)
        assert len(target.documents()) == 203
        assert embedder.asked == len(list(target.all_vectors()))
        assert before < embedder.asked


def test_what_was_done_and_how_long_it_took_adds_up_over_runs(
    corpus: Store, tmp_path: Path
) -> None:
    embedder = Counting(weights="another space")
    chunker = open_chunker("fixed:12", embedder=embedder)
    (note,) = (one for one in corpus.documents() if one.source == "docs/notatka.txt")
    with open_derived(tmp_path / "derived.db") as target:

        def made() -> Making:
            return derive(
                corpus, target, chunker=chunker, embedder=embedder, donors=(), listen=lambda _: None
            )

        first = made()
        assert first == made()  # nothing was done
        chunks = [one for document in target.documents() for one in target.chunks(document.id)]
        tokens = len(embedder.token_ends(corpus.text(note.id)))
        assert first.written_chunks == len(chunks)
        assert first.cut_characters == sum(one.characters for one in corpus.documents())
        assert first.embedded_tokens > tokens
        assert min(first.cutting_s, first.embedding_s, first.writing_s) > 0
        target.remove(note.id)
        again = made()
        assert again.cut_characters == first.cut_characters + note.characters
        assert again.written_chunks == len(chunks) + len(target.chunks(note.id))
        assert again.cutting_s > first.cutting_s


def test_a_corpus_of_somebodys_own_is_never_derived_into(corpus: Store) -> None:
    before = content_of(corpus)
    with pytest.raises(UsageError, match="is a corpus of its own"):
        open_derived(corpus.path)
    assert content_of(corpus) == before


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    with open_derived(tmp_path / "derived.db") as target, target.writing() as writing:
        writing.connection.execute(
            "update meta set value = '{\"cutting_s\": 1}' where key = 'making'"
        )
    with pytest.raises(CorpusFormatError, match="of another version"):
        open_derived(tmp_path / "derived.db")
