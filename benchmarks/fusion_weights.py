"""How were the constants of the fusion chosen, and does it hold in a larger corpus?

    python -m benchmarks.fusion_weights DATA [--questions N] [--cache FOLDER]

Each arm ranks by itself, once; then every law and every constant fuses the same scores. Three
questions are asked:

- `constants`: other shares and peaks, on SciFact's training claims and on PoQuAD's questions, with
  the default encoder and with an English one on Polish.
- `grown`: the same scores as if the corpus held thirty times as many chunks, none of which holds
  a word of the question; only what a law takes from the number of chunks changes.
- `small`: the even share of small corpora, on the answerable example questions.

DATA is that of `retrieval_quality.py`, and so is the cache. Writes `results/fusion_weights.json`.
"""

import json
import math
import statistics
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias
from unittest import mock

from benchmarks.arguments import options_of, parser_of_sets
from benchmarks.reading import tools_of
from benchmarks.retrieval_quality import BUDGET_TOKENS, Judged, KeptEmbedder, read_set

from cytat.analysis import analyse_question
from cytat.backends import minilm
from cytat.backends.e5 import embedder as e5
from cytat.backends.sqlite import SqliteStore as Store
from cytat.chunking import StructureChunker
from cytat.ingestion import ingest
from cytat.metrics import ndcg_at, reciprocal_rank
from cytat.protocols import Scored, ScoredChunk, Spread
from cytat.records import ChunkId
from cytat.retrieval import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    fusion,
)
from cytat.retrieval.fusion import VECTORS_WEIGHT
from cytat.retrieval.retrieve import ARM_DEPTH

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "fusion_weights.json"
GROWN = 30
DEPTH = 10
CONSTANTS: Sequence[Mapping[str, float]] = (
    {},  # as they are
    {"VECTORS_SHARE": 0.5},
    {"VECTORS_SHARE": 0.6},
    {"VECTORS_SHARE": 0.7},
    {"FLAT_PEAK": 0.5, "CLEAR_PEAK": 0.9},
    {"FLAT_PEAK": 0.5, "CLEAR_PEAK": 1.25},
    {"FLAT_PEAK": -9.0, "CLEAR_PEAK": -8.0},  # the weight does not adapt
)
EVEN_SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75)


@dataclass(frozen=True)
class KeptScores:
    """What one arm said, kept when its moment has ended; implements `Scored`."""

    hits: tuple[ScoredChunk, ...]
    scores: Mapping[ChunkId, float]
    """Of the hits of both arms."""
    searched: int
    mean: float
    deviation: float

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks."""
        return {one: self.scores[one] for one in chunk_ids if one in self.scores}

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched."""
        return Spread(self.mean, self.deviation)


def kept(scored: Scored, chunk_ids: Collection[ChunkId]) -> KeptScores:
    """Return an arm's scores of some chunks."""
    scores, spread = scored.scores_of(chunk_ids), scored.spread()
    return KeptScores(tuple(scored.hits), scores, scored.searched, spread.mean, spread.deviation)


@dataclass(frozen=True)
class Ranked:
    """What both arms said of one question. `names`: what a chunk is judged as."""

    words: KeptScores
    vectors: KeptScores
    names: Mapping[ChunkId, str]
    grades: Mapping[str, int]

    def chunks(self) -> list[ChunkId]:
        """Return the chunks that either arm has among its best."""
        return list(self.names)


Fused: TypeAlias = list[tuple[ChunkId, float]]
Law = Callable[[Ranked], Fused]


def by_shares(one: Ranked) -> Fused:
    return fuse_best_shares(one.words, one.vectors, chunk_ids=one.chunks())


def by_standard_scores(one: Ranked) -> Fused:
    arms = (
        Arm(one.words, 1 - VECTORS_WEIGHT, absent=0.0),
        Arm(one.vectors, VECTORS_WEIGHT, absent=one.vectors.mean),
    )
    return fuse_standard_scores(arms, chunk_ids=one.chunks())


def by_ranks(one: Ranked) -> Fused:
    rankings = [[hit.chunk_id for hit in arm.hits] for arm in (one.words, one.vectors)]
    return fuse_reciprocal_ranks(rankings)


LAWS: Mapping[str, Law] = {
    "words": lambda one: [(hit.chunk_id, hit.score) for hit in one.words.hits],
    "vectors": lambda one: [(hit.chunk_id, hit.score) for hit in one.vectors.hits],
    "reciprocal-ranks": by_ranks,
    "standard-scores": by_standard_scores,
    "best-shares": by_shares,
}


# ---------------------------------------------------------------- both arms, once


def ranked(
    store: Store,
    embedder: KeptEmbedder,
    questions: Sequence[tuple[str, Callable[[ChunkId], str], Mapping[str, int]]],
) -> Iterator[Ranked]:
    """Yield both arms of each question: its text, what a chunk is judged as, and grades."""
    with store.moment() as moment:
        languages = moment.languages()
        for text, name_of, grades in questions:
            query = analyse_question(text, languages=languages)
            words = moment.by_words(query, depth=ARM_DEPTH, allowed=None).scored
            vectors = moment.by_vector(embedder.embed_query(text), depth=ARM_DEPTH, allowed=None)
            found = dict.fromkeys(hit.chunk_id for hit in (*words.hits, *vectors.hits))
            names = {chunk_id: name_of(chunk_id) for chunk_id in found}
            yield Ranked(kept(words, found), kept(vectors, found), names, grades)
    embedder.save()


