"""Verbs on a corpus of many small documents: what must not grow with it, and what grows as it."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.growth import TIMES_THE_SIZE, grows_like_a_line
from tests.statements import asked_of_sqlite
from tests.stores import Store

from cytat import Corpus
from cytat.config import Settings
from cytat.protocols import NewVersion
from cytat.records import PIPELINE, VectorSpace
from cytat.testing.embedders import FakeEmbedder
from cytat.testing.stores import make_version
from cytat.text.identity import passage_text, text_hash

FEW, SOME = 250, 2_000
MANY = 20_000
NUMBER = 17
"""Of the document that answers."""
QUESTION = "Ile kosztuje latarnia?"
MOST_STEPS_A_DOCUMENT = 8
"""Counting documents in an index takes 7; reading anything of each takes more."""

Work = Callable[[Corpus], object]


def version(number: int, embedder: FakeEmbedder) -> NewVersion:
    source = f"docs/{number % 50}/{number}.txt"
    text = f"Umowa numer {number}. Kwota {number * 7} zł, termin {number % 28 + 1} maja."
    if number == NUMBER:
        text = "Latarnia kosztuje 430 zł."
    (vector,) = embedder.embed_documents([text])
    key = text_hash(passage_text(source, (), "", text))
    new = make_version(source, text, chunk_characters=200, vectors={key: vector})
    stamp = replace(new.stamp, chunking="structure/1:128", pipeline=PIPELINE)
    return replace(new, stamp=stamp)


def make_corpus(file: Path, documents: int) -> Path:
    embedder = FakeEmbedder()
    space = VectorSpace(embedder.name, embedder.dimensions, embedder.weights)
    with Store.open_or_create(file) as store:
        for first in range(0, documents, 1_000):
            with store.writing() as writing:
                writing.claim_space(space)
                for number in range(first, min(first + 1_000, documents)):
                    writing.replace(version(number, embedder))
    return file


@pytest.fixture(scope="module")
def two_sizes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("sizes")
    return make_corpus(folder / "few.db", FEW), make_corpus(folder / "some.db", SOME)


def opened(file: Path) -> Corpus:
    return Corpus(Settings(corpus=file, embedder="fake"))


def ask_again(corpus: Corpus) -> None:
    """Ask when the indexes are in memory."""
    corpus.ask(QUESTION)


def search_again(corpus: Corpus) -> None:
    corpus.search(QUESTION)


def show(corpus: Corpus) -> None:
    corpus.show("docs/17/17.txt", chunks=True)


def why(corpus: Corpus) -> None:
    corpus.why()


@pytest.mark.parametrize("verb", [ask_again, search_again, show, why])
def test_a_verb_reads_of_the_file_what_it_shows_and_counts_the_rest(
    two_sizes: tuple[Path, Path], verb: Work
) -> None:
    few, some = (steps_of(verb, file) for file in two_sizes)
    assert few > 0
    assert some - few < MOST_STEPS_A_DOCUMENT * (SOME - FEW)


def steps_of(verb: Work, file: Path) -> int:
    """Return the steps of a verb once the corpus is open and has been asked before."""
    with asked_of_sqlite() as asked, opened(file) as corpus:
        corpus.ask(QUESTION)
        before = asked.steps
        verb(corpus)
        return asked.steps - before


VERBS: dict[str, Work] = {
    "status": Corpus.status,
    "search": search_again,
    "search by words": lambda corpus: corpus.search(QUESTION, mode="words"),
    "search in a folder": lambda corpus: corpus.search(QUESTION, where="folder=docs/3"),
    "ask": ask_again,
    "show": lambda corpus: corpus.show("17.txt"),
    "why": why,
    "verify": Corpus.verify,
    "verify --full": lambda corpus: corpus.verify(full=True),
    "doctor": Corpus.doctor,
}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("many")
    sizes = (MANY // TIMES_THE_SIZE, MANY)
    return {size: make_corpus(folder / f"{size}.db", size) for size in sizes}


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_on_twenty_thousand_documents_takes_no_more_than_in_proportion(
    many: dict[int, Path], verb: str
) -> None:
    def work(size: int) -> None:
        with opened(many[size]) as corpus:
            VERBS[verb](corpus)

    assert grows_like_a_line(work, size=MANY // TIMES_THE_SIZE)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["add", "remove", "backup", "export"])
def test_a_change_of_twenty_thousand_documents_takes_no_more_than_in_proportion(
    many: dict[int, Path], tmp_path: Path, verb: str
) -> None:
    def work(size: int) -> None:
        place = tmp_path / str(size)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        (place / "new.txt").write_text("Aneks do umowy numer 17.", "utf-8")
        file = Path(shutil.copy(many[size], place))
        with opened(file) as corpus:
            match verb:
                case "add":
                    corpus.add(place / "new.txt")
                case "remove":
                    corpus.remove("docs/17/17.txt")
                case "backup":
                    corpus.back_up(place / "backup.db")
                case "export":
                    corpus.export(place / "export")

    assert grows_like_a_line(work, size=MANY // TIMES_THE_SIZE)
