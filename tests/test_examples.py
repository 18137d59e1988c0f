"""The example documents, the questions about them, and the programs that use both."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.reading.looking import read_document

ROOT = Path(__file__).parents[1]
DOCUMENTS = ROOT / "examples" / "documents"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
]
PROGRAMS = sorted((ROOT / "examples").glob("0*.py"))
PROGRAM_LINES = 60


def canonical_text(source: str) -> str:
    return read_document((DOCUMENTS / source).read_bytes(), source=source).text


def name_of(path: Path) -> str:
    return path.name


def question_id(case: dict[str, Any]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", QUESTIONS, ids=question_id)
def test_every_needle_stands_once_in_each_of_its_documents(case: dict[str, Any]) -> None:
    for source in case["sources"]:
        text = canonical_text(source)
        assert {needle: text.count(needle) for needle in case["needles"]} == dict.fromkeys(
            case["needles"], 1
        )


def test_questions_are_enough_and_of_every_kind() -> None:
    groups = Counter(case["group"] for case in QUESTIONS)
    assert len({case["id"] for case in QUESTIONS}) == len(QUESTIONS) >= 40
    assert groups["refuse-near"] == groups["refuse-far"] >= 6
    for case in QUESTIONS:
        assert case["answerable"] == bool(case["sources"]) == bool(case["needles"])
        assert case["answerable"] != case["group"].startswith("refuse")


def test_no_document_says_anything_about_zus() -> None:
    for path in DOCUMENTS.rglob("*.*"):
        assert "ZUS" not in canonical_text(str(path.relative_to(DOCUMENTS)))


def test_the_lease_has_three_pages_with_polish_letters_and_its_footers_are_no_body_text() -> None:
    source = "biuro/umowa-najmu.pdf"
    document = read_document((DOCUMENTS / source).read_bytes(), source=source)
    assert [page.number for page in document.parts] == [1, 2, 3]
    assert "Jadwigą Ćwiklińską, zwaną dalej Wynajmującą" in document.text
    last = document.parts[2].span.of(document.text)
    assert "karę umowną w wysokości 200 zł" in last


def test_the_letter_in_windows_1250_reads_as_polish() -> None:
    assert "Żanety Źrebiec" in canonical_text("biuro/pismo-do-klienta.txt")


@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_an_example_is_short_enough_to_read_at_once(program: Path) -> None:
    assert len(program.read_text("utf-8").splitlines()) < PROGRAM_LINES


SAYS = {
    "01_add_and_search.py": "  1. FV-2025-09-0143.txt",
    "02_ask.py": "read again and equal: True",
    "03_refusal.py": "documents were searched; nearest:",
    "04_your_own_embedder.py": "Książki mają stawkę 5 %.",
}


def run_python(*arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow  # each indexes all documents
@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_an_example_runs_and_says_what_it_should(program: Path, tmp_path: Path) -> None:
    assert SAYS[program.name] in run_python(str(program), folder=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "README.pl.md"])
def test_the_program_in_the_readme_runs(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    shutil.copytree(DOCUMENTS, tmp_path / "examples" / "documents")
    for block in blocks:
        assert "[1]" in run_python("-c", block, folder=tmp_path)
