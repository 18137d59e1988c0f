"""Public sets under many ways to cut and to rank -> run files, for `what_we_measured.py`.

    python -m benchmarks.public_runs DATA [--cache FOLDER]

DATA (or $CYTAT_BENCH_DATA) holds the sets in the BEIR layout. Two kinds of measurement:

- PoQuAD (Polish) and Natural Questions (English), whose questions carry their answers: samples
  (seed 7) of their texts, twenty to a Markdown file, each under its title as a heading. So there
  are headings to carry and something to cut. A hit is right if it holds an answer whole, at its
  place in the text of the question. Searched by words alone: nothing has to be embedded.
- SciFact, Cranfield and PoQuAD by their grades: every text is a file of its own, as in
  `retrieval_quality.py`, whose kept vectors are used. A document counts as its best chunk.
"""

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.arguments import options_of, parser_of_sets
from benchmarks.destroyed_answers import answers_of
from benchmarks.json_rows import json_rows
from benchmarks.kept_runs import Found, KeptRun, Price, write_run
from benchmarks.reading import tools_of
from benchmarks.retrieval_quality import Judged, KeptEmbedder, read_set

from cytat.backends.sqlite import SqliteStore as Store
from cytat.chunking import open_chunker
from cytat.evaluation.sweeps.derived import PassageParts, count_passages
from cytat.ingestion import ingest
from cytat.metrics import ndcg_at
from cytat.plugins import load_embedder
from cytat.protocols import Embedder, Vectors
from cytat.records import DocumentId, Span
from cytat.retrieval import Fusion, FusionRule, Mode, SearchRequest, retrieve

DEPTH, NDCG_DEPTH, RETRIEVED = 50, 10, 100
TEXTS_A_FILE = 20
SEED = 7
DEFAULT = "structure:320"
CUTTINGS = (DEFAULT, "pathless:320", "fixed:128", "fixed:128+32")
"""128 tokens are about 512 characters of English."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of a set is taken."""

    name: str
    split: str
    questions: int
    texts: int


