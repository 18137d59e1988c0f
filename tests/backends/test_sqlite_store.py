"""A corpus in a file of SQLite keeps the contract of stores."""

from collections.abc import Collection
from pathlib import Path

import pytest

from cytat.backends.sqlite import open_store
from cytat.protocols import Store
from cytat.testing.stores import OpenCorpus, StoreContract


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def open_corpus(self, quick_folder: Path) -> OpenCorpus:
        def open_corpus(name: str, *, labels: Collection[str] | None) -> Store:
            file = str(quick_folder / f"{name}.db")
            return open_store(file, create=labels is None, labels=labels)

        return open_corpus
