"""How long does a search take as a corpus grows, and how long in other engines beside it?

    uv run --group bench python -m benchmarks.scale [--chunks 1000 10000 100000] [--million]
                                                    [--questions N] [--rounds N] [--growth]
                                                    [--folder FOLDER] [--kept FOLDER]

Synthetic chunks, vectors and questions (`synthetic.py`) go through cytat's store, indexes and
retriever and into each other engine that is installed (`rivals.py`). All are asked the same
questions in one run, ten at a time in turn, so that a busy machine slows all alike; compare
ratios. There are several rounds, each as cold as the first, and the least time of a question
counts: what else the machine did is not in it. The load is written down. The question's vector is
there before the clock starts. cytat's times hold the texts, titles and places of the hits; those
of the others hold chunk numbers. Writes `results/scale.json`, replacing the rows of the sizes that
were run.

`--kept` names a folder with cytat's files of an earlier run, as SIZE/cytat/cytat.db; what is not
there is built there. Without any other system, such a file is all that is read. `--growth` asks
those of 100,000 and of a million chunks in turn.

One million takes some 10 GB of memory and disk. Chroma is left out of it, since building its graph
takes hours, and bm25s, which would hold a hundred million words in lists.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.arguments import parser_of
from benchmarks.exact import Exact, overlap
from benchmarks.own import Cytat, save_questions
from benchmarks.rivals import Opened, Product, System, bytes_of, open_rivals
from benchmarks.synthetic import Asked, questions, slabs

RESULTS = Path(__file__).parent / "results" / "scale.json"
SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
GROWTH = (100_000, MILLION)
GROWN = ("words", "vectors", "hybrid", "hybrid, filtered")
QUESTIONS = 120
BLOCK = 10
"""Questions one system is asked before the next."""
WARM = 3
PROBED = 30
"""Questions asked in a fresh process."""
ROUNDS = 3
NOT_FOR_A_MILLION = ("Chroma", "bm25s")
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
    build_s: float | None
    """None where the file of an earlier run was asked."""
    disk_mb: float


@dataclass(frozen=True)
class Entered:
    """One kind of question to one system, with the least that each question took so far."""

    system: str
    kind: str
    ask: Callable[[Asked], Sequence[int]]
    seconds: list[float]
    processor: list[float]
    found: list[Sequence[int]]

    def time(self, at: int, question: Asked) -> None:
        """Ask a question, the one at place `at`, and keep its time if it is the least."""
        begin, used = time.perf_counter(), time.process_time()
        found = self.ask(question)
        seconds, processor = time.perf_counter() - begin, time.process_time() - used
        if at == len(self.seconds):
            self.seconds.append(seconds)
            self.processor.append(processor)
            self.found.append(found)
        self.seconds[at] = min(self.seconds[at], seconds)
        self.processor[at] = min(self.processor[at], processor)


def measure(
    place: Path,
    chunks: int,
    *,
    count: int,
    without: Sequence[str],
    rounds: int = 1,
    kept: Path | None = None,
) -> dict[str, object]:
    """Return all figures of one size."""
    others, absent = open_rivals(place, chunks, without=without)
    own = (kept or place) / str(chunks) / "cytat"
    own.mkdir(parents=True, exist_ok=True)
    cytat = Cytat(own / "cytat.db")
    systems: list[Opened] = [(cytat, own), *others]
    product = others[0][0]
    assert isinstance(product, Product)
    exact = Exact(product.matrix)
    if cytat.is_kept and len(others) == 1:  # the product alone: what was written is in the file
        cytat.fill(product.matrix)
        cytat.finish()
        builds = [Build("cytat", chunks, None, round(bytes_of(own) / 1e6, 1))]
    else:
        builds = build(systems, exact, chunks)
    asked = questions(chunks, min(count, chunks))
    cytat.know(asked)
    load = [os.getloadavg()[0]]
    entered = in_rounds([system for system, _ in systems], asked, rounds)
    load.append(os.getloadavg()[0])
    rows = judged(entered, asked, exact, chunks)
    cytat.close()
    return {
        "latency": [asdict(row) for row in rows],
        "build": [asdict(row) for row in builds],
        "cytat": [{"chunks": chunks, **probe_in_child(own / "cytat.db", asked)}],
        "absent": [{"chunks": chunks, "systems": absent}],
        "conditions": [{"chunks": chunks, "rounds": rounds, "load": load}],
    }


def growth(kept: Path, *, count: int, rounds: int) -> dict[str, object]:
    """Return how many times longer a question takes of a million chunks than of 100,000."""
    sizes = {size: Cytat(kept / str(size) / "cytat" / "cytat.db") for size in GROWTH}
    asked = questions(GROWTH[0], count)
    for cytat in sizes.values():
        cytat.finish()
        cytat.know(asked)
    load = [os.getloadavg()[0]]
    for size, cytat in sizes.items():
        cytat.name = str(size)
    entered = in_rounds(list(sizes.values()), asked, rounds, kinds=GROWN)
    load.append(os.getloadavg()[0])
    medians = {(one.system, one.kind): statistics.median(one.seconds) for one in entered}
    small, large = map(str, GROWTH)
    return {
        "sizes": list(GROWTH),
        "rounds": rounds,
        "load": load,
        "times": {kind: round(medians[large, kind] / medians[small, kind], 2) for kind in GROWN},
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
            None if getattr(system, "is_kept", False) else round(seconds[system.name], 2),
            round(bytes_of(folder) / 1e6, 1) if folder else 0.0,
        )
        for system, folder in systems
        if not isinstance(system, Product)
    ]


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def in_rounds(
    systems: Sequence[System],
    asked: Sequence[Asked],
    rounds: int,
    *,
    kinds: Collection[str] | None = None,
) -> Sequence[Entered]:
    """Ask every system everything, or some kinds of it, in every round; return the least times."""
    entered: Sequence[Entered] = ()
    for _ in range(rounds):
        fresh = [
            Entered(system.name, kind, ask, [], [], [])
            for system in systems
            for kind, ask in system.ways().items()
            if kinds is None or kind in kinds
        ]
        before = {(one.system, one.kind): one for one in entered}
        entered = [_continued(one, before.get((one.system, one.kind))) for one in fresh]
        ask_all(entered, asked)
    return entered


def _continued(fresh: Entered, before: Entered | None) -> Entered:
    """Return what begins a round: nothing in its caches, the times of the rounds before."""
    return fresh if before is None else replace(before, ask=fresh.ask)


def ask_all(entered: Sequence[Entered], asked: Sequence[Asked]) -> None:
    """Ask every system everything, a block of questions at a time in turn."""
    for one in entered:
        for question in asked[:WARM]:
            one.ask(question)
    for start in range(0, len(asked), BLOCK):
        for one in entered:
            for at, question in enumerate(asked[start : start + BLOCK], start):
                one.time(at, question)


def judged(
    entered: Sequence[Entered], asked: Sequence[Asked], exact: Exact, chunks: int
) -> list[Latency]:
    """Return one row for each system and kind."""
    by_words = [exact.by_words(one) for one in asked] if exact.has_words else None
    right: Mapping[str, Sequence[Sequence[int]] | None] = {
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
    result.update({"growth": old["growth"]} if "growth" in old else {})
    for part in ("latency", "build", "cytat", "absent", "conditions"):
        made = new[part]
        assert isinstance(made, list)
        sizes = {row["chunks"] for row in made}
        kept = [row for row in old.get(part, []) if row["chunks"] not in sizes]
        result[part] = sorted([*kept, *made], key=lambda row: int(str(row["chunks"])))
    return result


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--chunks", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--folder", type=Path, help="where there is room; the system's by default")
    parser.add_argument("--without", nargs="*", default=[], metavar="SYSTEM")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kept", type=Path, help="files of cytat from an earlier run")
    parser.add_argument("--growth", action="store_true", help="ask both of them in turn")
    given = parser.parse_args()
    for chunks in [*given.chunks, *[MILLION] * given.million]:
        left_out = NOT_FOR_A_MILLION if chunks >= MILLION else ()
        with tempfile.TemporaryDirectory(dir=given.folder) as place:
            made = measure(
                Path(place),
                chunks,
                count=given.questions,
                without=(*given.without, *left_out),
                rounds=given.rounds,
                kept=given.kept,
            )
        _write(given.out, merged(_read(given.out), made))
    if given.growth:
        grown = growth(given.kept, count=given.questions, rounds=given.rounds)
        _write(given.out, {**_read(given.out), "growth": grown})


def _read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def _write(file: Path, figures: Mapping[str, object]) -> None:
    file.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
