"""Both errors of each rule at every threshold -> a picture of the two curves, kind by kind."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from benchmarks.figures import Results
from benchmarks.refusal_section import refusal_data

COLOURS = {"bare cosine": "#1c7ed6", "gate": "#d9480f"}
INK, FAINT = "#7a808a", "#7a808a40"
KINDS = ("off-topic", "near misses")

Canvas: TypeAlias = Any
Lines: TypeAlias = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]


def data(results: Results) -> Lines:
    """Return what is drawn."""
    return refusal_data(results("needles_refusal"))


def draw(lines: Lines) -> Canvas:
    """Draw bluffs against lost answers: a panel for each kind, a line for each rule."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - of the group `bench`

    canvas, panels = plt.subplots(1, 2, figsize=(8.5, 3.8), sharey=True)
    for axes, kind in zip(panels, KINDS, strict=True):
        for name, color in COLOURS.items():
            lost, bluffs = zip(*lines[name][kind], strict=True)
            axes.step(lost, bluffs, where="post", color=color, linewidth=1.8, label=name)
        (shipped,) = lines["as shipped"][kind]
        axes.plot(*shipped, "o", color=COLOURS["gate"], markersize=7, label="gate as shipped")
        axes.set_title(kind, loc="left", fontsize=11, color=INK)
        axes.set_xlabel("answerable questions lost")
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color=FAINT, linewidth=0.6)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.03, 1.03)
    panels[0].set_ylabel("questions answered\nthat should be refused")
    legend = panels[1].legend(loc="upper right", frameon=False)
    for text in legend.get_texts():
        text.set_color(INK)
    canvas.tight_layout()
    return canvas
