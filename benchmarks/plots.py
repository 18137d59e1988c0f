"""The figures in `results/` -> plots in `docs/plots`.

    uv run --group bench python -m benchmarks.plots

The same figures give the same bytes: no date, no chance. Each picture carries the digest of what it
was drawn from, so that a test can tell without drawing that it is behind. Colours are of middle
lightness, for light pages and dark ones.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.arguments import parser_of
from benchmarks.compare import ROOT, results_here
from benchmarks.figures import FLOORS, SETS, Results, ndcg

from benchmarks import refusal_plot

PLOTS = ROOT / "docs" / "plots"
INK = "#7a808a"
FAINT = "#7a808a40"
ACCENT = "#d9480f"
OTHERS = {
    "matrix product": "#868e96",
    "sqlite-vec": "#1c7ed6",
    "SQLite FTS5": "#1c7ed6",
    "tantivy": "#37a05b",
    "bm25s": "#9c5fd6",
    "LanceDB": "#b8860b",
    "Chroma": "#0c9aa8",
}
SIZE_NAMES = {1_000: "1k", 10_000: "10k", 100_000: "100k", 1_000_000: "1M"}
PANELS = {"words": "by words", "vectors": "by vectors", "hybrid": "by both"}
MEMORY_STYLES = {"file": ("#1c7ed6", "-"), "memory": (ACCENT, "-"), "vectors alone": (INK, ":")}
VECTOR_BYTES = 4 * 384
LEAST_GAP = 0.055
"""Between two labels at the ends of lines, as a share of the height."""
ARM_STYLES = {
    "words": ("#1c7ed6", "s"),
    "vectors": ("#37a05b", "D"),
    "reciprocal ranks": ("#868e96", "o"),
    "hybrid": (ACCENT, "o"),
}

Axes: TypeAlias = Any
Canvas: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: what it is drawn from, and how."""

    name: str
    data: Callable[[Results], Any]
    draw: Callable[[Any], Canvas]


# ---------------------------------------------------------------- what is drawn


def latency_data(results: Results) -> dict[str, dict[str, list[list[float]]]]:
    """Return, for each kind and system, the medians by size."""
    lines: dict[str, dict[str, list[list[float]]]] = {kind: {} for kind in PANELS}
    for row in (results("scale") or {"latency": []})["latency"]:
        if row["kind"] in lines:
            line = lines[row["kind"]].setdefault(row["system"], [])
            line.append([row["chunks"], row["median_ms"]])
    return lines


def memory_data(results: Results) -> dict[str, list[list[float]]]:
    """Return MB by size: a process after thirty questions, the file, and the vectors alone."""
    scale = results("scale") or {"cytat": [], "build": []}
    files = [[row["chunks"], row["disk_mb"]] for row in scale["build"] if row["system"] == "cytat"]
    held = [[row["chunks"], row["settled_mb"]] for row in scale["cytat"]]
    return {
        "file": files,
        "memory": held,
        "vectors alone": [[chunks, chunks * VECTOR_BYTES / 1e6] for chunks, _ in held],
    }


def quality_data(results: Results) -> dict[str, dict[str, float | None]]:
    """Return, for each set, nDCG@10 of each way to rank and the floor of the default one."""
    return {
        name: {arm: ndcg(name, arm)(results) for arm in ARM_STYLES}
        | {"floor": FLOORS.get(f"{name}, hybrid")}
        for name in SETS
    }


def starting_data(results: Results) -> dict[str, float]:
    """Return the seconds of each command."""
    found: Mapping[str, Mapping[str, float]] = results("cold_start") or {}
    return {command: row["median_s"] for command, row in found.items()}


# ---------------------------------------------------------------- drawing


def draw_latency(data: Mapping[str, Mapping[str, Sequence[Sequence[float]]]]) -> Canvas:
    """Draw time against size, one panel a kind, a line a system, its name at its end."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - of the group `bench`

    canvas, panels = plt.subplots(1, 3, figsize=(10.5, 4.2), sharey=True)
    for axes, (kind, title) in zip(panels, PANELS.items(), strict=True):
        for system, points in data[kind].items():
            is_own = system == "cytat"
            axes.loglog(
                *zip(*points, strict=True),
                color=ACCENT if is_own else OTHERS[system],
                linewidth=2.4 if is_own else 1.3,
                linestyle=":" if system == "matrix product" else "-",
                marker="o",
                markersize=4 if is_own else 2.5,
                zorder=3 if is_own else 2,
            )
        axes.set_title(title, loc="left", fontsize=11, color=INK)
        axes.set_xlabel("chunks")
        axes.xaxis.set_major_formatter(lambda value, _: SIZE_NAMES.get(round(value), ""))
        _plain(axes)
        axes.grid(axis="y", which="major", color=FAINT, linewidth=0.6)
        axes.margins(x=0.05)
    panels[0].set_ylabel("median of a question, ms")
    panels[0].yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    canvas.subplots_adjust(wspace=0.62)
    for axes, kind in zip(panels, PANELS, strict=True):
        _name_lines(axes, data[kind])
    return canvas


def draw_memory(data: Mapping[str, Sequence[Sequence[float]]]) -> Canvas:
    """Draw MB against size, a line each for the process, the file and the vectors."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - of the group `bench`

    canvas, axes = plt.subplots(figsize=(6, 3.6))
    for name, (color, style) in MEMORY_STYLES.items():
        points = data[name]
        axes.loglog(*zip(*points, strict=True), color=color, linestyle=style, marker="o")
        axes.annotate(
            name,
            points[-1],
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            color=color,
            annotation_clip=False,
        )
    axes.set_xlabel("chunks")
    axes.set_ylabel("MB")
    axes.xaxis.set_major_formatter(lambda value, _: SIZE_NAMES.get(round(value), ""))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _plain(axes)
    axes.grid(axis="y", which="major", color=FAINT, linewidth=0.6)
    canvas.tight_layout()
    return canvas


