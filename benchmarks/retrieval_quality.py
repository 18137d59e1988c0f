"""How well does search rank? Words, vectors and both fusions over sets in the BEIR layout.

    python -m benchmarks.retrieval_quality DATA [--sets scifact poquad_pl:polevalA ...]
                                           [--questions N] [--texts N] [--weight W]
                                           [--cutting whole|structure] [--cache FOLDER]

DATA (or $CYTAT_BENCH_DATA) holds one folder a set. Each text becomes a Markdown file with its
title as heading and goes through cytat's own reading, ingestion, store, indexes and retriever with
the default encoder. `whole` makes each text one chunk, cut at the encoder's window; `structure`
cuts it as `cytat add` does, and a text counts as its best chunk. `--questions` and `--texts` take
a sample (seed 7) in which every judged text of those questions is kept; the counts stand in the
result. Vectors are kept in the cache folder. Writes `results/retrieval_quality.json`, one row for
each set, split, cutting and way to rank; other rows that stand there stay.
"""

import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from benchmarks.arguments import options_of, parser_of_sets
from benchmarks.json_rows import json_rows
from benchmarks.reading import tools_of

from cytat.backends.e5.embedder import open_embedder
from cytat.backends.sqlite import SqliteStore as Store
from cytat.chunking import StructureChunker
from cytat.ingestion import ingest
from cytat.metrics import ndcg_at
from cytat.protocols import Chunker, Embedder, Vectors
from cytat.records import BlockKind, Chunk, Document, Span
from cytat.retrieval import Fusion, FusionRule, Mode, SearchRequest, retrieve
from cytat.retrieval.fusion import VECTORS_WEIGHT
from cytat.text.identity import chunk_id

SPLITS = {"scifact": "test", "cranfield": "test", "poquad_pl": "dev", "nq_gold": "dev"}
"""The split asked of each set where none is named."""
WAYS = (
    (Mode.WORDS, Fusion.BEST_SHARES),
    (Mode.VECTORS, Fusion.BEST_SHARES),
    (Mode.HYBRID, Fusion.BEST_SHARES),
    (Mode.HYBRID, Fusion.STANDARD_SCORES),
    (Mode.HYBRID, Fusion.RECIPROCAL_RANKS),
)
DEPTH, RETRIEVED = 10, 100
SEED = 7
BUDGET_TOKENS = 320
RESULTS = Path(__file__).parent / "results" / "retrieval_quality.json"


@dataclass(frozen=True)
class Judged:
    """Texts, questions and grades of one split of a set, or of a sample of it."""

    set: str
    split: str
    texts: Mapping[str, tuple[str, str]]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Row:
    """One line of the result."""

    set: str
    split: str
    cutting: str
    mode: str
    fusion: str | None
    weight: float | None
    """Of the vectors, in a sum of standard scores."""
    texts: int
    questions: int
    chunks: int
    ndcg_at_10: float
    recall_at_10: float


# ---------------------------------------------------------------- reading a set


def read_set(folder: Path, split: str, *, questions: int | None, texts: int | None) -> Judged:
    grades: dict[str, dict[str, int]] = {}
    lines = (folder / "qrels" / f"{split}.tsv").read_text("utf-8").splitlines()
    for line in lines[1:]:
        question, text, grade = line.split("\t")
        grades.setdefault(question, {})[text] = int(grade)
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    asked = sorted(grades)
    if questions is not None and questions < len(asked):
        asked = sorted(chance.sample(asked, questions))
    found = {row["_id"]: (row["title"], row["text"]) for row in json_rows(folder / "corpus.jsonl")}
    words = {row["_id"]: row["text"] for row in json_rows(folder / "queries.jsonl")}
    kept = set(found)
    if texts is not None:
        judged = {text for question in asked for text in grades[question]}
        others = sorted(kept - judged)
        chance.shuffle(others)
        kept = judged | set(others[: max(0, texts - len(judged))])
    return Judged(
        folder.name,
        split,
        {text: found[text] for text in found if text in kept},
        {question: words[question] for question in asked},
        {question: grades[question] for question in asked},
    )


# ---------------------------------------------------------------- encoder and cutter


