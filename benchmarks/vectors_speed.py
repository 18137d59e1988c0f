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

from cytat.backends.sqlite import SqliteStore as Store
from cytat.protocols import Moment, Scored, Vectors
from cytat.records import Condition, Trace, TraceId, TraceStage
from cytat.retrieval import Arm, fuse_standard_scores
from cytat.retrieval.copies import collapse_copies
from cytat.testing.retrievers import GivenScores

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
        gc.collect()
        before, begin = resident_mb(), time.perf_counter()
        with store.moment() as moment:
            moment.count_vectors()
        load_s = time.perf_counter() - begin
        memory_mb = resident_mb() - before
        return {
            "chunks": chunks,
            "load_s": round(load_s, 3),
            "memory_mb": round(memory_mb),
            "memory_mb_per_million": round(memory_mb * 1e6 / chunks),
            **_stages(store, asked),
            "filters": _filters(store, asked, chunks),
            "refresh_after_one_document_s": _refresh(store, chunks),
        }


def _stages(store: Store, asked: Sequence[Vectors]) -> dict[str, object]:
    with store.moment() as moment:
        matrix = np.stack([vector for _, vector in moment.all_vectors()])
        product = median_ms(partial(np.dot, matrix), asked)
        del matrix
        rank = partial(moment.by_vector, depth=DEPTH, allowed=None)
        vectors = rank(asked[0])
        words = _as_if_by_words(moment, vectors)
        found = list(dict.fromkeys(hit.chunk_id for hit in (*words.hits, *vectors.hits)))
        hashes = moment.words_hashes(found)
        arms = [Arm(words, 0.3, absent=0.0), Arm(vectors, 0.7, absent=vectors.spread().mean)]
        fused = fuse_standard_scores(arms, chunk_ids=found)
        stages = {
            "rank": median_ms(rank, asked),
            "keys": median_ms(lambda _: moment.words_hashes(found), asked),
            "fuse": median_ms(lambda _: fuse_standard_scores(arms, chunk_ids=found), asked),
            "copies and hits": median_ms(
                lambda _: collapse_copies(fused, hashes, moment.passages, depth=10), asked
            ),
        }
    stages["trace"] = median_ms(lambda _: store.record_trace(_trace()), asked)
    whole = round(sum(stages.values()), 3)
    ratio = round(whole / product, 2)
    return {"product_ms": product, "stages_ms": stages, "whole_ms": whole, "to_product": ratio}


def _as_if_by_words(moment: Moment, vectors: Scored) -> GivenScores:
    """Return as many other chunks, scored: the words' share of what is fused."""
    near = {hit.chunk_id for hit in vectors.hits}
    others = [chunk_id for chunk_id, _ in moment.all_vectors() if chunk_id not in near]
    scores = {chunk_id: 1 / (1 + at) for at, chunk_id in enumerate(others[::DEPTH][:DEPTH])}
    given = np.array(list(scores.values()) + [0.0] * (vectors.searched - len(scores)))
    return GivenScores(scores, vectors.searched, float(given.mean()), float(given.std()))


def _trace() -> Trace:
    seen = {"chunks": [f"c{number:020}" for number in range(10)]}
    stages = tuple(TraceStage(name, {"depth": DEPTH}, seen, 1.0) for name in "abcde")
    return Trace(TraceId("t1"), "search", "a question", datetime.now(UTC).isoformat(), stages)


def _filters(store: Store, asked: Sequence[Vectors], chunks: int) -> Sequence[Mapping[str, float]]:
    """Measure filters that keep about these shares: documents know the group they are in."""
    found = []
    with store.moment() as moment:
        groups = sorted({document.metadata["group"] for document in moment.documents()})
        for share in SHARES:
            kept = tuple(groups[: max(1, round(share * len(groups)))])
            allowed = moment.allowed([Condition("group", "=", kept)])
            rank = partial(moment.by_vector, depth=10, allowed=allowed)
            hits = len(rank(asked[0]).hits)
            is_kept = round(allowed.chunks / chunks, 4)
            found.append({"kept": is_kept, "hits_of_10": hits, "rank_ms": median_ms(rank, asked)})
    return found


def _refresh(store: Store, chunks: int) -> float:
    texts = [f"fresh words {number}" for number in range(20)]
    with store.writing() as writing:
        write_document(writing, chunks, texts, np.eye(DIMENSIONS, dtype=np.float32)[: len(texts)])
    with store.moment() as moment:
        begin = time.perf_counter()
        moment.count_vectors()
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
