"""A gold set as a test, run by pytest in a process of its own."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.corpora import write_files

from cytat import Corpus
from cytat.config import Settings

MODULE = "cytat.surfaces.pytest_plugin"
RENT = {"id": "rent", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]}
CUT_OFF = {**RENT, "id": "wrong", "must_contain": ["9999"]}
BARE = {"id": "bare", "question": "Ile wynosi czynsz?"}
ORDINARY = """
import sys

def test_nothing_of_cytat_is_loaded():
    assert not {"numpy", "apsw", "cytat.corpus", "cytat.evaluation"} & set(sys.modules)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a corpus, a gold set, and a test of its own."""
    texts = {
        "umowa.md": "# Umowa\n\nCzynsz wynosi 2150 zł miesięcznie.\n",
        "notatka.txt": "Spotkanie odbyło się we wtorek.\n",
    }
    write_files(tmp_path / "docs", texts)
    with Corpus(Settings(corpus=tmp_path / "office.db", embedder="fake")) as corpus:
        corpus.add([tmp_path / "docs"])
    (tmp_path / "test_ordinary.py").write_text(ORDINARY, "utf-8")
    write_gold(tmp_path, RENT, CUT_OFF, BARE)
    return tmp_path


def write_gold(project: Path, *cases: Mapping[str, object]) -> None:
    lines = [json.dumps(case, ensure_ascii=False) for case in cases]
    (project / "gold.jsonl").write_text("\n".join(lines), "utf-8")


def run(project: Path, *arguments: str, settings: str = "") -> tuple[int, str]:
    (project / "pytest.ini").write_text(
        f"[pytest]\naddopts = --strict-markers\n{settings}", "utf-8"
    )
    is_installed = bool(entry_points(group="pytest11", name="cytat"))
    plugin = () if is_installed else ("-p", MODULE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", *plugin,
         *arguments],
        cwd=project, capture_output=True, encoding="utf-8", check=False, timeout=120,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), "CYTAT_EMBEDDER": "fake",
             "PYTHONIOENCODING": "utf-8", "PATH": ""},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_the_plugin_is_declared_as_an_entry_point() -> None:
    declared = tomllib.loads(
        Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8")
    )
    assert declared["project"]["entry-points"]["pytest11"] == {"cytat": MODULE}


def test_a_project_that_names_no_gold_set_loads_nothing_and_collects_nothing(
    project: Path,
) -> None:
    code, said = run(project)
    assert (code, "1 passed" in said) == (0, True), said


def test_each_question_is_a_test_and_its_diagnosis_the_failure(project: Path) -> None:
    gold = ("--cytat-gold", "gold.jsonl", "--cytat-corpus", "office.db")
    code, said = run(project, "-rs", *gold, "-m", "cytat")
    assert code == 1, said
    assert "1 failed, 1 passed, 1 skipped, 1 deselected" in said, said
    assert "answering: the answer was found, but the reply is a refusal or wrong" in said
    assert "expected: 9999" in said
    assert "needle: Czynsz wynosi 2150 zł (rank 1)" in said
    assert "*  1. docs/umowa.md" in said
    assert "the gold set names no place that answers it" in said
    assert "pytest_plugin.py" not in said.partition("short test summary")[0], "no trace of calls"


def test_a_node_id_runs_one_question_of_a_gold_set(project: Path) -> None:
    gold = ("--cytat-gold", "gold.jsonl", "--cytat-corpus", "office.db")
    code, said = run(project, "gold.jsonl::rent", *gold)
    assert (code, "1 passed" in said, "2 passed" in said) == (0, True, False), said


def test_with_demands_a_single_question_may_fail_and_the_demands_decide(project: Path) -> None:
    settings = "cytat_gold = gold.jsonl\ncytat_corpus = office.db\n"
    met = settings + "cytat_min =\n  recall@1=0.9\n  correct=0.5\n"
    code, said = run(project, "-m", "cytat", settings=met)
    assert code == 0, said
    assert "2 passed, 1 skipped, 1 deselected, 1 xfailed" in said, said  # rent and the demands
    code, said = run(project, "gold.jsonl", settings=settings + "cytat_min = correct=0.8\n")
    assert code == 1, said
    assert "correct = 0.500 (2 questions) is below 0.8" in said


def test_a_demand_on_what_is_not_measured_is_told_without_a_trace_of_calls(project: Path) -> None:
    settings = "cytat_gold = gold.jsonl\ncytat_corpus = office.db\ncytat_min = recal@1=0.5\n"
    code, said = run(project, "gold.jsonl", settings=settings)
    assert code == 1, said
    assert "recal@1" in said
    assert "gates.py" not in said


def test_a_demand_that_is_none_is_told_before_any_question_is_asked(project: Path) -> None:
    settings = "cytat_gold = gold.jsonl\ncytat_corpus = office.db\ncytat_max = bluff\n"
    code, said = run(project, "gold.jsonl", settings=settings)
    assert code == 2, said
    assert "'bluff' is not a demand on a metric" in said
    assert "Traceback" not in said
    assert "gates.py" not in said


def test_what_does_not_fit_the_corpus_is_an_error_with_its_line(project: Path) -> None:
    write_gold(project, {**RENT, "needles": ["Czynsz wynosi 9 zł"]})
    code, said = run(project, "--cytat-gold", "gold.jsonl", "--cytat-corpus", "office.db")
    assert code == 2, said
    assert (
        "gold.jsonl:1: rent: the needle 'Czynsz wynosi 9 zł' is not found in any document" in said
    )
    assert "Traceback" not in said
