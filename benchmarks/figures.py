"""What is measured, in one place: each name, where it is read, what it may not fall below.

A figure is read from the JSON files of one state of `results/`; it is None where its script has not
been run. `compare.py` sets the figures of two states side by side, `plots.py` and the page on
measurements show them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

Results: TypeAlias = Callable[[str], Any]
"""Name of a result, without its ending -> its JSON; None where there is none."""
Read: TypeAlias = Callable[[Results], float | None]


class Better(StrEnum):
    """Which way is good."""

    HIGHER = "higher"
    LOWER = "lower"


class Kind(StrEnum):
    """What a change means: a quality falls, a ratio or a cost rises."""

    QUALITY = "quality"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a change can make better or worse.

    `tolerance` is what another run of the same code may give: of a quality in its own unit, of a
    cost as a share of it. `floor` is the limit that is never passed; None where none is set.
    """

    name: str
    read: Read
    kind: Kind
    better: Better
    tolerance: float
    floor: float | None

    def is_met(self, value: float) -> bool:
        """Say whether a value is on the right side of the floor."""
        if self.floor is None:
            return True
        return value >= self.floor if self.better is Better.HIGHER else value <= self.floor

    def loss(self, before: float, after: float) -> float:
        """Return how much worse `after` is, in units of the tolerance; negative when better."""
        change = before - after if self.better is Better.HIGHER else after - before
        scale = self.tolerance if self.kind is Kind.QUALITY else self.tolerance * abs(before)
        return change / max(scale, 1e-9)


QUALITY_TOLERANCE = 0.002
"""Rankings are exact and repeat to the last digit; this is about three questions of 1,500."""
COST_TOLERANCE = 0.25
"""Ratios of one run on a shared machine differ by this much from run to run."""
SECONDS_TOLERANCE = 0.15

SETS = {
    "SciFact": ("retrieval_quality", "scifact", "test"),
    "Cranfield": ("retrieval_quality", "cranfield", "test"),
    "PoQuAD": ("retrieval_quality", "poquad_pl", "dev"),
    "PolEval": ("retrieval_quality", "poquad_pl", "polevalA"),
    "Natural Questions": ("retrieval_quality", "nq_gold", "dev"),
    "annual reports, pages": ("report_pages", "annual_reports", None),
}
"""Name -> result, set and split."""
ARMS: Mapping[str, tuple[str, str | None]] = {
    "words": ("words", None),
    "vectors": ("vectors", None),
    "reciprocal ranks": ("hybrid", "reciprocal-ranks"),
    "hybrid": ("hybrid", "best-shares"),
}
"""Name -> mode and fusion; the last is the default."""
SIZES = (1_000, 10_000, 100_000, 1_000_000)
OWN_KINDS = ("words", "vectors", "hybrid", "vectors, filtered", "hybrid, filtered")

FLOORS = {
    "SciFact, hybrid": 0.72,
    "Cranfield, hybrid": 0.39,
    "PoQuAD, words": 0.735,
    "PoQuAD, hybrid": 0.79,
}
LOSS_FLOOR = -0.01
"""The default ranking against the better of its two arms, on every set."""
NUMPY_REFERENCE_S = 0.13
"""What `import numpy` takes where the limits of starting were set; others are scaled by it."""
SEARCH_FLOOR_S, IMPORT_FLOOR_S = 1.0, 0.25
KILLS_WANTED = 1_000


# ---------------------------------------------------------------- reading


def at(result: str, *path: object) -> Read:
    """Return a reader of one place: keys of objects, and conditions on rows of lists."""

    def read(results: Results) -> float | None:
        found = results(result)
        for step in path:
            found = _inside(found, step)
        return None if found is None else float(found)

    return read


def _inside(found: Any, step: object) -> Any:  # noqa: ANN401 - parsed JSON
    if isinstance(found, list) and isinstance(step, dict):
        rows = (row for row in found if all(row.get(key) == step[key] for key in step))
        return next(rows, None)
    return found.get(step) if isinstance(found, dict) else None


def ndcg(set_name: str, arm: str) -> Read:
    """Return a reader of nDCG@10 of one way to rank a set, cut as shipped."""
    result, name, split = SETS[set_name]
    mode, fusion = ARMS[arm]
    row: dict[str, object] = {"set": name, "mode": mode, "fusion": fusion}
    if split is not None:
        row |= {"split": split, "cutting": "structure"}
    return at(result, row, "ndcg_at_10")


def above_better_arm(set_name: str) -> Read:
    """Return a reader of how far the default ranking stands above the better of its arms."""
    return _of(
        lambda hybrid, *arms: hybrid - max(arms),
        *(ndcg(set_name, arm) for arm in ("hybrid", "words", "vectors")),
    )


def latency(system: str, chunks: int, kind: str, value: str) -> Read:
    """Return a reader of one row of the scale figures."""
    return at("scale", "latency", {"system": system, "chunks": chunks, "kind": kind}, value)


