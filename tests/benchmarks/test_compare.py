"""Figures of two commits side by side, and against their floors, over a repository made here."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from benchmarks.compare import floors, main, results_at
from benchmarks.figures import FIGURES, LOSS_FLOOR, Figure, Kind, above_better_arm

RESULTS = Path("benchmarks/results")


def git(root: Path, *arguments: str) -> None:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    write(tmp_path, "retrieval_quality", rows(words=0.70, vectors=0.66, hybrid=0.74))
    write(tmp_path, "scale", scale(times_product=1.6))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "figures")
    return tmp_path


def write(root: Path, name: str, value: object) -> None:
    (root / RESULTS).mkdir(parents=True, exist_ok=True)
    (root / RESULTS / f"{name}.json").write_text(json.dumps(value), "utf-8")


def rows(**ndcg: float) -> list[dict[str, object]]:
    """Return rows of SciFact, as `retrieval_quality.py` writes them."""
    place = {"set": "scifact", "split": "test", "cutting": "structure"}
    return [
        {
            **place,
            "mode": mode,
            "fusion": "best-shares" if mode == "hybrid" else None,
            "ndcg_at_10": value,
        }
        for mode, value in ndcg.items()
    ]


def scale(*, times_product: float) -> dict[str, object]:
    row = {"system": "cytat", "chunks": 100_000, "kind": "hybrid", "times_product": times_product}
    return {"latency": [row]}


def test_nothing_changed_is_said_and_passes(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], repository) == 0
    assert capsys.readouterr().out == "nothing changed by more than its noise\n"


def test_a_quality_that_fell_fails_and_is_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(repository, "retrieval_quality", rows(words=0.70, vectors=0.66, hybrid=0.73))
    assert main([], repository) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["SciFact,", "hybrid,", "nDCG@10", "0.740", "0.730", "worse"]


def test_a_quality_that_rose_passes_and_is_shown(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(repository, "retrieval_quality", rows(words=0.70, vectors=0.66, hybrid=0.75))
    assert main([], repository) == 0
    assert "SciFact, hybrid, nDCG@10" in (shown := capsys.readouterr().out)
    assert "better" in shown


def test_a_ratio_within_its_noise_is_not_shown(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(repository, "scale", scale(times_product=1.9))  # 19 % more; a quarter is noise
    assert main([], repository) == 0
    assert "matrix product" not in capsys.readouterr().out


def test_a_ratio_that_rose_by_more_fails(repository: Path) -> None:
    write(repository, "scale", scale(times_product=2.1))
    assert main([], repository) == 1


def test_a_figure_that_is_gone_fails(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / RESULTS / "scale.json").unlink()
    assert main([], repository) == 1
    assert "gone" in capsys.readouterr().out


def test_any_revision_can_be_named(repository: Path) -> None:
    write(repository, "retrieval_quality", rows(words=0.70, vectors=0.66, hybrid=0.73))
    git(repository, "commit", "-q", "-a", "-m", "worse")
    assert main([], repository) == 0
    assert main(["HEAD~1"], repository) == 1


def test_a_revision_that_is_none_is_an_error(repository: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        results_at("no-such-commit", repository)


# ---------------------------------------------------------------- floors


def standing(**results: Any) -> dict[str, str]:
    def read(name: str) -> Any:
        return results.get(name)

    return {line.cells[0]: line.cells[3] for line in floors(read)}


def test_a_floor_is_met_missed_or_not_measured() -> None:
    found = standing(
        retrieval_quality=rows(words=0.70, vectors=0.66, hybrid=0.72),
        scale=scale(times_product=2.01),
    )
    assert found["SciFact, hybrid, nDCG@10"] == "met"
    assert found["hybrid, 100,000 chunks ÷ matrix product"] == "NOT MET"
    assert found["PoQuAD, hybrid, nDCG@10"] == "not measured"


def test_the_default_ranking_is_held_against_the_better_arm() -> None:
    read = above_better_arm("SciFact")
    below = rows(words=0.70, vectors=0.66, hybrid=0.68)
    assert read({"retrieval_quality": below}.get) == pytest.approx(-0.02)
    assert LOSS_FLOOR > -0.02
    assert standing(retrieval_quality=below)["SciFact, hybrid above its better arm"] == "NOT MET"


def test_half_of_the_kills_is_not_the_measure() -> None:
    name = "documents lost or halved in 1,000 kills"
    sweep = {"lost": 0, "halved": 0}
    assert standing(kill_sweep={**sweep, "kills": 500})[name] == "not measured"
    assert standing(kill_sweep={**sweep, "kills": 1000})[name] == "met"
    assert standing(kill_sweep={**sweep, "lost": 1, "kills": 1000})[name] == "NOT MET"


def test_every_figure_has_a_name_of_its_own() -> None:
    names = [figure.name for figure in FIGURES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_without_its_file_is_none(figure: Figure) -> None:
    assert figure.read(lambda _: None) is None
    assert figure.tolerance > 0 or figure.kind is Kind.QUALITY
