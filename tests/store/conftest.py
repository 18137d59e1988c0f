"""An empty store in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stores import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        yield store
