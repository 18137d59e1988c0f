"""Does a question about an annual report find its page? PDF files, read, cut and ranked as shipped.

    python -m benchmarks.report_pages FOLDER [--corpus FILE]

FOLDER holds PDF files and `queries.jsonl`, whose lines name the evidence pages of each question
(`metadata.evidence[]` with `doc` and `page0`, counted from 0), as FinanceBench does. The files go
through `Corpus.add` with the default encoder into the corpus FILE; when it is kept, the next run
embeds only what is cut otherwise. All files are searched together. A page counts as its best
chunk, and a chunk stands on every page it touches. Writes `results/report_pages.json`, one row for
each way to rank.
"""

import json
import os
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.arguments import parser_of
from benchmarks.retrieval_quality import DEPTH, RETRIEVED, WAYS

from cytat import Corpus
from cytat.backends.sqlite import SqliteStore as Store
from cytat.config import load_settings
from cytat.corpus.models import EmbedderChoice
from cytat.metrics import ndcg_at
from cytat.protocols import Embedder, Moment
from cytat.records import DocumentId, Part, Span
from cytat.retrieval import Fusion, FusionRule, Mode, SearchRequest, retrieve

RESULTS = Path(__file__).parent / "results" / "report_pages.json"
RECALL_DEPTHS = (1, 5, 10)

PageName = tuple[str, int]
"""The stem of a file's name, and the page counted from 0."""


@dataclass(frozen=True)
class Asked:
    """A question and its evidence pages."""

    text: str
    pages: frozenset[PageName]


@dataclass(frozen=True)
class Row:
    """One line of the result."""

    set: str
    mode: str
    fusion: str | None
    files: int
    pages: int
    chunks: int
    questions: int
    ndcg_at_10: float
    recall_at_1: float
    recall_at_5: float
    recall_at_10: float


@dataclass(frozen=True)
class Found:
    """Pages for one question, best first, and its evidence pages."""

    ranked: Sequence[PageName]
    right: frozenset[PageName]

    def recall(self, depth: int) -> float:
        """Return the share of evidence pages among the first `depth`."""
        return len(self.right & set(self.ranked[:depth])) / len(self.right)

    def ndcg(self) -> float:
        """Return nDCG at 10; every evidence page counts the same."""
        return ndcg_at(
            [str(page) for page in self.ranked], {str(page): 1 for page in self.right}, depth=DEPTH
        )


class PageMap:
    """Chunks -> the pages they touch."""

    def __init__(self, moment: Moment) -> None:
        self._spans: dict[str, Span] = {}
        self._pages: dict[DocumentId, Sequence[Part]] = {}
        self._names: dict[DocumentId, str] = {}
        for document in moment.documents():
            self._names[document.id] = Path(document.source).stem
            self._pages[document.id] = moment.parts(document.id)
            for stored in moment.chunks(document.id):
                self._spans[stored.chunk.id] = stored.chunk.span

    def counts(self) -> tuple[int, int, int]:
        """Return how many files, pages and chunks there are."""
        return len(self._names), sum(map(len, self._pages.values())), len(self._spans)

    def touched(self, document: DocumentId, chunk: str) -> list[PageName]:
        """Return the pages that a chunk has characters on."""
        span, name = self._spans[chunk], self._names[document]
        return [
            (name, page.number - 1)
            for page in self._pages[document]
            if page.number is not None and page.span.overlaps(span)
        ]


def read_questions(folder: Path) -> list[Asked]:
    """Return the questions that have evidence pages."""
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    asked = [
        Asked(
            row["text"],
            frozenset((one["doc"], one["page0"]) for one in row["metadata"]["evidence"]),
        )
        for row in map(json.loads, lines)
    ]
    return [one for one in asked if one.pages]


def add_files(folder: Path, corpus_file: Path) -> None:
    """Bring the corpus up to date with a copy of the files beside it: sources are named alike."""
    copies = corpus_file.parent / "reports"
    copies.mkdir(exist_ok=True)
    for file in sorted(folder.glob("*.pdf")):
        shutil.copyfile(file, copies / file.name)
    with Corpus.open(corpus_file) as corpus:
        report = corpus.add(copies)
    assert not report.failed, report.failed


def measure(corpus_file: Path, asked: Sequence[Asked], embedder: Embedder) -> list[Row]:
    """Return one row for each way to rank."""
    with Store.open(corpus_file) as store:
        with store.moment() as moment:
            pages = PageMap(moment)
            missing = {name for one in asked for name, _ in one.pages} - pages_names(moment)
        assert not missing, missing
        return [_row(store, pages, asked, embedder, way) for way in WAYS]


def pages_names(moment: Moment) -> set[str]:
    """Return the names by which questions know the files."""
    return {Path(document.source).stem for document in moment.documents()}


def _row(
    store: Store,
    pages: PageMap,
    asked: Sequence[Asked],
    embedder: Embedder,
    way: tuple[Mode, Fusion],
) -> Row:
    mode, fusion = way
    found = [Found(_rank(store, pages, embedder, way, one.text), one.pages) for one in asked]
    recalls = [statistics.fmean(one.recall(depth) for one in found) for depth in RECALL_DEPTHS]
    files, page_count, chunks = pages.counts()
    return Row(
        "annual_reports",
        mode.value,
        fusion.value if mode is Mode.HYBRID else None,
        files,
        page_count,
        chunks,
        len(asked),
        round(statistics.fmean(one.ndcg() for one in found), 4),
        *(round(recall, 4) for recall in recalls),
    )


def _rank(
    store: Store, pages: PageMap, embedder: Embedder, way: tuple[Mode, Fusion], question: str
) -> list[PageName]:
    """Return each page once, where its best chunk stands."""
    mode, fusion = way
    request = SearchRequest(question, RETRIEVED, mode, (), FusionRule(fusion, None))
    with store.moment() as moment:
        hits = retrieve(moment, request, embedder=embedder).hits
    touched = (page for hit in hits for page in pages.touched(hit.document_id, hit.chunk_id))
    return list(dict.fromkeys(touched))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("CYTAT_BENCH_PDFS"), type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.folder is None:
        parser.error("name the folder with the PDF files, or set CYTAT_BENCH_PDFS")
    embedder = EmbedderChoice(load_settings({})).embedder(None)
    with tempfile.TemporaryDirectory() as place:
        corpus_file = given.corpus or Path(place) / "cytat.db"
        add_files(given.folder, corpus_file)
        rows = measure(corpus_file, read_questions(given.folder), embedder)
    given.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    print("\n".join(map(str, rows)))


if __name__ == "__main__":
    main()