JOINED = {
    "poquad_joined": Sample("poquad_pl", "dev", 500, 1000),
    "nq_joined": Sample("nq_gold", "dev", 500, 1000),
}
GRADED = {
    "cranfield": Sample("cranfield", "test", 225, 1400),
    "poquad_pl": Sample("poquad_pl", "dev", 400, 1500),
    "scifact": Sample("scifact", "test", 300, 2000),
}
WORDS = (Mode.WORDS, Fusion.BEST_SHARES)
WAYS = (
    (Mode.HYBRID, Fusion.BEST_SHARES),
    WORDS,
    (Mode.VECTORS, Fusion.BEST_SHARES),
    (Mode.HYBRID, Fusion.STANDARD_SCORES),
    (Mode.HYBRID, Fusion.RECIPROCAL_RANKS),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the file that answers it, and where in it."""

    question: str
    source: str
    answers: tuple[Span, ...]


# ---------------------------------------------------------------- texts put together


def join_texts(folder: Path, sample: Sample, out: Path) -> dict[str, Asked]:
    """Write the files of a sample, and return its questions with their places."""
    judged = read_set(
        folder / sample.name, sample.split, questions=sample.questions, texts=sample.texts
    )
    answers = {
        row["_id"]: answers_of(row["metadata"])
        for row in json_rows(folder / sample.name / "queries.jsonl")
        if row["_id"] in judged.questions
    }
    names = list(judged.texts)
    random.Random(SEED).shuffle(names)  # noqa: S311 - a sample, not a secret
    places: dict[str, tuple[str, int]] = {}
    for number, at in enumerate(range(0, len(names), TEXTS_A_FILE), start=1):
        parts = [f"# Part {number}\n\n"]
        for name in names[at : at + TEXTS_A_FILE]:
            title, text = judged.texts[name]
            start = sum(map(len, parts)) + len(f"## {title}\n\n")
            places[name] = f"part-{number}.md", start
            parts.append(f"## {title}\n\n{text}\n\n")
        (out / f"part-{number}.md").write_text("".join(parts), "utf-8")
    return dict(_asked(judged, answers, places))


def _asked(
    judged: Judged, answers: Mapping[str, Sequence[str]], places: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[str, Asked]]:
    """Yield every question whose answer stands verbatim in its text."""
    for id_, question in judged.questions.items():
        (right,) = judged.grades[id_]
        source, start = places[right]
        text = judged.texts[right][1]
        spans = tuple(
            Span(start + at, start + at + len(one))
            for one in answers[id_]
            if one.strip() and (at := text.find(one)) >= 0
        )
        if spans:
            yield id_, Asked(question, source, spans)


# ---------------------------------------------------------------- one corpus


class TokensAlone:
    """The encoder's tokens, by which texts are cut, and one vector for all; never searched by."""

    name, dimensions = "tokens-alone", 2
    weights = "none"
    languages: frozenset[str] | None = None

    def __init__(self, embedder: Embedder) -> None:
        self.max_tokens, self.token_ends = embedder.max_tokens, embedder.token_ends

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return the same vector for each."""
        return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> Vectors:  # noqa: ARG002 - as `Embedder` has it
        """Return that vector."""
        return np.array([1, 0], dtype=np.float32)


class Corpus:
    """A folder of texts, cut and embedded in one way."""

    def __init__(self, folder: Path, *, file: Path, embedder: Embedder, chunking: str) -> None:
        self._embedder, self._chunking = embedder, chunking
        chunker = open_chunker(chunking, embedder=embedder)
        self._store = Store.open_or_create(file)
        ingest(self._store, [folder], tools_of(self._store, embedder, chunker))
        with self._store.moment() as moment:
            self._sources = {one.id: Path(one.source).name for one in moment.documents()}

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def ranked(self, question: str, way: tuple[Mode, Fusion]) -> list[tuple[DocumentId, Span]]:
        """Return where the hits stand, best first."""
        mode, fusion = way
        request = SearchRequest(question, RETRIEVED, mode, (), FusionRule(fusion, None))
        with self._store.moment() as moment:
            hits = retrieve(moment, request, embedder=self._embedder).hits
        return [(hit.document_id, hit.span) for hit in hits]

    def answered(
        self, questions: Mapping[str, Asked], way: tuple[Mode, Fusion]
    ) -> dict[str, Found]:
        """Return where the answer of each question is found."""
        cut: dict[str, list[Span]] = {}
        with self._store.moment() as moment:
            for id_, source in self._sources.items():
                cut[source] = [stored.chunk.span for stored in moment.chunks(id_)]
        found = {}
        for name, asked in questions.items():
            holds = [
                self._sources[id_] == asked.source and any(map(span.holds, asked.answers))
                for id_, span in self.ranked(asked.question, way)[:DEPTH]
            ]
            rank = holds.index(True) + 1 if True in holds else None
            is_whole = any(span.holds(one) for span in cut[asked.source] for one in asked.answers)
            found[name] = Found(None, rank, not is_whole, None)
        return found

    def graded(self, judged: Judged, way: tuple[Mode, Fusion]) -> dict[str, Found]:
        """Return where the first right document of each question is found, and its nDCG."""
        found = {}
        for name, question in judged.questions.items():
            sources = (Path(self._sources[id_]).stem for id_, _ in self.ranked(question, way))
            texts = list(dict.fromkeys(sources))[:DEPTH]
            grades = judged.grades[name]
            rank = next((at for at, one in enumerate(texts, 1) if grades.get(one, 0) > 0), None)
            ndcg = ndcg_at(texts[:NDCG_DEPTH], grades, depth=NDCG_DEPTH)
            found[name] = Found(None, rank, is_destroyed=False, ndcg=round(ndcg, 4))
        return found

    def price(self) -> Price:
        """Return what the cutting costs."""
        with self._store.moment() as moment:
            parts = (
                PassageParts(one.title, stored.chunk.heading_path, stored.chunk.context, words)
                for one in moment.documents()
                for text in [moment.text(one.id)]
                for stored in moment.chunks(one.id)
                for words in [stored.chunk.span.of(text)]
            )
            counts = count_passages(
                parts, token_ends=self._embedder.token_ends, window=self._embedder.max_tokens
            )
        return Price(counts.chunks, counts.tokens, counts.heading_tokens)


def run_joined(data: Path, name: str, embedder: KeptEmbedder) -> None:
    """Measure the cuttings, by words."""
    sample, counter = JOINED[name], TokensAlone(embedder)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "texts"
        folder.mkdir()
        questions = join_texts(data, sample, folder)
        for number, chunking in enumerate(CUTTINGS):
            file = Path(made) / f"{number}.db"
            corpus = Corpus(folder, file=file, embedder=counter, chunking=chunking)
            keep = Keeper(name, chunking, embedder.name, sample.texts, corpus.price())
            keep.run(WORDS, corpus.answered(questions, WORDS))
            corpus.close()


def run_graded(data: Path, name: str, embedder: KeptEmbedder) -> None:
    """Measure all ways to rank with the default cutting."""
    sample = GRADED[name]
    judged = read_set(
        data / sample.name, sample.split, questions=sample.questions, texts=sample.texts
    )
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "texts"
        folder.mkdir()
        for text, (title, words) in judged.texts.items():
            (folder / f"{text}.md").write_text(f"# {title}\n\n{words}\n", "utf-8")
        file = Path(made) / "corpus.db"
        corpus = Corpus(folder, file=file, embedder=embedder, chunking=DEFAULT)
        embedder.save()
        keep = Keeper(name, DEFAULT, embedder.name, len(judged.texts), corpus.price())
        for way in WAYS:
            keep.run(way, corpus.graded(judged, way))
        corpus.close()


@dataclass(frozen=True, slots=True)
class Keeper:
    """What the runs on one index have in common."""

    corpus: str
    chunking: str
    embedder: str
    texts: int
    price: Price

    def run(self, way: tuple[Mode, Fusion], found: Mapping[str, Found]) -> None:
        """Write the run of one way to rank."""
        mode, fusion = way
        rule = fusion.value if mode is Mode.HYBRID else "none"
        run = KeptRun(
            self.corpus, self.chunking, self.embedder, mode.value, rule, DEPTH, self.texts,
            self.price, found,
        )  # fmt: skip
        within = sum(one.rank is not None and one.rank <= NDCG_DEPTH for one in found.values())
        print(f"{write_run(run).stem}: {within} of {len(found)} at {NDCG_DEPTH}", flush=True)


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--sets", nargs="+", default=[*JOINED, *GRADED])
    parser.add_argument("--embedder", default="e5-small")
    given = parser.parse_args()
    options = options_of(given.cache)
    embedder = KeptEmbedder(load_embedder(given.embedder, options), given.cache)
    for name in given.sets:
        run = run_graded if name in GRADED else run_joined
        run(given.data, name, embedder)


if __name__ == "__main__":
    main()
