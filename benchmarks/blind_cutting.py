"""How many answers does cutting every so many characters destroy, and how many does cytat's?

    python -m benchmarks.blind_cutting DATA

Blind cutting looks at nothing: a piece begins where the one before ends, or so many characters
earlier. Asked over the corpus of needles, read by cytat, and over PoQuAD and Natural Questions as
`destroyed_answers.py` puts them together; that script has asked cytat's own cutters of these two.
DATA (or $CYTAT_BENCH_DATA) holds them. Writes `results/blind_cutting.json`: one row for each set
and cutting.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.arguments import parser_of_sets
from benchmarks.destroyed_answers import SETS, Joined, Row, read_set
from benchmarks.reading import read_document

from cytat.chunking import open_chunker
from cytat.config import load_settings
from cytat.corpus.models import EmbedderChoice
from cytat.evaluation import read_gold
from cytat.evaluation.gold.locating import occurrences
from cytat.protocols import Chunker
from cytat.records import Document, Span

HERE = Path(__file__).parent
NEEDLES = HERE / "needles"
RESULTS = HERE / "results" / "blind_cutting.json"
BLIND = ((150, 0), (256, 0), (512, 0), (512, 64), (512, 128), (1024, 0))
"""Characters of a piece, and characters it shares with the one before."""
CUTTINGS = ("structure", "boundaries", "sentences", "fixed:128", "fixed:128+32")
"""128 tokens are about 512 characters of English."""


def blind_pieces(length: int, size: int, shared: int) -> Iterator[Span]:
    """Yield the pieces of a text of that length."""
    start = 0
    while start + size < length:
        yield Span(start, start + size)
        start += size - shared
    yield Span(start, length)


def read_needles() -> dict[str, list[tuple[Document, Joined]]]:
    """Return the documents of the needles with the answers in each, by language."""
    paths = sorted((NEEDLES / "documents").iterdir())
    documents = [read_document(path.read_bytes(), source=path.name) for path in paths]
    questions = read_gold(NEEDLES / "gold.jsonl").questions
    found: dict[str, list[tuple[Document, Joined]]] = {}
    for language in ("en", "pl"):
        needles = {n for one in questions if one.id.startswith(language) for n in one.needles}
        for document in documents:
            spans = [at for needle in sorted(needles) for at in occurrences(needle, document.text)]
            if spans:
                part = found.setdefault(f"needles, {language}", [])
                part.append((document, Joined(document.text, spans)))
    return found


def row(name: str, cutting: str, cut: Sequence[tuple[Joined, Sequence[Span]]]) -> Row:
    """Return how many answers are whole in no piece."""
    destroyed = sum(
        not any(piece.holds(answer) for piece in pieces)
        for file, pieces in cut
        for answer in file.answers
    )
    answers = sum(len(file.answers) for file, _ in cut)
    return Row(name, cutting, len(cut), sum(len(p) for _, p in cut), answers, destroyed)


def blind_rows(name: str, files: Sequence[Joined]) -> Iterator[Row]:
    """Yield a row for each size of blind pieces."""
    for size, shared in BLIND:
        cutting = f"{size} characters" + (f", {shared} shared" if shared else "")
        pieces = [(file, list(blind_pieces(len(file.text), size, shared))) for file in files]
        yield row(name, cutting, pieces)


def own_rows(
    name: str, files: Sequence[tuple[Document, Joined]], chunkers: Mapping[str, Chunker]
) -> Iterator[Row]:
    """Yield a row for each of cytat's cutters."""
    for cutting, chunker in chunkers.items():
        cut = [(file, [one.span for one in chunker.cut(document)]) for document, file in files]
        yield row(name, cutting, cut)


def main() -> None:
    parser = parser_of_sets(__doc__, keeps_vectors=False)
    given = parser.parse_args()
    embedder = EmbedderChoice(load_settings({})).embedder(None)
    chunkers = {name: open_chunker(name, embedder=embedder) for name in CUTTINGS}
    rows: list[Row] = []
    for name, files in read_needles().items():
        rows += blind_rows(name, [file for _, file in files])
        rows += own_rows(name, files, chunkers)
    for name, split in SETS.items():
        rows += blind_rows(name, read_set(given.data / name, split))
    RESULTS.write_text(json.dumps([asdict(one) for one in rows], indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
