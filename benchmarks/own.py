"""cytat as one of the systems that `scale.py` asks; and what a fresh process sees of its file.

    python -m benchmarks.own FILE QUESTIONS

prints, as JSON, how long opening, the first questions and the first question after a new document
take, and the memory they leave occupied. QUESTIONS is a file written by `save_questions`.
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from benchmarks.arguments import parser_of
from benchmarks.rivals import DEPTH, Ask
from benchmarks.synthetic import (
    CHUNKS_A_DOCUMENT,
    DIMENSIONS,
    Asked,
    Slab,
    source_of,
    write_document,
    write_slab,
)

from cytat.analysis import analyse_question
from cytat.analysis.filters import parse_where
from cytat.backends.sqlite import SqliteStore as Store
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.corpus.parts import keep_trace
from cytat.protocols import Vectors
from cytat.retrieval import Mode, Retrieved, SearchRequest, retrieve
from cytat.text.identity import document_id

SELECT_VECTORS = "select vector from vector order by chunk"
SELECT_IDS = "select id from chunk order by row"  # in the order in which they were written

NEW_DOCUMENT = 9_999_980
"""The number of a document that no size has."""


class KnownVectors:
    """An encoder that has the vector of every question already; implements `Embedder`."""

    name = weights = "synthetic"
    dimensions = DIMENSIONS
    max_tokens = 512
    languages: frozenset[str] | None = None

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._vectors = {one.text: one.vector for one in asked}

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a known question."""
        return self._vectors[text]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of known questions."""
        return np.stack([self._vectors[text] for text in texts])

    def token_ends(self, text: str) -> Sequence[int]:
        """Return the ends of words; nothing is cut here."""
        return [at for at, sign in enumerate(text) if sign == " "]


class Cytat:
    """A corpus file, written and searched as the facade `Corpus` does.

    A file that holds chunks already is one of an earlier run, and is asked as it is.
    """

    name = "cytat"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._store = Store.open_or_create(file)
        self._opened = [self._store]
        with self._store.moment() as moment:
            self._ids = [chunk_id for (chunk_id,) in moment.connection.execute(SELECT_IDS)]
        self.is_kept = bool(self._ids)

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Write documents, words and vectors in one transaction."""
        if not self.is_kept:
            self._ids += write_slab(self._store, slab, texts)

    def fill(self, matrix: Vectors) -> None:
        """Copy the vectors of the file, in the order of the chunks."""
        with self._store.moment() as moment:
            for at, (blob,) in enumerate(moment.connection.execute(SELECT_VECTORS)):
                matrix[at] = np.frombuffer(blob, dtype=np.float32)

    def finish(self) -> None:
        """Note which id is which chunk."""
        self._number_of = {chunk_id: number for number, chunk_id in enumerate(self._ids)}

    def know(self, asked: Sequence[Asked]) -> None:
        """Take the questions' vectors, so that embedding costs nothing."""
        self._embedder = KnownVectors(asked)

    def close(self) -> None:
        """Close the file."""
        for store in self._opened:
            store.close()

    def ways(self) -> Mapping[str, Ask]:
        """Return the three modes, two of them filtered, words alone, and a search with its trace.

        Each has indexes of its own, where all who ask one file in a process share them: none finds
        in memory what another has just asked for, or what was asked for in the round before.
        """
        return {
            "words": self._plain(Mode.WORDS),
            "vectors": self._plain(Mode.VECTORS),
            "hybrid": self._plain(Mode.HYBRID),
            "vectors, filtered": self._filtered(Mode.VECTORS),
            "hybrid, filtered": self._filtered(Mode.HYBRID),
            "words, ranked alone": self._ranked(),
            "hybrid, with its trace": self._traced(),
        }

    def _apart(self) -> Store:
        """Return the corpus as one opened it who has asked nothing yet."""
        store = Store.open(self._file)
        store.use_indexes(SharedIndexes(self._file))
        self._opened.append(store)
        return store

    def _plain(self, mode: Mode) -> Ask:
        store = self._apart()

        def ask(asked: Asked) -> Sequence[int]:
            return self._numbers(search(store, self._embedder, asked, mode))

        return ask

    def _filtered(self, mode: Mode) -> Ask:
        store = self._apart()

        def ask(asked: Asked) -> Sequence[int]:
            where = [f"group={asked.group}"]
            return self._numbers(search(store, self._embedder, asked, mode, where=where))

        return ask

    def _ranked(self) -> Ask:
        """Return what a full-text engine does: a question's words -> numbers, no text read."""
        store = self._apart()

        def ask(asked: Asked) -> Sequence[int]:
            with store.moment() as moment:
                query = analyse_question(asked.text, languages=moment.languages())
                found = moment.by_words(query, depth=DEPTH, allowed=None)
            return [self._number_of[hit.chunk_id] for hit in found.scored.hits]

        return ask

    def _traced(self) -> Ask:
        store = self._apart()

        def ask(asked: Asked) -> Sequence[int]:
            found = search(store, self._embedder, asked, Mode.HYBRID)
            keep_trace(
                store, "search", asked.text, generation=found.generation, stages=found.stages
            )
            return self._numbers(found)

        return ask

    def _numbers(self, found: Retrieved) -> Sequence[int]:
        return [self._number_of[hit.chunk_id] for hit in found.hits]


