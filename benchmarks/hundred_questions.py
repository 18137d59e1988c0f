"""Are citations exact on a large real document set? Every one is read again by a second route.

    python -m benchmarks.hundred_questions /usr/share/doc/python3.11/html

Asks the questions of `questions/manuals.jsonl`, filled up to a hundred with headings of the
documents themselves, and reads each citation's span with `cytat show --span` in a process of its
own. Writes `results/hundred_questions.json`; exit code 1 if a quote is not at its span.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cytat import Corpus
from cytat.records import Answer, Citation

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions" / "manuals.jsonl"
WANTED = 100


def questions(corpus: Corpus) -> Iterator[dict[str, object]]:
    """Yield the written questions, then headings of the largest documents up to a hundred."""
    lines = QUESTIONS.read_text("utf-8").splitlines()
    yield from map(json.loads, lines)
    asked = len(lines)
    for document in sorted(corpus.status().documents, key=lambda d: (-d.chunks, d.source)):
        if asked >= WANTED:
            return
        shown = corpus.show(document.source, chunks=True)
        paths = [piece.heading_path for piece in shown.chunks if len(piece.heading_path) > 1]
        if paths:
            middle = paths[len(paths) // 2]
            asked += 1
            yield {
                "id": f"h{asked:03}",
                "question": f"{middle[-1]} ({document.title})",
                "sources": [document.source],
                "answerable": True,
                "group": "heading",
            }


def shown_by_cli(corpus_file: Path, citation: Citation) -> str:
    """Return what `cytat show --span` prints for a citation, in a process of its own."""
    span = f"{citation.span.start}:{citation.span.end}"
    command = [sys.executable, "-m", "cytat", "--corpus", str(corpus_file), "show"]
    done = subprocess.run(
        [*command, citation.source, "--span", span], capture_output=True, check=True
    )
    return done.stdout.decode()


def _is_held(row: dict[str, object], sources: list[str]) -> bool:
    """Say whether the document that a question is about is among those indexed."""
    wanted = [str(source) for source in row["sources"]]  # type: ignore[attr-defined] # a list
    return any(one in source for one in wanted for source in sources)


def measure(corpus: Corpus, corpus_file: Path) -> dict[str, object]:
    """Ask everything and return the figures."""
    rows = list(questions(corpus))
    sources = [document.source for document in corpus.status().documents]
    held = [row for row in rows if _is_held(row, sources)]
    milliseconds, wrong = [], []
    checked = answered = answered_held = refused_right = right_page = 0
    for row in rows:
        begin = time.perf_counter()
        reply = corpus.ask(str(row["question"]))
        milliseconds.append(1000 * (time.perf_counter() - begin))
        if not isinstance(reply, Answer):
            refused_right += not row["answerable"]
            continue
        answered += 1
        answered_held += row in held
        wanted = [str(source) for source in row["sources"]]  # type: ignore[attr-defined] # a list
        right_page += any(w in citation.source for w in wanted for citation in reply.citations)
        for citation in reply.citations:
            checked += 1
            if shown_by_cli(corpus_file, citation) != citation.quote:
                wrong.append({"id": row["id"], "source": citation.source})
    unanswerable = sum(not row["answerable"] for row in rows)
    return {
        "questions": len(rows),
        "answered": answered,
        "about_documents_in_these_folders": len(held),
        "of_these_answered": answered_held,
        "citations_checked": checked,
        "citations_not_at_their_span": wrong,
        "answers_citing_a_right_document": right_page,
        "unanswerable": unanswerable,
        "unanswerable_refused": refused_right,
        "median_ms": round(sorted(milliseconds)[len(milliseconds) // 2], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "hundred_questions.json")
    parser.add_argument("--corpus", type=Path, help="keep the corpus here (and reuse it)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus_file = given.corpus or Path(folder) / "manuals.db"
        with Corpus.open(corpus_file) as corpus:
            report = corpus.add(given.folders)
            figures = {
                "folders": [path.name for path in given.folders],
                "documents": report.totals,
                "indexing_seconds": round(report.seconds, 1),
                **measure(corpus, corpus_file),
            }
    given.out.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, ensure_ascii=False, indent=1))
    sys.exit(bool(figures["citations_not_at_their_span"]))


if __name__ == "__main__":
    main()