class KeptEmbedder:
    """The default encoder; what it has embedded is kept in a folder between runs."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.max_tokens, self.weights = embedder.max_tokens, embedder.weights
        self.languages = embedder.languages
        self.token_ends = embedder.token_ends
        self._embedder = embedder
        self._file = folder / f"vectors-{embedder.weights[:12]}.npz"
        self._kept: dict[str, Vectors] = {}
        if self._file.exists():
            with np.load(self._file) as stored:
                self._kept = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions)."""
        keys = [_key("passage", text) for text in texts]
        new = [at for at, key in enumerate(keys) if key not in self._kept]
        if new:
            made = self._embedder.embed_documents([texts[at] for at in new])
            self._kept |= {keys[at]: vector for at, vector in zip(new, made, strict=True)}
            self.save()
        return np.stack([self._kept[key] for key in keys])

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,)."""
        key = _key("query", text)
        if key not in self._kept:
            self._kept[key] = self._embedder.embed_query(text)
        return self._kept[key]

    def save(self) -> None:
        """Write what is kept."""
        if self._kept:
            vectors = np.stack(list(self._kept.values()))
            np.savez(self._file, keys=np.array(list(self._kept)), vectors=vectors)


def _key(role: str, text: str) -> str:
    return hashlib.sha256(f"{role}: {text}".encode()).hexdigest()


class WholeChunker:
    """A text is one chunk, without its heading; implements `protocols.Chunker`."""

    name = "whole/1"

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the one chunk."""
        body = [block for block in document.blocks if block.kind is not BlockKind.HEADING]
        blocks = body or list(document.blocks)
        span = Span(blocks[0].span.start, blocks[-1].span.end)
        name = chunk_id(document.id, (), span.of(document.text), occurrence=0)
        return [Chunk(name, document.id, span, (), "")]


# ---------------------------------------------------------------- measuring


def measure(judged: Judged, cutting: str, embedder: KeptEmbedder, *, weight: float) -> list[Row]:
    chunkers: dict[str, Chunker] = {
        "whole": WholeChunker(),
        "structure": StructureChunker(BUDGET_TOKENS, embedder.token_ends),
    }
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        texts.mkdir()
        for name, (title, text) in judged.texts.items():
            (texts / f"{name}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
        with Store.open_or_create(Path(folder) / "corpus.db") as store:
            ingest(store, [texts], tools_of(store, embedder, chunkers[cutting]))
            return [row_of(judged, cutting, store, embedder, way, weight=weight) for way in WAYS]


def row_of(
    judged: Judged,
    cutting: str,
    store: Store,
    embedder: KeptEmbedder,
    way: tuple[Mode, Fusion],
    *,
    weight: float,
) -> Row:
    mode, fusion = way
    fixed = weight if way == (Mode.HYBRID, Fusion.STANDARD_SCORES) else None
    rule = FusionRule(fusion, fixed)  # the default's weight is its own
    gained = recall = 0.0
    for name, question in judged.questions.items():
        request = SearchRequest(question, RETRIEVED, mode, (), rule)
        with store.moment() as moment:
            hits = retrieve(moment, request, embedder=embedder).hits
        texts = list(dict.fromkeys(Path(hit.source).stem for hit in hits))[:DEPTH]
        gained += ndcg_at(texts, judged.grades[name], depth=DEPTH)
        right = {text for text, grade in judged.grades[name].items() if grade > 0}
        recall += len(right & set(texts)) / len(right)
    embedder.save()
    asked = len(judged.questions)
    with store.moment() as moment:
        chunks = moment.count_chunks()
    return Row(
        set=judged.set,
        split=judged.split,
        cutting=cutting,
        mode=mode.value,
        fusion=fusion.value if mode is Mode.HYBRID else None,
        weight=fixed,
        texts=len(judged.texts),
        questions=asked,
        chunks=chunks,
        ndcg_at_10=round(gained / asked, 4),
        recall_at_10=round(recall / asked, 4),
    )


def _place(row: Mapping[str, object]) -> tuple[object, ...]:
    """Return what a new run of the same takes the place of."""
    return row["set"], row["split"], row["cutting"]


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--sets", nargs="+", default=list(SPLITS), metavar="SET[:SPLIT]")
    parser.add_argument("--cutting", nargs="+", default=["whole", "structure"])
    parser.add_argument("--weight", type=float, default=VECTORS_WEIGHT)
    parser.add_argument("--questions", type=int)
    parser.add_argument("--texts", type=int)
    options = parser.parse_args()
    encoder = open_embedder(options_of(options.cache))
    embedder = KeptEmbedder(encoder, options.cache)
    rows = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
    for wanted in options.sets:
        name, _, split = wanted.partition(":")
        judged = read_set(
            options.data / name,
            split or SPLITS[name],
            questions=options.questions,
            texts=options.texts,
        )
        for cutting in options.cutting:
            made = [
                asdict(row) for row in measure(judged, cutting, embedder, weight=options.weight)
            ]
            rows = [row for row in rows if _place(row) != _place(made[0])] + made
            RESULTS.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
            sys.stdout.write("".join(f"{row}\n" for row in made))


if __name__ == "__main__":
    main()
