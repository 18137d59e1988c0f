"""Files whose names are made to trip programs: found by name, and opened by what is printed."""

import shlex
import unicodedata
from pathlib import Path

import pytest

from cytat.surfaces.cli.commands import run

SAFE = "Opłata za dobę parkowania wynosi 37 zł."


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")


@pytest.mark.parametrize(
    "name",
    [
        "Aneks 2 - v1.0 (kopia) #7 [pl].txt",  # case ANS-15
        "it's $HOME `x`; 100%?.txt",
        'a "quoted" & <b>.txt',
        "-rf.txt",
        "a\\b.txt",
    ],
)
def test_the_command_below_a_quote_opens_the_file_whatever_its_name(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("docs").mkdir()
    (Path("docs") / name).write_text(SAFE, "utf-8")
    assert run(["add", "docs"]) == 0
    capsys.readouterr()
    assert run(["ask", "Ile wynosi opłata za dobę?"]) == 0
    (command,) = [line for line in capsys.readouterr().out.splitlines() if "cytat show " in line]
    program, *arguments = shlex.split(command)
    assert program == "cytat"
    assert run(arguments) == 0
    assert capsys.readouterr().out == SAFE


def test_a_file_is_found_by_its_name_in_whatever_unicode_form_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # case TXT-06
    name = unicodedata.normalize("NFD", "próba_świeża.txt")
    Path(name).write_text(unicodedata.normalize("NFD", "Zażółć gęślą jaźń: 17."), "utf-8")
    Path("inny.txt").write_text("Zdanie o czym innym.", "utf-8")
    assert run(["add", "."]) == 0
    for query in ("próba_świeża", "gęślą jaźń"):
        capsys.readouterr()
        assert run(["search", query, "--mode", "words"]) == 0
        assert "17" in capsys.readouterr().out
    assert run(["show", "próba_świeża.txt"]) == 0
    assert capsys.readouterr().out.endswith("17.")
