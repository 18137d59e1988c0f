"""How long does a person wait? Whole processes: import, search, ask; beside importing numpy.

    python -m benchmarks.cold_start

Over a corpus of the example documents. Each round runs every command once in turn, so that a busy
machine slows all alike; medians, and ratios to `import numpy` of the same round. Writes
`results/cold_start.json`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent / "examples" / "documents"
QUESTION = "Jaka jest stawka VAT na książki?"


def seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def measure(corpus_file: Path, *, rounds: int) -> dict[str, object]:
    """Return the median of each command and its ratio to importing numpy."""
    cytat = [sys.executable, "-m", "cytat", "--corpus", str(corpus_file)]
    subprocess.run([*cytat, "add", str(DOCUMENTS)], check=True, capture_output=True)
    commands = {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "from cytat import Corpus": [sys.executable, "-c", "from cytat import Corpus"],
        "cytat search --mode words": [*cytat, "search", QUESTION, "--mode", "words"],
        "cytat search": [*cytat, "search", QUESTION],
        "cytat ask": [*cytat, "ask", QUESTION],
        "cytat add (nothing changed)": [*cytat, "add", str(DOCUMENTS)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    base = times["import numpy"]
    return {
        name: {
            "median_s": round(statistics.median(values), 3),
            "times_numpy": round(
                statistics.median(a / b for a, b in zip(values, base, strict=True)), 2
            ),
        }
        for name, values in times.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "cold_start.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder) / "cytat.db", rounds=given.rounds)
    given.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
