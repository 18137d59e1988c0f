"""The figures in `results/` -> the tables of `docs/explanation/measurements.md`.

    python -m benchmarks.page

A table stands between `<!-- figures: NAME -->` and `<!-- end -->`, and is written again from the
JSON; a test compares, so that the page cannot say what was not measured.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from benchmarks.compare import ROOT, floors, results_here
from benchmarks.figures import ARMS, SETS, Results, ndcg

PAGE = ROOT / "docs" / "explanation" / "measurements.md"
BLOCK = re.compile(r"(<!-- figures: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
NOT_MEASURED = "–"

Rows = Sequence[Sequence[str]]
Latency = Mapping[str, float | None]


def written(page: str, results: Results) -> str:
    """Return a page with every block as the results have it."""

    def fill(found: re.Match[str]) -> str:
        return f"{found[1]}{BLOCKS[found[2]](results)}{found[4]}"

    return BLOCK.sub(fill, page)


def table(head: Sequence[str], rows: Rows) -> str:
    """Return a Markdown table; the first column is text, the rest are numbers."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


# ---------------------------------------------------------------- blocks


def floors_block(results: Results) -> str:
    """Return every floor and how the figures stand to it."""
    return table(
        ["figure", "limit", "now", ""], [_reordered(line.cells) for line in floors(results)]
    )


def _reordered(cells: Sequence[str]) -> list[str]:
    name, now, limit, word = cells
    return [name, limit, now, word.lower()]


def quality_block(results: Results) -> str:
    """Return nDCG@10 of every set and way to rank."""
    rows = [[name, *(_number(ndcg(name, arm)(results), ".3f") for arm in ARMS)] for name in SETS]
    return table(["set", *ARMS], rows)


def pages_block(results: Results) -> str:
    """Return recall of evidence pages."""
    rows = [
        [
            row["fusion"] or row["mode"],
            *(_number(row[f"recall_at_{depth}"], ".2f") for depth in (1, 5, 10)),
            _number(row["ndcg_at_10"], ".3f"),
        ]
        for row in results("report_pages") or []
    ]
    return table(["ranked by", "recall@1", "recall@5", "recall@10", "nDCG@10"], rows)


def cutting_block(results: Results) -> str:
    """Return the answers that each cutter destroys."""
    rows = [
        [row["cutting"], *(f"{row[key]:,}" for key in ("chunks", "answers", "destroyed"))]
        for row in results("destroyed_answers") or []
        if row["set"] == "all"
    ]
    return table(["cutting", "chunks", "answers", "destroyed"], rows)


def latency_block(results: Results) -> str:
    """Return the medians of all systems, kinds and sizes, and the agreement at the largest."""
    latency = (results("scale") or {"latency": []})["latency"]
    sizes = sorted({row["chunks"] for row in latency})
    by_place = {(row["kind"], row["system"], row["chunks"]): row for row in latency}
    places = sorted({(kind, system) for kind, system, _ in by_place}, key=_kinds_in_order)
    rows = [
        [
            kind,
            system,
            *(_median(by_place.get((kind, system, size))) for size in sizes),
            _agreement([by_place.get((kind, system, size)) for size in sizes]),
        ]
        for kind, system in places
    ]
    return table(["question", "system", *(f"{size:,}" for size in sizes), "exact ten"], rows)


def _kinds_in_order(place: tuple[str, str]) -> tuple[int, bool, str]:
    kinds = [
        "words",
        "words, ranked alone",
        "vectors",
        "vectors, filtered",
        "hybrid",
        "hybrid, filtered",
    ]
    kind, system = place
    return kinds.index(kind) if kind in kinds else len(kinds), system != "cytat", system


def _median(row: Latency | None) -> str:
    return NOT_MEASURED if row is None else _number(row["median_ms"], ".2f")


def _agreement(rows: Sequence[Latency | None]) -> str:
    """Return the least share of the exact ten over all sizes."""
    shares = [row["overlap_at_10"] for row in rows if row is not None]
    known = [share for share in shares if share is not None]
    return _number(min(known), ".3f") if known else NOT_MEASURED


def builds_block(results: Results) -> str:
    """Return what building took at the largest size all were built at."""
    builds = (results("scale") or {"build": []})["build"]
    size = 100_000 if any(row["chunks"] == 100_000 for row in builds) else None
    rows = [
        [row["system"], _number(row["build_s"], ".0f"), _number(row["disk_mb"], ".0f")]
        for row in builds
        if row["chunks"] == size
    ]
    return table(["100,000 chunks", "seconds", "MB on disk"], rows)


FRESH = {
    "opening_ms": "opening the file, ms",
    "first_words_ms": "first question by words, ms",
    "first_hybrid_ms": "first question by both, ms",
    "hybrid_ms": "questions after it, median, ms",
    "hybrid_after_write_ms": "first question after a document was added, ms",
    "imported_mb": "memory before opening, MB",
    "after_words_mb": "memory after a question by words, MB",
    "settled_mb": "memory after thirty by both, MB",
    "peak_after_write_mb": "most memory in between, MB",
}


def fresh_block(results: Results) -> str:
    """Return what a fresh process sees, by size."""
    probes = (results("scale") or {"cytat": []})["cytat"]
    rows = [
        [words, *(_number(probe[key], ",.0f" if probe[key] >= 10 else ".1f") for probe in probes)]
        for key, words in FRESH.items()
    ]
    return table(["a fresh process", *(f"{probe['chunks']:,}" for probe in probes)], rows)


def starting_block(results: Results) -> str:
    """Return the seconds of whole processes."""
    rows = [
        [f"`{command}`", _number(row["median_s"], ".2f"), _number(row["times_numpy"], ".1f")]
        for command, row in (results("cold_start") or {}).items()
    ]
    return table(["process", "seconds", "÷ `import numpy`"], rows)


def _number(value: float | None, form: str) -> str:
    return NOT_MEASURED if value is None else format(value, form)


AGREED = {"scifact": "SciFact", "cranfield": "Cranfield"}
LINEAR = "trec_eval, gain = grade"


def agreement_block(results: Results) -> str:
    """Return each measure by three evaluators, with the largest difference of any question."""
    by_place: dict[tuple[str, str], dict[str, Mapping[str, float]]] = {}
    for row in results("evaluator_agreement") or []:
        by_place.setdefault((row["set"], row["measure"]), {})[row["evaluator"]] = row
    rows = [
        [
            f"{AGREED[name]}, {measure}",
            _number(by["trec_eval"]["cytat"], ".4f"),
            _number(by["trec_eval"]["other"], ".4f"),
            _number(by.get("gdeval.pl", by.get("ir_measures", {})).get("other"), ".4f"),
            _number(
                max(one["largest_difference"] for key, one in by.items() if key != LINEAR), ".5f"
            ),
            _number(by.get(LINEAR, {}).get("other"), ".4f"),
        ]
        for (name, measure), by in by_place.items()
    ]
    head = ["set, measure", "cytat", "trec_eval", "ir_measures, gdeval", "largest difference"]
    return table([*head, "trec_eval, gain = grade"], rows)


BLOCKS: Mapping[str, Callable[[Results], str]] = {
    "floors": floors_block,
    "quality": quality_block,
    "pages": pages_block,
    "agreement": agreement_block,
    "cutting": cutting_block,
    "latency": latency_block,
    "builds": builds_block,
    "fresh": fresh_block,
    "starting": starting_block,
}


def main() -> None:
    PAGE.write_text(written(PAGE.read_text("utf-8"), results_here()), "utf-8")


if __name__ == "__main__":
    main()
