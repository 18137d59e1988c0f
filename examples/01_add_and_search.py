"""Add a folder, search it: each hit says where it stands and which list found it.

Run: python examples/01_add_and_search.py
"""

import tempfile
from pathlib import Path

from cytat import Corpus

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Corpus.open(Path(folder) / "cytat.db") as corpus,
    ):
        report = corpus.add([DOCUMENTS])
        print(f"{len(report.added)} documents added, {len(report.failed)} failed")

        for query in ("FV/2025/09/0143", "kiedy mogę wyrzucić stare faktury"):
            print(f"\n{query}")
            for hit in corpus.search(query, depth=3).hits:
                print(f"  {hit.rank}. {Path(hit.source).name}, {hit.locator.label}")
                print(
                    f"     words: rank {hit.why.words_rank}, vectors: rank {hit.why.vectors_rank}"
                )


if __name__ == "__main__":
    main()
