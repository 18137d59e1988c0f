"""The transcript in the READMEs is what the program prints today."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cytat.surfaces.cli.commands import run

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"<!-- transcript -->\n```\n(.*?)```\n<!-- /transcript -->", re.DOTALL)


def commands(readme: str) -> Iterator[tuple[list[str], str]]:
    """Yield the arguments and the printed lines of each command of a transcript."""
    block = BLOCK.search((ROOT / readme).read_text("utf-8"))
    assert block, f"{readme} has no transcript"
    for part in block[1].split("$ cytat ")[1:]:
        command, _, printed = part.partition("\n")
        yield shlex.split(command), printed.strip()


@pytest.mark.parametrize("readme", ["README.md", "README.pl.md"])
def test_a_transcript_shows_what_is_printed(
    readme: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples" / "documents", tmp_path / "documents")
    monkeypatch.chdir(tmp_path)
    assert run(["add", "documents"]) == 0
    capsys.readouterr()
    shown = list(commands(readme))
    assert len(shown) >= 4
    for arguments, printed in shown:
        assert run(arguments) in {0, 3}
        assert capsys.readouterr().out.strip() == printed, arguments
