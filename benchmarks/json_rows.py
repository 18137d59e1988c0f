"""JSONL -> its rows: how the public sets keep their texts and questions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file."""
    yield from map(json.loads, path.read_text("utf-8").splitlines())
