"""How many answers does cutting destroy? An answer is destroyed when no chunk holds it whole.

    python -m benchmarks.destroyed_answers DATA

DATA (or $CYTAT_BENCH_DATA) holds sets in the BEIR layout whose questions carry their answers
(`metadata.answers`). Texts are put together, twenty to a plain file without headings, so that there
is something to cut; an answer is the place where it first stands in the text of its question. Every
cutter that needs no vectors is asked. Writes `results/destroyed_answers.json`: one row for each set
and cutter, and their sums.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.arguments import parser_of_sets
from benchmarks.json_rows import json_rows
from benchmarks.reading import read_document

from cytat.chunking import DEFAULT_CHUNKING, open_chunker
from cytat.config import load_settings
from cytat.corpus.models import EmbedderChoice
from cytat.protocols import Chunker
from cytat.records import Span

RESULTS = Path(__file__).parent / "results" / "destroyed_answers.json"
SETS = {"poquad_pl": "dev", "nq_gold": "dev"}
CUTTINGS = (DEFAULT_CHUNKING, "boundaries", "sentences", "fixed")
TEXTS_A_FILE = 20
SEPARATOR = "\n\n"


@dataclass(frozen=True)
class Joined:
    """A file's text, and where the answers stand in it."""

    text: str
    answers: Sequence[Span]


@dataclass(frozen=True)
class Row:
    """One line of the result."""

    set: str
    cutting: str
    files: int
    chunks: int
    answers: int
    destroyed: int


def read_set(folder: Path, split: str) -> list[Joined]:
    """Return all texts of a set, joined, with the answers of its questions."""
    texts = {row["_id"]: row["text"].strip() for row in json_rows(folder / "corpus.jsonl")}
    wanted: dict[str, set[str]] = {}
    questions = {row["_id"]: row["metadata"] for row in json_rows(folder / "queries.jsonl")}
    for line in (folder / "qrels" / f"{split}.tsv").read_text("utf-8").splitlines()[1:]:
        question, text, _ = line.split("\t")
        wanted.setdefault(text, set()).update(answers_of(questions[question]))
    names = list(texts)
    return [
        _joined([(texts[name], wanted.get(name, set())) for name in names[at : at + TEXTS_A_FILE]])
        for at in range(0, len(names), TEXTS_A_FILE)
    ]


def answers_of(metadata: object) -> list[str]:
    """Return the answers that a question of a set carries."""
    assert isinstance(metadata, dict)
    found = (one["text"] if isinstance(one, dict) else one for one in metadata["answers"])
    return [answer for answer in found if answer.strip()]


def _joined(texts: Sequence[tuple[str, set[str]]]) -> Joined:
    start, spans = 0, []
    for text, answers in texts:
        places = ((text.find(answer), len(answer)) for answer in sorted(answers))
        spans += [Span(start + at, start + at + length) for at, length in places if at >= 0]
        start += len(text) + len(SEPARATOR)
    return Joined(SEPARATOR.join(text for text, _ in texts), spans)


def measure(name: str, files: Sequence[Joined], cutting: str, chunker: Chunker) -> Row:
    """Return how many answers a cutter destroys."""
    chunks = destroyed = 0
    for number, file in enumerate(files):
        document = read_document(file.text.encode(), source=f"{number}.txt")
        assert document.text == file.text
        cut = [chunk.span for chunk in chunker.cut(document)]
        chunks += len(cut)
        destroyed += sum(not any(span.holds(one) for span in cut) for one in file.answers)
    answers = sum(len(file.answers) for file in files)
    return Row(name, cutting, len(files), chunks, answers, destroyed)


def summed(rows: Sequence[Row], cutting: str) -> Row:
    """Return the sums of one cutter over all sets."""
    own = [row for row in rows if row.cutting == cutting]
    return Row(
        "all",
        cutting,
        sum(row.files for row in own),
        sum(row.chunks for row in own),
        sum(row.answers for row in own),
        sum(row.destroyed for row in own),
    )


def main() -> None:
    parser = parser_of_sets(__doc__, keeps_vectors=False)
    given = parser.parse_args()
    embedder = EmbedderChoice(load_settings({})).embedder(None)
    rows = []
    for name, split in SETS.items():
        files = read_set(given.data / name, split)
        for cutting in CUTTINGS:
            rows.append(measure(name, files, cutting, open_chunker(cutting, embedder=embedder)))
            print(rows[-1], flush=True)
    rows += [summed(rows, cutting) for cutting in CUTTINGS]
    RESULTS.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
