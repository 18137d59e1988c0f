"""A citation of a web page is printed with a link to its words."""

from pathlib import Path

import pytest

from cytat.surfaces.cli.commands import run

PAGE = (
    "<h1 id='hours'>Opening hours</h1>"
    "<p>The swimming pool opens at six in the morning.</p><p>The sauna opens at noon.</p>"
)


def test_an_answer_from_a_web_page_names_the_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    (tmp_path / "pool 1.html").write_text(PAGE, encoding="utf-8")
    assert run(["add", "."]) == 0
    run(["ask", "When does the swimming pool open in the morning?"])
    shown = capfd.readouterr().out
    assert "pool%201.html#hours:~:text=The%20swimming%20pool%20opens%20at%20six%20in" in shown