def _of(work: Callable[..., float], *reads: Read) -> Read:
    """Return a reader of something worked out from others; None where one of them is missing."""

    def read(results: Results) -> float | None:
        found = [one(results) for one in reads]
        known = [value for value in found if value is not None]
        return work(*known) if len(known) == len(found) else None

    return read


def _scaled_s(command: str) -> Read:
    """Return a reader of a command's seconds, as if importing numpy took the reference time."""
    return _of(lambda times: times * NUMPY_REFERENCE_S, at("cold_start", command, "times_numpy"))


def _lost_in_kills(results: Results) -> float | None:
    sweep = results("kill_sweep")
    if sweep is None or sweep["kills"] < KILLS_WANTED:
        return None
    return float(sweep["lost"] + sweep["halved"])


def _misplaced_citations(results: Results) -> float | None:
    found = results("hundred_questions")
    return None if found is None else float(len(found["citations_not_at_their_span"]))


def _lost_in_power_cuts(results: Results) -> float | None:
    cuts = (results("fault_sweep") or {}).get("power_cuts")
    return None if cuts is None else float(cuts["lost"] + cuts["halved"])


def _lost_in_kills_of_upkeep(results: Results) -> float | None:
    sweep = results("upkeep_kills")
    if sweep is None:
        return None
    return float(sum(one["lost"] + one["halved"] for one in sweep["verbs"].values()))


def _unnoticed_flips(results: Results) -> float | None:
    flips = (results("fault_sweep") or {}).get("flipped_bits")
    return (
        None if flips is None else float(flips["changed_content"] - flips["noticed_by_verify_full"])
    )


# ---------------------------------------------------------------- the figures


def _quality(name: str, read: Read, floor: float | None) -> Figure:
    return Figure(name, read, Kind.QUALITY, Better.HIGHER, QUALITY_TOLERANCE, floor)


def _count(name: str, read: Read) -> Figure:
    """Return a figure that has to be 0."""
    return Figure(name, read, Kind.QUALITY, Better.LOWER, 0.0, 0.0)


def _cost(
    name: str, read: Read, floor: float | None = None, tolerance: float = COST_TOLERANCE
) -> Figure:
    return Figure(name, read, Kind.COST, Better.LOWER, tolerance, floor)


def _rankings() -> Iterator[Figure]:
    for set_name in SETS:
        for arm in ARMS:
            name = f"{set_name}, {arm}"
            yield _quality(f"{name}, nDCG@10", ndcg(set_name, arm), FLOORS.get(name))
        name = f"{set_name}, hybrid above its better arm"
        yield _quality(name, above_better_arm(set_name), LOSS_FLOOR)


def _correctness() -> Iterator[Figure]:
    destroyed = at("destroyed_answers", {"cutting": "structure", "set": "all"}, "destroyed")
    yield _count("answers destroyed by the default cutting", destroyed)
    yield _count("citations whose quote is not at its span", _misplaced_citations)
    yield _count(f"documents lost or halved in {KILLS_WANTED:,} kills", _lost_in_kills)
    yield _count("documents lost or halved in kills of upkeep", _lost_in_kills_of_upkeep)
    yield _count("documents lost or halved in power cuts", _lost_in_power_cuts)
    yield _count("flipped bits that changed content unnoticed", _unnoticed_flips)


def _scale() -> Iterator[Figure]:
    for chunks in SIZES:
        for kind in OWN_KINDS:
            floor = 2.0 if (kind, chunks) == ("hybrid", 100_000) else None
            name = f"{kind}, {chunks:,} chunks ÷ matrix product"
            yield _cost(name, latency("cytat", chunks, kind, "times_product"), floor)
        for kind in ("words", "vectors", "vectors, filtered"):
            read = latency("cytat", chunks, kind, "overlap_at_10")
            yield _quality(f"{kind}, {chunks:,} chunks, exact ten found", read, None)
        for kind, whole in (("words, ranked alone", False), ("words", True)):
            floor = 3.0 if chunks == 100_000 and not whole else None
            read = latency("cytat", chunks, kind, "times_tantivy")
            yield _cost(f"{kind}, {chunks:,} chunks ÷ tantivy", read, floor)
    grown = at("scale", "growth", "times", "hybrid")
    yield _cost("hybrid, 1,000,000 chunks ÷ 100,000", grown, 10.0)


def _starting() -> Iterator[Figure]:
    yield _cost("indexing ÷ embedding", at("indexing_time", "ratio_median"), 1.25, 0.1)
    search, imported = _scaled_s("cytat search"), _scaled_s("from cytat import Corpus")
    yield _cost("cytat search, whole process, s", search, SEARCH_FLOOR_S, SECONDS_TOLERANCE)
    yield _cost("import cytat, s", imported, IMPORT_FLOOR_S, SECONDS_TOLERANCE)


FIGURES: Sequence[Figure] = (*_rankings(), *_correctness(), *_scale(), *_starting())