def search(
    store: Store,
    embedder: KnownVectors,
    asked: Asked,
    mode: Mode,
    *,
    where: Sequence[str] = (),
) -> Retrieved:
    """Search as `Corpus` does, with an encoder that costs nothing."""
    request = SearchRequest(asked.text, DEPTH, mode, parse_where(where))
    with store.moment() as moment:
        return retrieve(moment, request, embedder=embedder)


# ---------------------------------------------------------------- a fresh process


def save_questions(file: Path, asked: Sequence[Asked]) -> None:
    """Write questions for another process."""
    texts = json.dumps([[one.text, one.terms, one.group] for one in asked])
    np.savez(file, texts=texts, vectors=np.stack([one.vector for one in asked]))


def load_questions(file: Path) -> list[Asked]:
    """Return what was saved."""
    with np.load(file) as saved:
        texts, vectors = json.loads(str(saved["texts"])), saved["vectors"]
    return [
        Asked(text, tuple(terms), vector, group)
        for (text, terms, group), vector in zip(texts, vectors, strict=True)
    ]


def probe(file: Path, asked: Sequence[Asked]) -> dict[str, float]:
    """Return times in ms and memory in MB, in the order of a process's life."""
    figures: dict[str, float] = {"imported_mb": _resident_mb()}
    with _timed(figures, "opening_ms"):
        store = Store.open(file)
    with store:
        embedder = KnownVectors(asked)

        def ask(question: Asked, mode: Mode) -> None:
            search(store, embedder, question, mode)

        with _timed(figures, "first_words_ms"):
            ask(asked[0], Mode.WORDS)
        figures["after_words_mb"] = _resident_mb()
        with _timed(figures, "first_hybrid_ms"):
            ask(asked[1], Mode.HYBRID)
        figures["after_hybrid_mb"] = _resident_mb()
        figures["peak_mb"] = _peak_mb()
        figures["hybrid_ms"] = _median_ms(lambda one: ask(one, Mode.HYBRID), asked)
        figures["settled_mb"] = _resident_mb()
        with _timed(figures, "write_document_ms"):
            _add_document(store, asked)
        with _timed(figures, "hybrid_after_write_ms"):
            ask(asked[2], Mode.HYBRID)
        figures["peak_after_write_mb"] = _peak_mb()
        with store.writing() as writing:  # a kept file is asked again
            writing.remove(document_id(source_of(NEW_DOCUMENT)))
    return {name: round(value, 1) for name, value in figures.items()}


def _add_document(store: Store, asked: Sequence[Asked]) -> None:
    """Write a document whose chunks are questions, with their vectors."""
    with store.writing() as writing:
        texts = [one.text for one in asked[:CHUNKS_A_DOCUMENT]]
        vectors = np.stack([one.vector for one in asked[:CHUNKS_A_DOCUMENT]])
        write_document(writing, NEW_DOCUMENT, texts, vectors)


def _median_ms(ask: Callable[[Asked], None], asked: Sequence[Asked]) -> float:
    times: list[float] = []
    for one in asked:
        begin = time.perf_counter()
        ask(one)
        times.append(time.perf_counter() - begin)
    return 1000 * statistics.median(times)


@contextmanager
def _timed(figures: dict[str, float], name: str) -> Iterator[None]:
    begin = time.perf_counter()
    yield
    figures[name] = 1000 * (time.perf_counter() - begin)


def _resident_mb() -> float:
    """Return the memory occupied now; where the system does not say, the most so far."""
    return _memory_mb("VmRSS")


def _peak_mb() -> float:
    return _memory_mb("VmHWM")


def _memory_mb(field: str) -> float:
    status = Path("/proc/self/status")
    if status.exists():  # Linux; its getrusage counts the parent process in
        lines = status.read_text("ascii").splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith(f"{field}:"))
        return int(kilobytes) * 1024 / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("questions", type=Path)
    given = parser.parse_args()
    print(json.dumps(probe(given.file, load_questions(given.questions))))


if __name__ == "__main__":
    main()
