"""A question reads one moment of the corpus, whatever is added, changed or removed beside it."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cytat import Corpus
from cytat.config import Settings
from cytat.corpus.models import EmbedderChoice
from cytat.protocols import Embedder, Generator, Prompt, Vectors
from cytat.records import Answer, VectorSpace
from cytat.testing.embedders import FakeEmbedder
from cytat.testing.generators import ScriptedGenerator

LEASE = "Kaucja za lokal wynosi 4300 zł."
QUESTION = "Ile wynosi kaucja za lokal?"
OTHERS = {f"{at}.txt": f"Zapis {at}: czynsz płatny do {at}. dnia miesiąca." for at in range(1, 6)}
THREADS = 8


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    write_files(tmp_path / "docs", {"umowa.txt": LEASE, **OTHERS})
    with open_corpus(tmp_path) as opened:
        opened.add(tmp_path / "docs")
        yield opened


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def open_corpus(folder: Path) -> Corpus:
    return Corpus(Settings(corpus=folder / "cytat.db", embedder="fake"))


def meanwhile(folder: Path, change: Callable[[Corpus], object]) -> None:
    """Change the corpus as another program does: with another connection."""
    with open_corpus(folder) as other:
        change(other)


def shift(folder: Path) -> None:
    """Put three lines above the lease, and bring the corpus up to date."""
    write_files(folder / "docs", {"umowa.txt": f"Aneks\nz dnia\n1 maja 2025\n\n{LEASE}"})
    meanwhile(folder, lambda other: other.add(folder / "docs"))


class Interrupting(FakeEmbedder):
    """Has something done when the question is first embedded: between one arm and the other."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self._acts = [act]

    def embed_query(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, text: str
    ) -> Vectors:
        """Return the vector of the fake, after something was done."""
        if text == QUESTION and self._acts:
            self._acts.pop()()
        return super().embed_query(text)

    def embed_documents(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, texts: Sequence[str]
    ) -> Vectors:
        """Return the vectors of the fake."""
        return FakeEmbedder().embed_documents(texts)


