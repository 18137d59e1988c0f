"""A small corpus made with the fake encoder, and gold sets written beside it."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from tests.corpora import write_files

from cytat import Corpus
from cytat.config import Settings

TEXTS = {
    "umowa.md": "# Umowa najmu\n\n## Czynsz\n\nCzynsz wynosi 2150 zł miesięcznie.\n\n"
    "## Kaucja\n\nKaucja wynosi 4300 zł\ni jest zwracana po miesiącu.\n",
    "faktura.txt": "Faktura FV/2025/09/0143 na kwotę 1 230,00 zł, płatna w 14 dni.\n",
    "notatka.txt": "Spotkanie odbyło się we wtorek w biurze na Długiej.\n" * 3,
}

WriteGold = Callable[..., Path]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus of three documents."""
    write_files(tmp_path / "docs", TEXTS)
    settings = Settings(corpus=tmp_path / "cytat.db", embedder="fake")
    with Corpus(settings) as opened:
        opened.add([tmp_path / "docs"])
        yield opened


@pytest.fixture
def gold(tmp_path: Path) -> WriteGold:
    """Writes cases as JSONL and returns the file."""

    def write(*cases: Mapping[str, object]) -> Path:
        path = tmp_path / "gold.jsonl"
        lines = [json.dumps(case, ensure_ascii=False) for case in cases]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write
