"""A small corpus made with the fake encoder, and the same through the facade."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.corpora import add, write_files
from tests.stores import Store

TEXTS = {
    "umowa.md": "# Umowa najmu\n\n## Czynsz\n\nCzynsz wynosi 2150 zł miesięcznie.\n\n"
    "## Kaucja\n\nKaucja wynosi 4300 zł i jest zwracana po miesiącu.\n",
    "faktura.txt": "Faktura FV/2025/09/0143 na kwotę 1 230,00 zł, płatna w 14 dni.\n",
    "notatka.txt": "Spotkanie odbyło się we wtorek w biurze na Długiej.\n" * 12,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder the documents lie in."""
    write_files(tmp_path / "docs", TEXTS)
    return tmp_path / "docs"


@pytest.fixture
def store(tmp_path: Path, folder: Path) -> Iterator[Store]:
    """A store that holds them."""
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        add(store, folder)
        yield store
