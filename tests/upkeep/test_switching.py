"""Two spaces never meet: whatever is killed, and whenever a search comes, it sees one of them."""

import multiprocessing
import os
import random
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest
from tests.corpora import CHUNK_TOKENS, Content, add, check_whole, content_of, tools_of, write_files
from tests.crashes import PATIENCE_S, PRELOADED, STARTED
from tests.stores import Store

from cytat.chunking import StructureChunker
from cytat.errors import VectorSpaceError
from cytat.ingestion import reindex, reindexing
from cytat.protocols import Vectors
from cytat.retrieval import Mode, SearchRequest, retrieve
from cytat.testing.embedders import FakeEmbedder

KILLS = 20
DOCUMENTS = 24
ENCODERS = {
    64: FakeEmbedder(name="wide", dimensions=64),
    32: FakeEmbedder(name="slim", dimensions=32),
}


class Turned(FakeEmbedder):
    """Has as many dimensions as another, and other vectors: nothing but its weights tell."""

    def embed_query(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, text: str
    ) -> Vectors:
        """Return the vector of the fake, its halves in turn."""
        return np.roll(super().embed_query(text), self.dimensions // 2)


TWINS = {
    "wide": FakeEmbedder(name="wide", dimensions=64),
    "twin": Turned(name="twin", dimensions=64),
    "slim": FakeEmbedder(name="slim", dimensions=32),
}
QUESTION = "Ile wynosi czynsz za lokal?"


def texts() -> dict[str, str]:
    words = ("czynsz", "lokal", "kaucja", "umowa", "faktura", "termin", "biuro", "zwrot")
    return {
        f"{at:02}.md": f"# Pismo {at}\n\n{words[at % 8]} {words[at % 5]} wynosi {at * 37} zł.\n"
        for at in range(DOCUMENTS)
    }


def again(store: Store, encoder: FakeEmbedder) -> None:
    chunker = StructureChunker(budget_tokens=CHUNK_TOKENS, token_ends=encoder.token_ends)
    reindex(store, tools_of(store, encoder, chunker))


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reindexing, "BATCH_PASSAGES", 2)
    write_files(tmp_path / "docs", texts())
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, tmp_path / "docs", embedder=ENCODERS[64])
    return tmp_path / "cytat.db"


# ---------------------------------------------------------------- kills


def reindex_in_a_child(corpus: Path, dimensions: int, pipe: Connection) -> None:
    reindexing.BATCH_PASSAGES = 2
    with Store.open(corpus) as store:
        pipe.send_bytes(STARTED)
        again(store, ENCODERS[dimensions])


def run(corpus: Path, dimensions: int, *, kill_after_s: float | None) -> float | None:
    """Return how long the run took; None when it was killed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED, __name__])
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=reindex_in_a_child, args=(corpus, dimensions, theirs))
    child.start()
    theirs.close()
    assert ours.poll(PATIENCE_S)
    assert ours.recv_bytes() == STARTED
    started = time.monotonic()
    child.join(PATIENCE_S if kill_after_s is None else kill_after_s)
    took = time.monotonic() - started
    was_killed = child.exitcode is None
    if was_killed:
        child.kill()
        child.join()
    else:
        assert child.exitcode == 0
    child.close()
    return None if was_killed else took


def test_twenty_kills_of_a_reindex_change_no_search_until_it_has_switched(corpus: Path) -> None:
    seed = int(os.environ.get("KILL_SEED", time.time_ns() % 10**6))
    print(f"KILL_SEED={seed}")
    moments = random.Random(seed)  # noqa: S311 - moments, not secrets
    contents: dict[int, Content] = {}
    with Store.open(corpus) as store:
        contents[64] = content_of(store)
    undisturbed_s = run(corpus, 32, kill_after_s=None)
    assert undisturbed_s is not None
    with Store.open(corpus) as store:
        contents[32] = content_of(store)
    assert contents[32] != contents[64]
    known, half_way, switched = 32, 0, 0
    for _ in range(KILLS):
        wanted = 96 - known
        run(corpus, wanted, kill_after_s=moments.uniform(0, undisturbed_s))
        with Store.open(corpus) as store:
            space = store.space()
            assert space is not None
            half_way += store.pending_space() is not None
            switched += space.dimensions == wanted
            known = space.dimensions
            assert content_of(store) == contents[known]
            check_whole(store)
    assert half_way > 0, "the kills came too late or too early to prove anything"
    print(f"{half_way} half way, {switched} switched")
    run(corpus, 96 - known, kill_after_s=None)
    with Store.open(corpus) as store:
        assert content_of(store) == contents[96 - known]
        assert store.pending_space() is None


# ---------------------------------------------------------------- searches


class Searcher:
    """Searches without end, with the encoder of the corpus and with those it does not have."""

    def __init__(self, corpus: Path) -> None:
        self.corpus = corpus
        self.is_over = threading.Event()
        self.found: list[tuple[str, dict[str, float]]] = []
        self.refused = 0
        self.failure: BaseException | None = None

    def search_on(self) -> None:
        try:
            with Store.open(self.corpus) as store:
                while not self.is_over.is_set():
                    for encoder in TWINS.values():
                        self._search(store, encoder)
        except BaseException as failure:  # noqa: BLE001 - told by the test
            self.failure = failure

    def _search(self, store: Store, encoder: FakeEmbedder) -> None:
        request = SearchRequest(QUESTION, DOCUMENTS, Mode.VECTORS)
        try:
            with store.moment() as moment:
                hits = retrieve(moment, request, embedder=encoder).hits
        except VectorSpaceError:
            self.refused += 1
            return
        self.found.append((encoder.name, {hit.source: hit.score for hit in hits}))


def cosines(encoder: FakeEmbedder) -> dict[str, float]:
    """Return what each document's cosine is, worked out without a corpus."""
    question = encoder.embed_query(QUESTION)
    return {
        f"docs/{name}": float(
            question @ encoder.embed_query(text.removeprefix("# ").replace("\n\n", "\n").strip())
        )
        for name, text in texts().items()
    }


def test_no_search_mixes_two_spaces_while_a_reindex_runs_and_switches(corpus: Path) -> None:
    searcher = Searcher(corpus)
    thread = threading.Thread(target=searcher.search_on)
    thread.start()
    with Store.open(corpus) as store:
        for name in ("twin", "slim", "wide", "slim", "twin", "wide"):
            again(store, TWINS[name])
    searcher.is_over.set()
    thread.join()
    assert searcher.failure is None
    expected = {name: cosines(encoder) for name, encoder in TWINS.items()}
    for name, scores in searcher.found:
        assert scores == pytest.approx(expected[name], abs=1e-5)
    print(f"{len(searcher.found)} searches, {searcher.refused} refused")
    assert {name for name, _ in searcher.found} == set(TWINS)
    assert searcher.refused > 0
