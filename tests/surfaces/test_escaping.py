r"""What a document or a file name may hold, and what of it reaches a terminal, Markdown or JSON."""

import json
import subprocess
from pathlib import Path

import pytest

from cytat.surfaces.cli.commands import run
from cytat.surfaces.terminal.escaping import code, markdown, shell
from cytat.surfaces.wire import dumps

TRICKS = "Kaucja wynosi 37 zł <img src=x onerror=alert(1)> ![a](http://b/c.png) [d](javascript:e)."


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("![a](http://b)", r"!\[a\](http://b)"),
        ("[a](javascript:b)", r"\[a\](javascript:b)"),
        ("<script>", r"\<script\>"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("# Nie nagłówek", r"\# Nie nagłówek"),
        ("12. maja", "12\\. maja"),
        ("9.00 - 17.00", "9\\.00 - 17.00"),
        ("- punkt\n=====", "\\- punkt\n\\====="),
        ("a_b *c* `d` \\", r"a\_b \*c\* \`d\` \\"),
        ("Czynsz: 2150 zł, art. 5", "Czynsz: 2150 zł, art. 5"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text: str, escaped: str) -> None:
    assert markdown(text) == escaped


def test_code_may_hold_backticks() -> None:
    assert code("a `b` c") == "``a `b` c``"
    assert code("`a`") == "`` `a` ``"
    assert code("cytat show a.md") == "`cytat show a.md`"


def test_no_image_link_or_html_of_a_document_passes_into_markdown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.txt").write_text(TRICKS, "utf-8")
    assert run(["add", "a.txt"]) == 0
    capsys.readouterr()
    assert run(["ask", "Ile wynosi kaucja?", "--format", "md"]) == 0
    printed = capsys.readouterr().out
    assert "37 zł" in printed
    for live in ("<img", "![a]", "](javascript", "](http"):
        assert live not in printed.replace("\\<", "").replace("\\[", "").replace("\\]", "")


@pytest.mark.parametrize("mark", ["\u202e", "\u200f", "\u2066", "\x9b", "\x7f", "\u061c"])
def test_json_holds_marks_that_steer_by_their_numbers(mark: str) -> None:
    text = dumps({"a": f"x{mark}y"})
    assert mark not in text
    assert f"\\u{ord(mark):04x}" in text
    assert json.loads(text) == {"a": f"x{mark}y"}


def test_json_keeps_letters_as_they_are() -> None:
    assert dumps({"a": "żółw 😀 \\u"}) == '{"a": "żółw 😀 \\\\u"}'


def test_a_file_name_with_a_line_break_adds_no_line_to_a_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path("docs") / "a\n+ docs"
    folder.mkdir(parents=True)
    (folder / "forged.txt").write_text("Kaucja wynosi 37 zł.", "utf-8")
    assert run(["add", "docs"]) == 0
    assert run(["status"]) == 0
    assert run(["search", "kaucja"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not any(line.startswith(("+ docs/forged", "docs/forged")) for line in lines)


@pytest.mark.parametrize(
    "name", ["\x1b[31mczerwony.md", "a\nb.md", "\u202etxt.md", "it's \x07 \\n.md", "tab\t.md"]
)
def test_a_shell_reads_back_the_name_that_was_printed(name: str) -> None:
    printed = shell(name)
    assert printed.isprintable()
    done = subprocess.run(
        ["/bin/bash", "-c", f"printf %s {printed}"], capture_output=True, check=True
    )
    assert done.stdout.decode() == name
