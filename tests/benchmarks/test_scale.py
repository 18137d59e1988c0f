"""Systems are asked alike and judged against the exact ten; sizes replace themselves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.exact import Exact
from benchmarks.report_pages import Found
from benchmarks.rivals import Fts5
from benchmarks.scale import Entered, judged, measure, merged
from benchmarks.synthetic import Slab, questions, slabs


@pytest.fixture(scope="module")
def slab() -> Slab:
    return next(slabs(400))


def entered(
    system: str, kind: str, seconds: Sequence[float], found: Sequence[Sequence[int]]
) -> Entered:
    return Entered(system, kind, lambda _: (), list(seconds), list(seconds), list(found))


def test_a_row_has_the_median_its_ratios_and_the_share_of_the_exact_ten(slab: Slab) -> None:
    exact = Exact(slab.vectors)
    exact.add(slab)
    exact.finish()
    asked = questions(400, 2)
    best = [exact.by_words(one) for one in asked]
    half = [best[0][:5], best[1]]
    rows = judged(
        [
            entered("cytat", "words", [0.006, 0.008], half),
            entered("matrix product", "vectors", [0.001, 0.003], [(), ()]),
            entered("tantivy", "words", [0.0005, 0.0015], best),
        ],
        asked,
        exact,
        400,
    )
    own, product, tantivy = rows
    assert (own.median_ms, own.times_product, own.times_tantivy) == (7.0, 3.5, 7.0)
    assert own.overlap_at_10 == pytest.approx((5 / len(best[0]) + 1) / 2, abs=1e-4)
    assert own.fewest_hits == 5
    assert (product.times_product, product.overlap_at_10) == (1.0, None)
    assert (tantivy.times_tantivy, tantivy.overlap_at_10) == (1.0, 1.0)


def test_a_size_that_is_run_again_replaces_itself_alone() -> None:
    def of(chunks: int, ms: float) -> dict[str, Any]:
        return {
            "latency": [{"chunks": chunks, "median_ms": ms}],
            "build": [{"chunks": chunks}],
            "cytat": [{"chunks": chunks}],
            "absent": [{"chunks": chunks}],
            "conditions": [{"chunks": chunks}],
        }

    both = merged(merged({}, of(100, 1.0)), of(10, 0.5))  # type: ignore[arg-type]
    again = merged(both, of(100, 2.0))  # type: ignore[arg-type]
    assert again["latency"] == [
        {"chunks": 10, "median_ms": 0.5},
        {"chunks": 100, "median_ms": 2.0},
    ]


def test_the_least_time_of_a_question_counts() -> None:
    one = entered("cytat", "words", [1e9], [(7,)])
    one.time(0, questions(400, 1)[0])
    assert one.seconds[0] < 1e9
    one.time(1, questions(400, 1)[0])
    assert len(one.seconds) == len(one.processor) == len(one.found) == 2


def test_fts5_finds_chunks_by_their_numbers(slab: Slab, tmp_path: Path) -> None:
    system = Fts5(tmp_path)
    system.add(slab, slab.texts())
    system.finish()
    for one in questions(400, 10):
        found = system.ways()["words"](one)
        assert found
        texts = [slab.texts()[number].split() for number in found]
        assert all(set(text) & set(one.terms) for text in texts)


@pytest.mark.slow
def test_a_small_size_is_measured_whole(tmp_path: Path) -> None:
    made = measure(tmp_path, 200, count=5, without=["LanceDB", "Chroma"], rounds=2)
    latency = made["latency"]
    assert isinstance(latency, list)
    own = {row["kind"]: row for row in latency if row["system"] == "cytat"}
    assert own["vectors"]["overlap_at_10"] == 1.0
    assert own["words"]["overlap_at_10"] == pytest.approx(1.0, abs=0.1)
    assert own["vectors, filtered"]["overlap_at_10"] == 1.0
    assert {row["system"] for row in latency} >= {"cytat", "matrix product", "SQLite FTS5"}


def test_pages_found_are_counted_to_a_depth() -> None:
    found = Found([("a", 3), ("b", 0), ("a", 4)], frozenset({("a", 4), ("b", 0)}))
    assert [found.recall(depth) for depth in (1, 2, 3)] == [0.0, 0.5, 1.0]
