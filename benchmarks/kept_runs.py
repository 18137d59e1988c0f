"""A run <-> a small JSON file in `runs/`: what each question found under one setup, and its price.

Everything that `docs/explanation/what-we-measured.md` says of rankings is computed from these
files, so that a figure, its interval and its tests can be made again without running anything.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "runs"


@dataclass(frozen=True, slots=True)
class Found:
    """What one question found.

    `rank` is that of the first hit that holds the answer (or names a right text); None: not within
    the depth. `is_destroyed`: no chunk holds the answer whole. `ndcg` is at 10, for graded sets.
    """

    group: str | None
    rank: int | None
    is_destroyed: bool
    ndcg: float | None


@dataclass(frozen=True, slots=True)
class Price:
    """What a way to cut costs: chunks, tokens that are embedded, those of heading paths."""

    chunks: int
    tokens: int
    heading_tokens: int


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One setup on one corpus."""

    corpus: str
    chunking: str
    embedder: str
    mode: str
    fusion: str
    depth: int
    texts: int
    price: Price
    found: Mapping[str, Found]

    @property
    def setup(self) -> tuple[str, str, str, str]:
        """What tells runs on one corpus apart."""
        return self.chunking, self.embedder, self.mode, self.fusion


def write_run(run: KeptRun, folder: Path = FOLDER) -> Path:
    """Write a run, in columns; its name says what was run."""
    found = list(run.found.values())
    value = asdict(run) | {
        "found": {
            "id": list(run.found),
            "group": [one.group for one in found],
            "rank": [one.rank for one in found],
            "destroyed": [int(one.is_destroyed) for one in found],
            "ndcg": [one.ndcg for one in found],
        }
    }
    name = "-".join((run.corpus, *run.setup)).replace(":", "_")
    path = folder / f"{name}.json"
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    return path


def read_runs(folder: Path = FOLDER) -> Sequence[KeptRun]:
    """Return all runs that are kept, in the order of their names."""
    return [_run(json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.json"))]


def _run(value: dict[str, object]) -> KeptRun:
    columns, price = value.pop("found"), value.pop("price")
    assert isinstance(columns, dict)
    assert isinstance(price, dict)
    rows = zip(
        columns["group"], columns["rank"], columns["destroyed"], columns["ndcg"], strict=True
    )
    found = {
        id_: Found(group, rank, bool(destroyed), ndcg)
        for id_, (group, rank, destroyed, ndcg) in zip(columns["id"], rows, strict=True)
    }
    return KeptRun(**value, price=Price(**price), found=found)  # type: ignore[arg-type]
