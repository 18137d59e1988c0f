"""Which form of the default encoder? The same weights in four forms: quality, speed, load, memory.

    python -m benchmarks.encoder_variants DATA [--documents N] [--speed-only]

DATA (or $CYTAT_BENCH_DATA) holds `poquad_pl` and `scifact` in the BEIR layout. Quality is nDCG@10
of vectors alone: each text a passage, cut at the window, exact cosine. `--documents` keeps the
judged texts of the first questions and fills up with others, for a quick look. Each form runs in a
process of its own; the clock is the processor's as well as the wall's, since machines are shared.
Writes `results/encoder_variants.json`.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.json_rows import json_rows
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic

from cytat.backends.e5.embedder import GRAPH_FILE, TABLE_FILE, E5Embedder, build_files
from cytat.backends.e5.tokens import UnigramTokenizer
from cytat.backends.e5.weights import Precision, WeightsFile, find_weights
from cytat.backends.session import open_session
from cytat.config import default_cache

SETS = {"poquad_pl": "dev", "scifact": "test"}
DYNAMIC = "dynamic-int8"
"""Weights and activations in 8 bits, one scale for the activations of a whole batch."""
VARIANTS = (*map(str, Precision), DYNAMIC)
PASSAGE_TOKENS, QUESTION_TOKENS = 85, 14
ROUNDS = 5
DEPTH = 10


@dataclass(frozen=True)
class Judged:
    """A set of questions with graded texts."""

    texts: Mapping[str, str]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]


SENTENCES = [
    "Jaka jest stawka VAT na książki?",
    "Faktura powinna zawierać numer kolejny, datę wystawienia i dane nabywcy.",
    "The doctoral committee meets on the first Monday of each month.",
    "Art. 43 ust. 1 pkt 2",
    "Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden.",
    "PHD-07",
]


def read_set(folder: Path, split: str, *, documents: int) -> Judged:
    lines = (folder / "qrels" / f"{split}.tsv").read_text("utf-8").splitlines()[1:]
    grades: dict[str, dict[str, int]] = {}
    for line in lines:
        question, text, grade = line.split("\t")
        grades.setdefault(question, {})[text] = int(grade)
    if documents:
        judged: set[str] = set()
        kept = {}
        for question, graded in grades.items():
            if len(judged | graded.keys()) > documents // 2:
                break
            judged |= graded.keys()
            kept[question] = graded
        grades = kept
    texts = {row["_id"]: row for row in json_rows(folder / "corpus.jsonl")}
    if documents:
        wanted = {text for graded in grades.values() for text in graded}
        others = [text for text in texts if text not in wanted]
        step = max(1, len(others) // max(1, documents - len(wanted)))
        wanted |= set(others[::step])
        texts = {text: row for text, row in texts.items() if text in wanted}
    asked = {row["_id"]: row["text"] for row in json_rows(folder / "queries.jsonl")}
    return Judged(
        {name: f"{row['title']}\n{row['text']}" for name, row in texts.items()},
        {question: asked[question] for question in grades},
        grades,
    )


def ndcg(embedder: E5Embedder, judged: Judged) -> float:
    """Return the mean nDCG@10, gain 2^grade - 1."""
    names = list(judged.texts)
    vectors = embedder.embed_documents(list(judged.texts.values()))
    values = []
    for question, graded in judged.grades.items():
        scores = vectors @ embedder.embed_query(judged.questions[question])
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        gained = _discounted([graded.get(names[at], 0) for at in best])
        values.append(gained / _discounted(sorted(graded.values(), reverse=True)[:DEPTH]))
    return statistics.fmean(values)


def _discounted(grades: list[int]) -> float:
    return math.fsum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades))


def build(variant: str, folder: Path) -> float:
    """Make the files of a form; return the seconds it took."""
    started = time.perf_counter()
    precision = Precision.FLOAT if variant == DYNAMIC else Precision(variant)
    for name, content in build_files(find_weights(default_cache()), precision).items():
        (folder / name).write_bytes(content)
    if variant == DYNAMIC:
        float_graph = (folder / GRAPH_FILE).rename(folder / "float.onnx")
        quantize_dynamic(
            float_graph,
            folder / GRAPH_FILE,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    return time.perf_counter() - started


def load(folder: Path) -> E5Embedder:
    weights = WeightsFile(find_weights(default_cache()))
    table = memoryview((folder / TABLE_FILE).read_bytes()).cast("Q")
    tokenizer = UnigramTokenizer(weights.vocabulary(), table)
    return E5Embedder(weights, tokenizer, open_session(folder / GRAPH_FILE))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def seconds_each(work: Callable[[], object]) -> dict[str, float]:
    wall, processor = [], []
    for _ in range(ROUNDS):
        started, used = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    return {"wall_min": min(wall), "processor_median": statistics.median(processor)}


def batching_error(embedder: E5Embedder) -> float:
    """Return how far a text's vector moves when it is batched with others."""
    text = "Faktura powinna zawierać numer i datę wystawienia."
    crowd = [f"{word} powinna zawierać numer i datę oraz {word}." for word in ("Oferta", "Umowa")]
    alone = embedder.embed_documents([text])[0]
    return float(np.abs(embedder.embed_documents([*crowd, text])[-1] - alone).max())


