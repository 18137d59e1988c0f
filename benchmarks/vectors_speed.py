"""What does a search by vectors spend where? Stages, filters, loading, memory, at some sizes.

    python -m benchmarks.vectors_speed [--sizes 1000 10000 100000] [--folder FOLDER]

Corpora and questions are synthetic (`synthetic.py`). Times are medians in milliseconds, beside one
float32 product of the same vectors with the same questions in the same run. Each size runs in a
process of its own, so that its memory is its own. Writes `results/vectors_speed.json`, replacing
the rows of the sizes that were run.
"""

import argparse
import gc
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.synthetic import DIMENSIONS, questions, slabs, write_document, write_slab

from cytat.analysis import AllowedRows, ScoredRows, scored_rows
from cytat.backends.sqlite.vector_index import VectorIndex
from cytat.protocols import Vectors
from cytat.records import Trace, TraceId, TraceStage, Why
from cytat.retrieval import Arm, fuse_standard_scores
from cytat.retrieval.copies import collapse_copies
from cytat.store import Candidate, Store

RESULTS = Path(__file__).parent / "results" / "vectors_speed.json"
QUESTIONS = 41
DEPTH = 200
SHARES = (0.002, 0.01, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Of the chunks, kept by a filter."""

Ask = Callable[[Vectors], object]


def median_ms(ask: Ask, asked: Sequence[Vectors]) -> float:
    """Return the median time of one question, after three that are not counted."""
    for question in asked[:3]:
        ask(question)
    times = []
    for question in asked:
        begin = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - begin) * 1000)
    return round(statistics.median(times), 3)


def resident_mb() -> float:
    """Return the memory this process holds now, in MB of 10^6 bytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def write_corpus(file: Path, chunks: int) -> None:
    """Write a corpus of this size."""
    with Store.open_or_create(file) as store:
        for slab in slabs(chunks):
            write_slab(store, slab, slab.texts())


def measure(chunks: int, file: Path, asked: Sequence[Vectors]) -> dict[str, object]:
    """Return the figures of one size."""
    with Store.open(file) as store:
        index = VectorIndex()
        gc.collect()
        before, begin = resident_mb(), time.perf_counter()
        with store.reading() as connection:
            index.count(connection)
        load_s = time.perf_counter() - begin
        memory_mb = resident_mb() - before
        return {
            "chunks": chunks,
            "load_s": round(load_s, 3),
            "memory_mb": round(memory_mb),
            "memory_mb_per_million": round(memory_mb * 1e6 / chunks),
            **_stages(store, index, asked),
            "filters": _filters(store, index, asked, chunks),
            "refresh_after_one_document_s": _refresh(store, index, chunks),
        }


def _stages(store: Store, index: VectorIndex, asked: Sequence[Vectors]) -> dict[str, object]:
    with store.reading() as connection:
        matrix = np.stack([vector for _, vector in store.all_vectors()])
        product = median_ms(partial(np.dot, matrix), asked)
        del matrix
        rank = partial(index.rank_by_cosine, connection, depth=DEPTH, allowed=None)
        vectors = rank(asked[0])
        words = _as_if_by_words(vectors)
        rows = list(dict.fromkeys(row for row, _ in (*words.hits, *vectors.hits)))
        keys = store.chunk_keys(rows)
        ids = {row: str(key.id) for row, key in keys.items()}
        arms = [Arm(words, 0.3, absent=0.0), Arm(vectors, 0.7, absent=vectors.mean)]
        fused = fuse_standard_scores(arms, rows=rows, ids=ids)
        candidates = [Candidate(row, score, Why(1, 1, 1, 1, None)) for row, score in fused[:10]]
        stages = {
            "rank": median_ms(rank, asked),
            "keys": median_ms(lambda _: store.chunk_keys(rows), asked),
            "fuse": median_ms(lambda _: fuse_standard_scores(arms, rows=rows, ids=ids), asked),
            "copies": median_ms(
                lambda _: collapse_copies(fused, keys, store.passages, depth=10), asked
            ),
            "hits": median_ms(lambda _: store.hits(candidates), asked),
        }
    stages["trace"] = median_ms(lambda _: store.record_trace(_trace()), asked)
    whole = round(sum(stages.values()), 3)
    ratio = round(whole / product, 2)
    return {"product_ms": product, "stages_ms": stages, "whole_ms": whole, "to_product": ratio}


def _as_if_by_words(vectors: ScoredRows) -> ScoredRows:
    """Return as many other rows, scored: the words' share of what is fused."""
    rows = np.setdiff1d(vectors.rows, [row for row, _ in vectors.hits])[:: max(1, DEPTH)][:DEPTH]
    scores = 1 / (1 + np.arange(len(rows)))
    hits = tuple(zip(rows.tolist(), scores.tolist(), strict=True))
    return scored_rows(hits, rows=rows, scores=scores, searched=vectors.searched)


def _trace() -> Trace:
    seen = {"chunks": [f"c{number:020}" for number in range(10)]}
    stages = tuple(TraceStage(name, {"depth": DEPTH}, seen, 1.0) for name in "abcde")
    return Trace(TraceId("t1"), "search", "a question", datetime.now(UTC).isoformat(), stages)


def _filters(
    store: Store, index: VectorIndex, asked: Sequence[Vectors], chunks: int
) -> Sequence[Mapping[str, float]]:
    chance, found = np.random.default_rng(1), []
    with store.reading() as connection:
        rows = index.rank_by_cosine(connection, asked[0], depth=1, allowed=None).rows
        for share in SHARES:
            kept = chance.choice(rows, size=max(1, int(chunks * share)), replace=False)
            allowed = AllowedRows(kept.tolist())
            rank = partial(index.rank_by_cosine, connection, depth=10, allowed=allowed)
            hits = len(rank(asked[0]).hits)
            found.append({"kept": share, "hits_of_10": hits, "rank_ms": median_ms(rank, asked)})
    return found


def _refresh(store: Store, index: VectorIndex, chunks: int) -> float:
    texts = [f"fresh words {number}" for number in range(20)]
    with store.writing() as writing:
        write_document(writing, chunks, texts, np.eye(DIMENSIONS, dtype=np.float32)[: len(texts)])
    with store.reading() as connection:
        begin = time.perf_counter()
        index.count(connection)
        return round(time.perf_counter() - begin, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--folder", type=Path, help="where corpora are kept; else they are not")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    spawned = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        known = json.loads(given.out.read_text("utf-8")) if given.out.exists() else []
        rows = {row["chunks"]: row for row in known}
        for chunks in given.sizes:
            file = folder / f"vectors-{chunks}.db"
            if not file.exists():
                write_corpus(file, chunks)
            asked = [one.vector for one in questions(chunks, QUESTIONS)]
            with spawned.Pool(1) as pool:
                rows[chunks] = pool.apply(measure, (chunks, file, asked))
            print(json.dumps(rows[chunks]))
    given.out.write_text(json.dumps([rows[size] for size in sorted(rows)], indent=1) + "\n")


if __name__ == "__main__":
    main()
