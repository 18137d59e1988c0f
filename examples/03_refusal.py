"""Ask what the documents do not hold: a refusal is a result with a reason, not an exception.

Run: python examples/03_refusal.py
"""

import tempfile
from pathlib import Path

from cytat import Corpus
from cytat.records import Answer, Refusal

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Corpus.open(Path(folder) / "cytat.db") as corpus,
    ):
        corpus.add([DOCUMENTS])
        match corpus.ask("Ile wynosi składka ZUS?"):
            case Answer(text=text):
                print(text)
            case Refusal() as refusal:
                print(f"{refusal.text} ({refusal.reason})")
                print(f"{refusal.coverage.documents} documents were searched; nearest:")
                for hit in refusal.nearest:
                    print(f"  {Path(hit.source).name}, {hit.locator.label}")


if __name__ == "__main__":
    main()
