"""How long does each cutter take, on prose and on texts that bite?

Run `python -m benchmarks.chunking_speed`. Tokens are counted by words and vectors are fakes, so
that the time is the cutter's own. Ratios are to the default cutter on prose, in the same run.
"""

import json
import time
from pathlib import Path

from benchmarks.reading import read_document

from cytat.chunking import open_chunker
from cytat.records import Document
from cytat.testing.embedders import FakeEmbedder

RESULT = Path(__file__).parent / "results" / "chunking_speed.json"
CHARACTERS = 1_000_000
CUTTERS = ("structure", "boundaries", "fixed:320+32", "sentences:5+1", "semantic")

PROSE = (
    "Zgodnie z art. 43 ust. 1 ustawy podatnik jest zwolniony od podatku. "
    "Kwota wynosi 1 230,00 zł i jest płatna do końca miesiąca. "
)
TEXTS = {
    "prose": PROSE * 5 + "\n\n",
    "sections": f"# A section\n\n{PROSE}\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
    "lines of one letter": "a\n",
    "no blank": "abcdefghij",
    "one table": "| abc | def |\n",
    "commas": "a,",
}


def document(name: str) -> Document:
    """Return a text of `CHARACTERS` characters, read."""
    pattern = TEXTS[name]
    text = (pattern * (CHARACTERS // len(pattern) + 1))[:CHARACTERS]
    source = "a.md" if name in {"sections", "one table"} else "a.txt"
    return read_document(text.encode(), source=source)


def main() -> None:
    """Measure, print and write."""
    embedder = FakeEmbedder(dimensions=16, max_tokens=512)
    seconds: dict[str, dict[str, float]] = {}
    for name in TEXTS:
        read = document(name)
        seconds[name] = {}
        for cutter in CUTTERS:
            if cutter == "semantic" and name != "prose":
                continue  # its time is the embedder's
            chunker = open_chunker(cutter, embedder=embedder)
            started = time.process_time()
            chunker.cut(read)
            seconds[name][cutter] = time.process_time() - started
    base = seconds["prose"]["structure"]
    result = {
        "characters": CHARACTERS,
        "characters_a_second": {
            name: {cutter: round(CHARACTERS / took) for cutter, took in row.items()}
            for name, row in seconds.items()
        },
        "time_to_structure_on_prose": {
            name: {cutter: round(took / base, 2) for cutter, took in row.items()}
            for name, row in seconds.items()
        },
    }
    text = json.dumps(result, indent=2)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