class Chosen(EmbedderChoice):
    """An encoder that is already open."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(Settings(embedder="fake"))
        self._embedder = embedder

    def embedder(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, space: VectorSpace | None
    ) -> Embedder:
        """Return it."""
        return self._embedder


class Meddling(ScriptedGenerator):
    """Has something done while it writes."""

    def __init__(self, *pieces: str, act: Callable[[], object]) -> None:
        super().__init__(*pieces)
        self._act = act

    def generate(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, prompt: Prompt, *, max_tokens: int
    ) -> Iterator[str]:
        """Yield the pieces; something is done before the first."""
        self._act()
        yield from super().generate(prompt, max_tokens=max_tokens)


def asked(
    corpus: Corpus, *, embedder: Embedder | None = None, generator: Generator | None = None
) -> Answer:
    asking = replace(corpus.asking(), generator=generator)
    if embedder is not None:
        asking = replace(asking, choice=Chosen(embedder))
    reply = corpus.answer(QUESTION, asking=asking).reply
    assert isinstance(reply, Answer), reply
    return reply


# ---------------------------------------------------------------- while it is searched


def test_a_document_that_is_updated_while_it_is_searched_is_quoted_as_it_was_found(
    corpus: Corpus, tmp_path: Path
) -> None:
    answer = asked(corpus, embedder=Interrupting(lambda: shift(tmp_path)))
    (citation,) = answer.citations
    assert citation.quote == LEASE
    assert citation.span.start == 0, "a place in the version that was found"
    assert citation.stale, "the file is another by now"


def test_a_document_that_is_removed_while_it_is_searched_is_quoted_as_it_was_found(
    corpus: Corpus, tmp_path: Path
) -> None:
    remove = Interrupting(lambda: meanwhile(tmp_path, lambda other: other.remove("umowa.txt")))
    assert [one.quote for one in asked(corpus, embedder=remove).citations] == [LEASE]


def test_what_is_added_while_a_question_is_asked_is_found_by_the_next(
    corpus: Corpus, tmp_path: Path
) -> None:
    def add() -> None:
        write_files(tmp_path / "docs", {"nowa.txt": f"{LEASE} Zwrot w maju."})
        meanwhile(tmp_path, lambda other: other.add(tmp_path / "docs"))

    before = corpus.answer(
        QUESTION, asking=replace(corpus.asking(), choice=Chosen(Interrupting(add)))
    )
    assert corpus.answer(QUESTION).generation > before.generation
    sources = {hit.source for hit in corpus.search(QUESTION).hits}
    assert "docs/nowa.txt" in sources
    assert before.reply.nearest if not isinstance(before.reply, Answer) else before.reply.citations


# ---------------------------------------------------------------- while a model writes


def test_a_document_that_shifts_while_a_model_writes_is_cited_as_stale_and_said(
    corpus: Corpus, tmp_path: Path
) -> None:
    model = Meddling("Kaucja to 4300 zł [6].", act=lambda: shift(tmp_path))
    answer = asked(corpus, generator=model)
    (citation,) = answer.citations
    assert (citation.quote, citation.span.start, citation.stale) == (LEASE, 0, True)
    assert any("umowa.txt" in note for note in answer.notes)
    assert answer.text == "Kaucja to 4300 zł [1]."


def test_a_document_that_is_removed_while_a_model_writes_is_cited_as_stale_and_said(
    corpus: Corpus, tmp_path: Path
) -> None:
    def remove() -> None:
        meanwhile(tmp_path, lambda other: other.remove("umowa.txt"))

    answer = asked(corpus, generator=Meddling("Kaucja to 4300 zł [6].", act=remove))
    (citation,) = answer.citations
    assert (citation.quote, citation.stale) == (LEASE, True)
    assert any("umowa.txt" in note for note in answer.notes)


def test_a_change_of_another_document_while_a_model_writes_makes_no_citation_stale(
    corpus: Corpus, tmp_path: Path
) -> None:
    def change() -> None:
        meanwhile(tmp_path, lambda other: other.remove("3.txt"))

    answer = asked(corpus, generator=Meddling("Kaucja to 4300 zł [6].", act=change))
    assert [one.stale for one in answer.citations] == [False]
    assert not any("umowa.txt" in note for note in answer.notes)


def test_no_transaction_is_open_while_a_model_writes(corpus: Corpus, tmp_path: Path) -> None:
    # A purge needs the file for itself: it would wait for a reader, and then fail.
    def purge() -> None:
        meanwhile(tmp_path, lambda other: other.remove("3.txt", purge=True))

    assert asked(corpus, generator=Meddling("Kaucja to 4300 zł [6].", act=purge)).citations


# ---------------------------------------------------------------- threads


def test_eight_threads_search_and_ask_one_corpus_while_another_adds(
    corpus: Corpus, tmp_path: Path
) -> None:
    is_over, failures, replies = threading.Event(), list[BaseException](), list[str]()

    def ask_on(*, searches: bool) -> None:
        try:
            while not is_over.is_set():
                if searches:
                    replies.append(corpus.search(QUESTION).hits[0].text)
                else:
                    answer = corpus.ask(QUESTION)
                    assert isinstance(answer, Answer), answer
                    replies.extend(citation.quote for citation in answer.citations)
        except BaseException as failure:  # noqa: BLE001 - the test reports it
            failures.append(failure)

    threads = [
        threading.Thread(target=ask_on, kwargs={"searches": bool(at % 2)}) for at in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for number in range(5):
        texts = {f"nowe/{number}-{at}.txt": f"Pismo {number} {at} o czynszu." for at in range(4)}
        write_files(tmp_path / "docs", texts)
        assert corpus.add(tmp_path / "docs").totals["failed"] == 0
    is_over.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(replies) >= THREADS
    assert set(replies) == {LEASE}
    assert len(corpus.status().documents) == 26
