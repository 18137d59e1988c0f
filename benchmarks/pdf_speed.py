"""How long does reading a PDF take, beside PDFium's plain text of the same pages?

    python -m benchmarks.pdf_speed FILE... > benchmarks/results/pdf_speed.json

Both in this process, in turn, three times, with the settings of the child processes that read;
prints medians of processor time and their ratio.
"""

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pypdfium2

from cytat.reading.pdf.reader import PdfReader
from cytat.reading.process.worker import GC_THRESHOLD
from cytat.records import ReadingOptions

ROUNDS = 3


def plain_text(content: bytes) -> int:
    """Return how many characters PDFium gives for all pages."""
    document = pypdfium2.PdfDocument(content)
    characters = 0
    for page in document:
        text = page.get_textpage()
        characters += len(text.get_text_range())
        text.close()
        page.close()
    document.close()
    return characters


def our_text(content: bytes) -> int:
    """Return how many characters the reader gives."""
    return len(PdfReader().read(content, source="a.pdf", options=ReadingOptions()).text)


def timed_s(work: Callable[[bytes], int], content: bytes) -> float:
    """Return the processor time of one call."""
    started = time.process_time()
    work(content)
    return time.process_time() - started


def measured(file: Path) -> dict[str, object]:
    """Return the figures of one file."""
    content = file.read_bytes()
    with pypdfium2.PdfDocument(content) as document:
        pages = len(document)
    rounds = [(timed_s(plain_text, content), timed_s(our_text, content)) for _ in range(ROUNDS)]
    plain, ours = (statistics.median(column) for column in zip(*rounds, strict=True))
    return {
        "file": file.name,
        "pages": pages,
        "plain_s": round(plain, 3),
        "ours_s": round(ours, 3),
        "pages_a_second": round(pages / ours, 1),
        "ratio": round(ours / plain, 2),
    }


if __name__ == "__main__":
    gc.set_threshold(GC_THRESHOLD)
    json.dump([measured(Path(name)) for name in sys.argv[1:]], sys.stdout, indent=1)
    sys.stdout.write("\n")