def _name_lines(axes: Axes, lines: Mapping[str, Sequence[Sequence[float]]]) -> None:
    """Write each name right of its line's end; names that would touch move apart.

    A line that ends before the others has its name below.
    """
    right = max((points[-1][0] for points in lines.values()), default=1)
    heights = {
        system: float(axes.transAxes.inverted().transform(axes.transData.transform(points[-1]))[1])
        for system, points in lines.items()
    }
    low = -1.0
    for system, height in sorted(heights.items(), key=lambda end: end[1]):
        stop = lines[system][-1][0]
        if stop < right:
            _name(axes, system, (stop, height), offset=(0, -11), align="center")
            continue
        low = max(height, low + LEAST_GAP)
        _name(axes, system, (right, low), offset=(7, 0), align="left")


def _name(
    axes: Axes, system: str, at: tuple[float, float], *, offset: tuple[int, int], align: str
) -> None:
    is_own = system == "cytat"
    axes.annotate(
        system,
        at,
        xycoords=("data", "axes fraction"),
        xytext=offset,
        textcoords="offset points",
        va="center",
        ha=align,
        color=ACCENT if is_own else OTHERS[system],
        fontweight="bold" if is_own else "normal",
        annotation_clip=False,
    )


def draw_quality(data: Mapping[str, Mapping[str, float | None]]) -> Canvas:
    """Draw one row a set, one mark a way to rank, and the floor."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - of the group `bench`

    shown = [name for name in data if data[name]["hybrid"] is not None]
    canvas, axes = plt.subplots(figsize=(8, 0.62 * len(shown) + 1.3))
    for at, name in enumerate(reversed(shown)):
        row = data[name]
        known = [float(row[arm]) for arm in ARM_STYLES if row[arm] is not None]  # type: ignore[arg-type]
        axes.plot([min(known), max(known)], [at, at], color=FAINT, linewidth=5, zorder=1)
        if row["floor"] is not None:
            axes.plot([row["floor"]] * 2, [at - 0.32, at + 0.32], color=INK, linewidth=1.6)
        for arm, (color, marker) in ARM_STYLES.items():
            size = 9 if arm == "hybrid" else 6
            axes.plot(row[arm], at, marker, color=color, markersize=size, zorder=3)
        axes.annotate(
            f"{row['hybrid']:.3f}",
            (max(known), at),
            xytext=(10, 0),
            textcoords="offset points",
            va="center",
            color=ACCENT,
            fontweight="bold",
        )
    axes.set_yticks(range(len(shown)), reversed(shown))
    axes.set_xlabel("nDCG@10")
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.margins(x=0.08)
    _plain(axes)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    _legend_above(axes)
    canvas.tight_layout()
    return canvas


def _legend_above(axes: Axes) -> None:
    for arm, (color, marker) in ARM_STYLES.items():
        axes.plot([], [], marker, color=color, label=f"{arm} (default)" if arm == "hybrid" else arm)
    axes.plot([], [], "|", color=INK, markersize=11, markeredgewidth=1.6, label="floor")
    legend = axes.legend(
        loc="lower left", bbox_to_anchor=(-0.02, 1), ncols=5, frameon=False, handletextpad=0.1
    )
    for text in legend.get_texts():
        text.set_color(INK)


def draw_starting(data: Mapping[str, float]) -> Canvas:
    """Draw one bar a command, its seconds at its end."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - of the group `bench`

    canvas, axes = plt.subplots(figsize=(8, 0.42 * len(data) + 0.5))
    names = list(data)[::-1]
    for at, name in enumerate(names):
        color = INK if name == "import numpy" else ACCENT
        axes.barh(at, data[name], height=0.55, color=color)
        axes.annotate(
            f"{data[name]:.2f} s",
            (data[name], at),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(range(len(names)), names)
    _plain(axes)
    axes.xaxis.set_visible(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.12)
    canvas.tight_layout()
    return canvas


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="minor", length=0)


ALL = (
    Plot("latency", latency_data, draw_latency),
    Plot("memory", memory_data, draw_memory),
    Plot("quality", quality_data, draw_quality),
    Plot("starting", starting_data, draw_starting),
    Plot("refusal", refusal_plot.data, refusal_plot.draw),
)

STYLE = {
    "svg.hashsalt": "cytat",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "savefig.transparent": True,
}


def digest_of(plot: Plot, results: Results) -> str:
    """Return the hash of what a picture shows."""
    data = json.dumps(plot.data(results), sort_keys=True)
    return hashlib.sha256(data.encode()).hexdigest()[:16]


def save(plot: Plot, results: Results, folder: Path) -> None:
    """Draw one plot into a file of its name."""
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context(STYLE):
        canvas = plot.draw(plot.data(results))
        metadata = {"Date": None, "Creator": None, "Identifier": digest_of(plot, results)}
        canvas.savefig(folder / f"{plot.name}.svg", metadata=metadata, bbox_inches="tight")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--folder", type=Path, default=PLOTS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for plot in ALL:
        save(plot, results_here(), given.folder)


if __name__ == "__main__":
    main()