def measure_one(
    variant: str, data: Path, sets: Mapping[str, str], documents: int
) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        build_s = build(variant, folder)
        loads = [_seconds(lambda: load(folder)) for _ in range(3)]
        embedder = load(folder)
        passage = "słowo " * (PASSAGE_TOKENS - 6)
        question = "słowo " * (QUESTION_TOKENS - 5)
        memory_mb = _resident_mb(folder)
        return {
            "variant": variant,
            "build_s": build_s,
            "graph_mb": (folder / GRAPH_FILE).stat().st_size / 1e6,
            "load_s": min(loads),
            "peak_memory_mb": memory_mb,
            "batching_error": batching_error(embedder),
            "eight_passages": seconds_each(lambda: embedder.embed_documents([passage] * 8)),
            "question": seconds_each(lambda: embedder.embed_query(question)),
            "vectors": embedder.embed_documents(SENTENCES).tolist(),
            "ndcg_10": {
                name: ndcg(embedder, read_set(data / name, split, documents=documents))
                for name, split in sets.items()
            },
        }


def _resident_mb(folder: Path) -> float:
    """Return the peak memory of a process that loads the form and embeds eight passages."""
    done = subprocess.run(
        [sys.executable, __file__, "--memory-of", str(folder)], capture_output=True, check=True
    )
    return float(done.stdout)


def peak_memory(folder: Path) -> float:
    load(folder).embed_documents(["słowo " * PASSAGE_TOKENS] * 8)
    # Not getrusage: its maximum is handed down from the process that started this one.
    status = Path("/proc/self/status").read_text("ascii")
    (peak,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak) / 1e3


def least_cosine(one: list[list[float]], other: list[list[float]]) -> float:
    return float((np.array(one) * np.array(other)).sum(axis=1).min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default=os.environ.get("CYTAT_BENCH_DATA"))
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--speed-only", action="store_true", help="leave the quality out")
    parser.add_argument("--variant", choices=VARIANTS, help="measure this one and print it")
    parser.add_argument("--memory-of", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.memory_of:
        print(peak_memory(given.memory_of))
        return
    sets = {} if given.speed_only else SETS
    if given.variant:
        print(
            json.dumps(measure_one(given.variant, Path(given.data or "."), sets, given.documents))
        )
        return
    rows = []
    for variant in VARIANTS:
        command = [sys.executable, __file__, given.data or ".", "--variant", variant]
        command += ["--documents", str(given.documents)]
        command += ["--speed-only"] * given.speed_only
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        rows.append(json.loads(done.stdout))
        print({key: value for key, value in rows[-1].items() if key != "vectors"}, flush=True)
    vectors = [row.pop("vectors") for row in rows]
    for row, found in zip(rows, vectors, strict=True):
        row["least_cosine_to_float"] = least_cosine(found, vectors[VARIANTS.index(Precision.FLOAT)])
    report = {"cores": len(os.sched_getaffinity(0)), "documents": given.documents, "variants": rows}
    path = Path(__file__).parent / "results" / "encoder_variants.json"
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
