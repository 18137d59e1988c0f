"""What does a transaction for each document cost, against one for a group?

    python -m benchmarks.group_commit

Adds a thousand small documents with the fake encoder, groups of several sizes in turn, each size
three times; prints the median seconds, and ratios to the shipped size.
"""

import importlib
import json
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.reading import tools_of

from cytat.backends.sqlite import SqliteStore as Store
from cytat.chunking import StructureChunker
from cytat.ingestion import ingest
from cytat.testing.embedders import FakeEmbedder

DOCUMENTS = 1000
SIZES = (1, 8, 64, 1000)
SHIPPED = 64
ROUNDS = 3


def write_documents(folder: Path) -> None:
    folder.mkdir()
    for number in range(DOCUMENTS):
        text = f"# Faktura {number}\n\nFaktura nr {number}/2025 na kwotę {number * 7} zł.\n"
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")


def seconds_to_add(place: Path, *, group: int) -> float:
    """Return how long one fresh corpus of all documents takes."""
    module = importlib.import_module("cytat.ingestion.groups")
    for size in ("GROUP_DOCUMENTS", "GROUP_PASSAGES"):
        setattr(module, size, group)
    embedder = FakeEmbedder()
    chunker = StructureChunker(budget_tokens=100, token_ends=embedder.token_ends)
    for file in place.glob("cytat.db*"):
        file.unlink()
    with Store.open_or_create(place / "cytat.db") as store:
        started = time.monotonic()
        ingest(store, [place / "docs"], tools_of(store, embedder, chunker))
        return time.monotonic() - started


def main() -> None:
    seconds: dict[int, list[float]] = {size: [] for size in SIZES}
    with tempfile.TemporaryDirectory(dir=".") as name:
        place = Path(name)
        write_documents(place / "docs")
        seconds_to_add(place, group=SHIPPED)  # the first run loads parsers and stems
        for _ in range(ROUNDS):
            for size in SIZES:
                seconds[size].append(seconds_to_add(place, group=size))
    medians = {size: statistics.median(found) for size, found in seconds.items()}
    print(
        json.dumps(
            {
                "documents": DOCUMENTS,
                "seconds": {size: round(median, 2) for size, median in medians.items()},
                "ratio_to_shipped": {
                    size: round(median / medians[SHIPPED], 2) for size, median in medians.items()
                },
            }
        )
    )


if __name__ == "__main__":
    main()