def of_set(judged: Judged, embedder: KeptEmbedder) -> list[Ranked]:
    """Return both arms of every question of a set."""
    with tempfile.TemporaryDirectory() as place:
        texts = Path(place) / "texts"
        texts.mkdir()
        for name, (title, text) in judged.texts.items():
            (texts / f"{name}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
        chunker = StructureChunker(BUDGET_TOKENS, embedder.token_ends)
        with Store.open_or_create(Path(place) / "corpus.db") as store:
            ingest(store, [texts], tools_of(store, embedder, chunker))
            with store.moment() as moment:
                names = {
                    chunk.chunk.id: Path(document.source).stem
                    for document in moment.documents()
                    for chunk in moment.chunks(document.id)
                }
            asked = [
                (text, names.__getitem__, judged.grades[one])
                for one, text in judged.questions.items()
            ]
            return list(ranked(store, embedder, asked))


def of_examples(embedder: KeptEmbedder) -> list[Ranked]:
    """Return both arms of the answerable example questions; a chunk with a needle is right."""
    lines = (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    with tempfile.TemporaryDirectory() as place:
        chunker = StructureChunker(BUDGET_TOKENS, embedder.token_ends)
        with Store.open_or_create(Path(place) / "corpus.db") as store:
            documents = ROOT / "examples" / "documents"
            ingest(store, [documents], tools_of(store, embedder, chunker))
            with store.moment() as moment:
                words = {
                    chunk.chunk.id: chunk.chunk.span.of(moment.text(document.id))
                    for document in moment.documents()
                    for chunk in moment.chunks(document.id)
                }
            asked = [
                (case["question"], str, right)
                for case in cases
                if case.get("answerable", True) and (right := _chunks_with(case["needles"], words))
            ]
            return list(ranked(store, embedder, asked))


def _chunks_with(needles: Sequence[str], words: Mapping[ChunkId, str]) -> dict[str, int]:
    return {chunk_id: 1 for chunk_id, text in words.items() if any(one in text for one in needles)}


# ---------------------------------------------------------------- every law on the same scores


def names_of(one: Ranked, law: Law) -> list[str]:
    """Return what is judged, best first."""
    return list(dict.fromkeys(one.names[chunk_id] for chunk_id, _ in law(one)))


def ndcg(found: Sequence[Ranked], law: Law) -> float:
    scores = (ndcg_at(names_of(one, law), one.grades, depth=DEPTH) for one in found)
    return round(statistics.fmean(scores), 4)


def with_constants(found: Sequence[Ranked], constants: Mapping[str, float]) -> float:
    with ExitStack() as patched:
        for name, value in constants.items():
            patched.enter_context(mock.patch.object(fusion, name, value))
        return ndcg(found, by_shares)


def grown(one: Ranked) -> Ranked:
    """Return the question as a corpus has it with more chunks, none holding a word of it."""
    words = one.words
    square = (words.deviation**2 + words.mean**2) / GROWN
    mean = words.mean / GROWN
    thinner = replace(
        words, mean=mean, deviation=math.sqrt(square - mean**2), searched=words.searched * GROWN
    )
    more = replace(one.vectors, searched=one.vectors.searched * GROWN)
    return replace(one, words=thinner, vectors=more)


def even_share(found: Sequence[Ranked], share: float) -> dict[str, float]:
    with mock.patch.object(fusion, "EVEN_SHARE", share):
        ranks = [reciprocal_rank(names_of(one, by_shares), one.grades) for one in found]
    return {"even_share": share, "mrr": round(statistics.fmean(ranks), 4)}


def measured(label: str, found: Sequence[Ranked]) -> dict[str, object]:
    larger = [grown(one) for one in found]
    return {
        "set": label,
        "questions": len(found),
        "ndcg_at_10": {name: ndcg(found, law) for name, law in LAWS.items()},
        "grown_ndcg_at_10": {name: ndcg(larger, law) for name, law in LAWS.items()},
        "constants": [
            {**constants, "ndcg_at_10": with_constants(found, constants)} for constants in CONSTANTS
        ],
    }


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--questions", type=int, default=600, help="of each set, a sample")
    given = parser.parse_args()
    options = options_of(given.cache)
    default = KeptEmbedder(e5.open_embedder(options), given.cache)
    english = KeptEmbedder(minilm.open_embedder(options), given.cache)
    english.languages = None  # so that its vectors take part, whatever the language
    small = of_examples(default)
    result = {
        "grown": GROWN,
        "small": {
            "questions": len(small),
            "even_shares": [even_share(small, share) for share in EVEN_SHARES],
        },
        "sets": [
            measured(
                label,
                of_set(
                    read_set(given.data / name, split, questions=given.questions, texts=None),
                    embedder,
                ),
            )
            for label, name, split, embedder in (
                ("SciFact train", "scifact", "train", default),
                ("PoQuAD dev", "poquad_pl", "dev", default),
                ("PoQuAD dev, English encoder", "poquad_pl", "dev", english),
                ("Natural Questions", "nq_gold", "dev", default),
            )
        ],
    }
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
