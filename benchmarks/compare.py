"""Did a change cost quality or speed? The figures of two states, and of the floors.

    python -m benchmarks.compare [REVISION]      what changed by more than its noise since it
    python -m benchmarks.compare --floors        every floor, and how the figures stand to it

REVISION is the last commit by default. The first ends with 1 when a quality fell or a cost rose by
more than its tolerance, or a figure is gone; the second when a floor is not met, or not measured.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.arguments import parser_of
from benchmarks.figures import FIGURES, Better, Figure, Results

ROOT = Path(__file__).parents[1]
FOLDER = "benchmarks/results"


def results_here(root: Path = ROOT) -> Results:
    """Return the results that lie in the work tree."""

    def read(name: str) -> str | None:
        file = root / FOLDER / f"{name}.json"
        return file.read_text("utf-8") if file.exists() else None

    return _parsed(read)


def results_at(revision: str, root: Path = ROOT) -> Results:
    """Return the results that a commit holds."""
    _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")

    def read(name: str) -> str | None:
        path = f"{FOLDER}/{name}.json"
        if not _git(root, "ls-tree", "--name-only", "--full-tree", revision, path).strip():
            return None
        return _git(root, "show", f"{revision}:{path}")

    return _parsed(read)


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _parsed(read: Callable[[str], str | None]) -> Results:
    kept: dict[str, Any] = {}

    def parse(name: str) -> Any:  # noqa: ANN401 - parsed JSON
        if name not in kept:
            text = read(name)
            kept[name] = None if text is None else json.loads(text)
        return kept[name]

    return parse


@dataclass(frozen=True, slots=True)
class Line:
    """One figure in the table."""

    cells: tuple[str, ...]
    is_bad: bool


# ---------------------------------------------------------------- two states


def changes(before: Results, after: Results) -> Iterator[Line]:
    """Yield what changed by more than its noise, what is new, and what is gone."""
    for figure in FIGURES:
        old, new = figure.read(before), figure.read(after)
        if old is None and new is None:
            continue
        if old is None or new is None:
            word = "new" if old is None else "gone"
            yield Line((figure.name, _shown(old), _shown(new), word), is_bad=new is None)
        elif abs(loss := figure.loss(old, new)) > 1:
            word = "worse" if loss > 0 else "better"
            yield Line((figure.name, _shown(old), _shown(new), word), is_bad=loss > 0)


# ---------------------------------------------------------------- floors


def floors(results: Results) -> Iterator[Line]:
    """Yield every figure that has a floor."""
    for figure in FIGURES:
        if figure.floor is None:
            continue
        value = figure.read(results)
        yield Line(
            (figure.name, _shown(value), _limit(figure), _standing(figure, value)),
            is_bad=value is None or not figure.is_met(value),
        )


def _limit(figure: Figure) -> str:
    sign = "≥" if figure.better is Better.HIGHER else "≤"
    return f"{sign} {_shown(figure.floor)}"


def _standing(figure: Figure, value: float | None) -> str:
    if value is None:
        return "not measured"
    return "met" if figure.is_met(value) else "NOT MET"


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value == int(value) else f"{value:.3f}"


# ---------------------------------------------------------------- printing


def table(head: Sequence[str], lines: Sequence[Line]) -> str:
    """Return lines set in columns."""
    rows = [tuple(head), *(line.cells for line in lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Print one of the two tables; return the exit code."""
    parser = parser_of(__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--floors", action="store_true")
    given = parser.parse_args(arguments)
    if given.floors:
        head, lines = ("floor", "now", "limit", ""), list(floors(results_here(root)))
    else:
        before = results_at(given.revision, root)
        head = ("figure", given.revision, "now", "")
        lines = list(changes(before, results_here(root)))
    print(table(head, lines) if lines else "nothing changed by more than its noise\n", end="")
    return int(any(line.is_bad for line in lines))


if __name__ == "__main__":
    sys.exit(main())
