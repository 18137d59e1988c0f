"""What does it cost to read files in a child process, and what does the worst file cost?

    python -m benchmarks.reading_isolation [FOLDER] > benchmarks/results/reading_isolation.json

Reads the same generated files in this process and in a child, in turn, three times; prints medians
and ratios. With FOLDER, its PDF files are the honest ones that the limits are compared with;
without, the example documents.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.reading import FORMATS, reader_for

from cytat.backends.sqlite import SqliteStore as Store
from cytat.chunking import StructureChunker
from cytat.corpus.installed import open_sources
from cytat.errors import ReadingError
from cytat.ingestion import Tools, ingest
from cytat.ingestion.preparing import ReaderFor
from cytat.reading.process.child import limits_for
from cytat.reading.process.pool import WORKER_COMMAND, ReaderPool
from cytat.reading.text.format import READ_HERE_BYTES
from cytat.records import ReadingOptions
from cytat.testing.embedders import FakeEmbedder

ROUNDS = 3
STARTS = 7
MIB = 1024 * 1024
EXAMPLES = Path(__file__).parents[1] / "examples" / "documents"
Files = Mapping[str, bytes]


def small_files() -> Files:
    """Return a thousand notes of half a kilobyte, half text and half Markdown."""
    words = "Faktura nr {n}/2025 na kwotę {n} zł. " * 12
    return {
        f"{n:04}.{'md' if n % 2 else 'txt'}": f"# Nota {n}\n\n{words.format(n=n)}\n".encode()
        for n in range(1000)
    }


def html_files() -> Files:
    """Return a hundred pages of about 14 kilobytes."""
    part = "<h2>Część {n}</h2><p>" + "Umowa nr {n} z dnia 3 maja zawarta w Łodzi. " * 12 + "</p>"
    page = "<html><head><title>Strona {n}</title></head><body>" + part * 25 + "</body></html>"
    return {f"{n:03}.html": page.format(n=n).encode() for n in range(100)}


def pdf_files() -> Files:
    """Return the lease of the examples thirty times."""
    lease = next(EXAMPLES.rglob("*.pdf")).read_bytes()
    return {f"{n:02}.pdf": lease for n in range(30)}


def worst_markdown() -> str:
    """Return the slowest text found so far: list items that are all one list."""
    return ("1. A\n" * READ_HERE_BYTES)[:READ_HERE_BYTES]


def ordinary_markdown() -> str:
    section = "## Część\n\n" + "Umowa zawarta w Łodzi na czas oznaczony. " * 8 + "\n\n- a\n- b\n\n"
    return (section * READ_HERE_BYTES).encode()[:READ_HERE_BYTES].decode("utf-8", "ignore")


# ---------------------------------------------------------------- measuring


def seconds_to_read(files: Files, readers: ReaderFor) -> float:
    started = time.monotonic()
    for source, content in files.items():
        readers(content, source, named=None, media_type=None).read(
            content, source=source, options=ReadingOptions()
        )
    return time.monotonic() - started


def seconds_to_ingest(files: Files, readers: ReaderFor) -> float:
    embedder = FakeEmbedder()
    chunker = StructureChunker(budget_tokens=100, token_ends=embedder.token_ends)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "docs"
        folder.mkdir()
        for source, content in files.items():
            (folder / source).write_bytes(content)
        with Store.open_or_create(Path(name) / "cytat.db") as store:
            started = time.monotonic()
            report = ingest(store, [folder], Tools(embedder, chunker, readers, open_sources(store)))
            assert report.totals["added"] == len(files)
            return time.monotonic() - started


def compared(files: Files, measure: Callable[[Files, ReaderFor], float]) -> dict[str, float]:
    """Return milliseconds a file here, in a child, and as shipped, and the ratios."""
    ways: dict[str, list[float]] = {"here": [], "in_child": [], "as_shipped": []}
    with ReaderPool(FORMATS, reads_here=False) as always, ReaderPool(FORMATS) as shipped:
        readers = {
            "here": reader_for,
            "in_child": always.reader_for,
            "as_shipped": shipped.reader_for,
        }
        few = dict(list(files.items())[:3])
        for way in ways:
            seconds_to_read(few, readers[way])  # the first run loads parsers
        for _ in range(ROUNDS):
            for way, found in ways.items():
                found.append(measure(files, readers[way]))
    medians = {way: statistics.median(found) for way, found in ways.items()}
    return {
        "files": len(files),
        **{f"{way}_ms_a_file": round(1000 * s / len(files), 2) for way, s in medians.items()},
        "ratio_in_child": round(medians["in_child"] / medians["here"], 2),
        "ratio_as_shipped": round(medians["as_shipped"] / medians["here"], 2),
    }


def start_seconds() -> float:
    """Return the median time of a worker that starts, finds nothing to do and ends."""
    found = []
    for _ in range(STARTS):
        started = time.monotonic()
        subprocess.run(WORKER_COMMAND, stdin=subprocess.DEVNULL, check=True)
        found.append(time.monotonic() - started)
    return statistics.median(found)


def worst_here() -> dict[str, float]:
    worst = {"worst.md": worst_markdown().encode()}
    ordinary = {"ordinary.md": ordinary_markdown().encode()}
    found = [
        (seconds_to_read(worst, reader_for), seconds_to_read(ordinary, reader_for))
        for _ in range(ROUNDS)
    ]
    slow, usual = (statistics.median(column) for column in zip(*found, strict=True))
    return {
        "bytes": READ_HERE_BYTES,
        "worst_s": round(slow, 2),
        "ordinary_s": round(usual, 3),
        "ratio": round(slow / usual, 1),
    }


MEASURE_ONE = """
import json, resource, sys, time
from pathlib import Path
from benchmarks.reading import reader_for
from cytat.records import ReadingOptions
path = Path(sys.argv[1])
content = path.read_bytes()
reader = reader_for(content, path.name)
def peak_kib():
    # Not ru_maxrss: that counts what the parent held at the start.
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
before, peak = resource.getrusage(resource.RUSAGE_SELF), peak_kib()
reader.read(content, source=path.name, options=ReadingOptions())
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([
    len(content),
    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    (peak_kib() - peak) * 1024,
]))
"""


def shares_of_limits(paths: list[Path]) -> dict[str, object]:
    """Return the most that honest files took, as shares of their own limits."""
    processor, memory = [(0.0, "")], [(0.0, "")]
    read = 0
    for path in paths:
        done = subprocess.run(
            [sys.executable, "-c", MEASURE_ONE, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            continue  # without text, or encrypted
        size, cpu_s, memory_bytes = json.loads(done.stdout)
        limits = limits_for(size)
        said = f"{size / MIB:.2f} MiB, {cpu_s:.1f} s, {memory_bytes / MIB:.0f} MiB of memory"
        processor.append((cpu_s / limits.cpu_s, said))
        memory.append((memory_bytes / limits.memory_bytes, said))
        read += 1
    return {
        "files": read,
        "processor": [round(max(processor)[0], 3), max(processor)[1]],
        "memory": [round(max(memory)[0], 3), max(memory)[1]],
    }


def generated_shares() -> dict[str, object]:
    """Return the shares of files as dense as an honest one may be, and of ordinary prose."""
    paragraph = "Umowa najmu zawarta w Łodzi na czas oznaczony, czynsz płatny z góry. " * 6
    texts = {
        "ordinary.txt": (paragraph + "\n\n") * 4_000,
        "ordinary.md": ("## Część\n\n" + paragraph + "\n\n- raz\n- dwa\n\n") * 4_000,
        "ordinary.html": "<html><body>" + f"<h2>Część</h2><p>{paragraph}</p>" * 4_000,
        "rows.csv": "data;kwota;opis\n" + "2025-01-01;123,45;czynsz\n" * 60_000,
        "dense list.md": "- raz\n" * 100_000,
        "dense headings.md": "# A\n\nb\n\n" * 50_000,
        "dense table.md": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 50_000,
        "dense table.html": "<html><table>" + "<tr><td>1<td>2" * 50_000,
    }
    with tempfile.TemporaryDirectory() as name:
        for file, text in texts.items():
            (Path(name) / file).write_text(text, "utf-8")
        return {file: shares_of_limits([Path(name) / file]) for file in texts}


def hostile() -> dict[str, list[object]]:
    """Return how long hostile files take with the shipped limits, and how they end."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.reading.pdf_bombs import deflated, one_page  # noqa: PLC0415

    flat = deflated(b" " * MIB, times=1024)
    files = {
        "1 GiB in a flat PDF stream": ("a.pdf", one_page(flat, filters="/FlateDecode")),
        "the same, deflated thrice": (
            "a.pdf",
            one_page(
                deflated(deflated(flat, times=1), times=1),
                filters="[/FlateDecode /FlateDecode /FlateDecode]",
            ),
        ),
        "3 million PDF operators": ("a.pdf", one_page(b"q Q " * 1_500_000, filters="[]")),
        "100,000 nested HTML tags": ("a.html", b"<html>" + b"<div>" * 100_000 + b"x"),
        "an HTML tag of 100,000 attributes": (
            "a.html",
            b"<html><p " + b" ".join(b"a%d=b" % n for n in range(100_000)) + b">x",
        ),
    }
    found: dict[str, list[object]] = {}
    with ReaderPool(FORMATS) as pool:
        for name, (source, content) in files.items():
            started = time.monotonic()
            try:
                pool.reader_for(content, source).read(
                    content, source=source, options=ReadingOptions()
                )
                end = "read"
            except ReadingError as failure:
                end = failure.code
            found[name] = [len(content), round(time.monotonic() - started, 1), end]
    return found


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES
    parts: dict[str, Callable[[], object]] = {
        "worker_start_s": lambda: round(start_seconds(), 3),
        "small files, reading": lambda: compared(small_files(), seconds_to_read),
        "html, reading": lambda: compared(html_files(), seconds_to_read),
        "pdf, reading": lambda: compared(pdf_files(), seconds_to_read),
        "html, whole ingest": lambda: compared(html_files(), seconds_to_ingest),
        "worst text read here": worst_here,
        "hostile files: bytes, seconds, end": hostile,
        "most of the limits taken by dense and by ordinary files": generated_shares,
        "most of the limits taken by PDF files": lambda: shares_of_limits(
            sorted(folder.rglob("*.pdf"))
        ),
    }
    report = {}
    for name, measure in parts.items():
        report[name] = measure()
        print(name, report[name], file=sys.stderr)
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
