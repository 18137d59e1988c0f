"""How long does a search take as a corpus grows, and how long in other engines beside it?

    uv run --group bench python -m benchmarks.scale [--chunks 1000 10000 100000] [--million]
                                                    [--questions N] [--folder FOLDER]

Synthetic chunks, vectors and questions (`synthetic.py`) go through cytat's store, indexes and
retriever and into each other engine that is installed (`rivals.py`). All are asked the same
questions in one run, ten at a time in turn, so that a busy machine slows all alike; compare
ratios. The question's vector is there before the clock starts. cytat's times hold the texts,
titles and places of the hits; those of the others hold chunk numbers. Writes `results/scale.json`,
replacing the rows of the sizes that were run.

One million takes some 10 GB of memory and disk; Chroma is left out of it, since building its graph
takes hours.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.exact import Exact, overlap
from benchmarks.own import Cytat, save_questions
from benchmarks.rivals import Opened, Product, bytes_of, open_rivals
from benchmarks.synthetic import Asked, questions, slabs

RESULTS = Path(__file__).parent / "results" / "scale.json"
SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
QUESTIONS = 120
BLOCK = 10
"""Questions one system is asked before the next."""
WARM = 3
PROBED = 30
"""Questions asked in a fresh process."""
TOO_SLOW_FOR_A_MILLION = ("Chroma",)
MEASURE, MEASURE_OF_WORDS = ("matrix product", "vectors"), ("tantivy", "words")


@dataclass(frozen=True)
class Latency:
    """One system, size and kind of question."""

    system: str
    chunks: int
    kind: str
    questions: int
    median_ms: float
    p95_ms: float
    processor_ms: float
    """Median of what all threads of the process used meanwhile."""
    overlap_at_10: float | None
    """Mean share of the exact ten that were found; None where no exact ten is defined."""
    fewest_hits: int
    times_product: float | None
    """Median over that of one matrix-vector product of the same run."""
    times_tantivy: float | None
    """Median over that of tantivy of the same run; for words."""


@dataclass(frozen=True)
class Build:
    """What it took to get all chunks into one system."""

    system: str
    chunks: int
    build_s: float
    disk_mb: float


@dataclass(frozen=True)
class Entered:
    """One kind of question to one system, with what it took so far."""

    system: str
    kind: str
    ask: Callable[[Asked], Sequence[int]]
    seconds: list[float]
    processor: list[float]
    found: list[Sequence[int]]


def measure(place: Path, chunks: int, *, count: int, without: Sequence[str]) -> dict[str, object]:
    """Return all figures of one size."""
    others, absent = open_rivals(place, chunks, without=without)
    own = place / "cytat"
    own.mkdir()
    cytat = Cytat(own / "cytat.db")
    systems: list[Opened] = [(cytat, own), *others]
    product = others[0][0]
    assert isinstance(product, Product)
    exact = Exact(product.matrix)
    builds = build(systems, exact, chunks)
    asked = questions(chunks, min(count, chunks))
    cytat.know(asked)
    entered = [
        Entered(system.name, kind, ask, [], [], [])
        for system, _ in systems
        for kind, ask in system.ways().items()
    ]
    ask_all(entered, asked)
    rows = judged(entered, asked, exact, chunks)
    cytat.close()
    return {
        "latency": [asdict(row) for row in rows],
        "build": [asdict(row) for row in builds],
        "cytat": [{"chunks": chunks, **probe_in_child(own / "cytat.db", asked)}],
        "absent": [{"chunks": chunks, "systems": absent}],
    }


def build(systems: Sequence[Opened], exact: Exact, chunks: int) -> list[Build]:
    """Feed everything to every system, slab by slab; return what each took."""
    seconds = dict.fromkeys((system.name for system, _ in systems), 0.0)
    for slab in slabs(chunks):
        texts = slab.texts()
        exact.add(slab)
        for system, _ in systems:
            seconds[system.name] += _seconds(partial(system.add, slab, texts))
        print(f"{slab.first + len(texts)} of {chunks} chunks", file=sys.stderr)
    exact.finish()
    for system, _ in systems:
        seconds[system.name] += _seconds(system.finish)
    return [
        Build(
            system.name,
            chunks,
            round(seconds[system.name], 2),
            round(bytes_of(folder) / 1e6, 1) if folder else 0.0,
        )
        for system, folder in systems
        if not isinstance(system, Product)
    ]


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def ask_all(entered: Sequence[Entered], asked: Sequence[Asked]) -> None:
    """Ask every system everything, a block of questions at a time in turn."""
    for one in entered:
        for question in asked[:WARM]:
            one.ask(question)
    for at in range(0, len(asked), BLOCK):
        for one in entered:
            for question in asked[at : at + BLOCK]:
                begin, used = time.perf_counter(), time.process_time()
                found = one.ask(question)
                one.seconds.append(time.perf_counter() - begin)
                one.processor.append(time.process_time() - used)
                one.found.append(found)


def judged(
    entered: Sequence[Entered], asked: Sequence[Asked], exact: Exact, chunks: int
) -> list[Latency]:
    """Return one row for each system and kind."""
    by_words = [exact.by_words(one) for one in asked]
    right: Mapping[str, Sequence[Sequence[int]]] = {
        "words": by_words,
        "words, ranked alone": by_words,
        "vectors": [exact.nearest(one) for one in asked],
        "vectors, filtered": [exact.nearest_in_group(one) for one in asked],
    }
    medians = {(one.system, one.kind): statistics.median(one.seconds) for one in entered}
    product, tantivy = medians[MEASURE], medians.get(MEASURE_OF_WORDS)
    return [
        Latency(
            one.system,
            chunks,
            one.kind,
            len(asked),
            round(1000 * statistics.median(one.seconds), 3),
            round(1000 * float(np.quantile(one.seconds, 0.95)), 3),
            round(1000 * statistics.median(one.processor), 3),
            _agreement(one, right.get(one.kind)),
            min(map(len, one.found)),
            round(medians[one.system, one.kind] / product, 2),
            round(medians[one.system, one.kind] / tantivy, 2)
            if tantivy and one.kind.startswith("words")
            else None,
        )
        for one in entered
    ]


def _agreement(one: Entered, right: Sequence[Sequence[int]] | None) -> float | None:
    if right is None or one.system == MEASURE[0]:
        return None
    shares = [overlap(found, best) for found, best in zip(one.found, right, strict=True)]
    return round(statistics.fmean(shares), 4)


def probe_in_child(file: Path, asked: Sequence[Asked]) -> dict[str, float]:
    """Return what a fresh process sees of the corpus file."""
    saved = file.with_name("questions.npz")
    save_questions(saved, asked[:PROBED])
    command = [sys.executable, "-m", "benchmarks.own", str(file), str(saved)]
    done = subprocess.run(command, check=True, capture_output=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def merged(
    old: Mapping[str, list[dict[str, object]]], new: Mapping[str, object]
) -> dict[str, object]:
    """Return the figures with those of the new sizes in place of the old."""
    result: dict[str, object] = {"cores": os.cpu_count()}
    for part in ("latency", "build", "cytat", "absent"):
        made = new[part]
        assert isinstance(made, list)
        sizes = {row["chunks"] for row in made}
        kept = [row for row in old.get(part, []) if row["chunks"] not in sizes]
        result[part] = sorted([*kept, *made], key=lambda row: int(str(row["chunks"])))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--folder", type=Path, help="where there is room; the system's by default")
    parser.add_argument("--without", nargs="*", default=[], metavar="SYSTEM")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    for chunks in [*given.chunks, *[MILLION] * given.million]:
        slow = TOO_SLOW_FOR_A_MILLION if chunks >= MILLION else ()
        with tempfile.TemporaryDirectory(dir=given.folder) as place:
            made = measure(
                Path(place), chunks, count=given.questions, without=(*given.without, *slow)
            )
        old = json.loads(given.out.read_text("utf-8")) if given.out.exists() else {}
        given.out.write_text(json.dumps(merged(old, made), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
