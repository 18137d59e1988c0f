"""The corpus of needles under many setups, by `cytat eval sweep` -> run files and prices.

    python -m benchmarks.needles_runs [--work FOLDER]

Adds `needles/documents` to a corpus, sweeps over cuttings, encoders and ways to rank, keeps each
run in `runs/` as a small file, and writes `results/needles_sweep.json`: what each setup costs, and
the margins of the encoders; what stands there of other setups stays. With `--work` what was
embedded is kept for the next time.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.arguments import parser_of
from benchmarks.kept_runs import Found, KeptRun, Price, write_run

HERE = Path(__file__).parent
NEEDLES = HERE / "needles"
RESULTS = HERE / "results" / "needles_sweep.json"
DEPTH = 50
AXES = {
    "chunking": (
        "pathless",
        "fixed:128",
        "fixed:128+32",
        "fixed:40",
        "structure:128",
        "pathless:128",
    ),
    "embedder": ("minilm",),
    "mode": ("words", "vectors"),
    "fusion": ("standard-scores", "reciprocal-ranks"),
}
"""What is tried, one at a time. 128 tokens are about 512 characters of English, 40 about 150."""
COST = ("chunks", "tokens", "heading_tokens", "heading_share", "past_window")
"""Of a price; seconds say little elsewhere and are left out."""

Json = Mapping[str, Any]


def cytat(*arguments: str, corpus: Path) -> str:
    """Run the program, and return what it prints."""
    command = [sys.executable, "-m", "cytat", "--corpus", str(corpus), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def sweep(work: Path, options: Sequence[tuple[str, str]]) -> tuple[Json, dict[str, Json]]:
    """Return the overview of a sweep, and the run of each variant by its name."""
    corpus, out, gold = work / "needles.db", work / "runs", work / "answerable.jsonl"
    cytat("add", str(NEEDLES / "documents"), corpus=corpus)
    lines = (NEEDLES / "gold.jsonl").read_text("utf-8").splitlines(keepends=True)
    gold.write_text("".join(one for one in lines if json.loads(one).get("needles")), "utf-8")
    made = cytat(
        "eval", "sweep", str(gold), "--depth", str(DEPTH), "--json",
        "--keep", str(work / "derived"), "--out", str(out),
        *(word for option in options for word in option), corpus=corpus,
    )  # fmt: skip
    files = (path for path in out.glob("*.json") if path.stem != "sweep")
    runs = {path.stem: json.loads(path.read_text("utf-8")) for path in files}
    return json.loads(made), runs


def kept(variant: Json, run: Json) -> KeptRun:
    """Return what is kept of a run."""
    setup, price = variant["setup"], variant["price"]
    return KeptRun(
        corpus="needles",
        chunking=_with_budget(setup["chunking"]),
        embedder=setup["embedder"],
        mode=setup["mode"],
        fusion=setup["fusion"] if setup["mode"] == "hybrid" else "none",
        depth=DEPTH,
        texts=len(list((NEEDLES / "documents").iterdir())),
        price=Price(price["chunks"], price["tokens"], price["heading_tokens"]),
        found=dict(_found(run)),
    )


def _with_budget(chunking: str) -> str:
    """Return a cutting with the default budget said, as `public_runs.py` names it."""
    return f"{chunking}:320" if chunking in {"structure", "pathless", "boundaries"} else chunking


def _found(run: Json) -> Iterator[tuple[str, Found]]:
    for question in run["questions"]:
        for target in question["targets"]:
            rank, is_destroyed = target["rank"], target["is_destroyed"]
            yield question["id"], Found(question["group"], rank, is_destroyed, None)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--work", type=Path)
    for axis, names in AXES.items():
        parser.add_argument(f"--{axis}", nargs="*", default=names)
    given = parser.parse_args()
    options = [(f"--{axis}", name) for axis in AXES for name in getattr(given, axis)]
    with tempfile.TemporaryDirectory() as folder:
        work = given.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        overview, runs = sweep(work, options)
    by_setup = {_fingerprint(run["fingerprint"]): run for run in runs.values()}
    for variant in overview["variants"]:
        print(write_run(kept(variant, by_setup[_fingerprint(variant["fingerprint"])])).stem)
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    made = {name: known.get(name, {}) | rows for name, rows in summary(overview).items()}
    RESULTS.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "utf-8")


def summary(overview: Json) -> dict[str, dict[str, object]]:
    """Return prices and diagnoses by variant, margins by encoder."""
    variants = overview["variants"]
    return {
        "prices": {one["name"]: {key: one["price"][key] for key in COST} for one in variants},
        "margins": {one["embedder"]: one for one in overview["margins"]},
        "diagnoses": {one["name"]: one["diagnosis"] for one in variants},
    }


def _fingerprint(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


if __name__ == "__main__":
    main()
