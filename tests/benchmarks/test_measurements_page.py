"""The page on measurements and its pictures say what the results say."""

import re
from typing import Any

import pytest
from benchmarks.compare import ROOT, results_here
from benchmarks.page import BLOCK, BLOCKS, PAGE, latency_block, written
from benchmarks.plots import ALL, PLOTS, Plot, digest_of


def test_every_table_is_that_of_the_results() -> None:
    page = PAGE.read_text("utf-8")
    assert written(page, results_here()) == page, "run python -m benchmarks.page"


def test_every_block_stands_on_the_page() -> None:
    found = [name for _, name, _, _ in BLOCK.findall(PAGE.read_text("utf-8"))]
    assert sorted(found) == sorted(BLOCKS)


@pytest.mark.parametrize("plot", ALL, ids=lambda plot: plot.name)
def test_every_picture_was_drawn_from_the_results(plot: Plot) -> None:
    picture = (PLOTS / f"{plot.name}.svg").read_text("utf-8")
    assert digest_of(plot, results_here()) in picture, "run python -m benchmarks.plots"
    assert "<dc:date>" not in picture
    pages = (page.read_text("utf-8") for page in PAGE.parent.glob("*.md"))
    assert any(f"plots/{plot.name}.svg" in page for page in pages)


def test_every_script_that_the_page_names_exists() -> None:
    page = PAGE.read_text("utf-8")
    modules = re.findall(r"benchmarks\.(\w+)", page)
    files = re.findall(r"benchmarks/(\w+)\.py", page)
    assert modules
    assert files
    for name in {*modules, *files}:
        assert (ROOT / "benchmarks" / f"{name}.py").exists(), name


def test_a_size_that_a_system_was_not_asked_at_has_a_dash() -> None:
    def row(system: str, chunks: int, overlap: float) -> dict[str, Any]:
        place = {"system": system, "chunks": chunks, "kind": "vectors"}
        return {**place, "median_ms": 1.5, "overlap_at_10": overlap}

    rows = [row("cytat", 10, 1.0), row("cytat", 20, 0.95), row("Chroma", 10, 0.9)]
    lines = latency_block(lambda _: {"latency": rows}).splitlines()
    assert lines[0] == "| question | system | 10 | 20 | exact ten |"
    assert lines[2] == "| vectors | cytat | 1.50 | 1.50 | 0.950 |"
    assert lines[3] == "| vectors | Chroma | 1.50 | – | 0.900 |"
