"""TREC qrels and runs <-> judgments and rankings, so that any evaluator can check ours.

qrels  question 0 document grade
run    question Q0 document rank score name
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from cytat.errors import GoldSetError
from cytat.evaluation.beir import Grades
from cytat.evaluation.scoring import Scores, scores_of_documents
from cytat.metrics import distinct
from cytat.records import QuestionOutcome

QRELS_COLUMNS, RUN_COLUMNS = 4, 6

Rankings = Mapping[str, Sequence[str]]
"""Question id -> document ids, best first."""


def read_qrels(path: Path) -> Grades:
    """Return the judgments of a qrels file."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for where, columns in _lines(path, QRELS_COLUMNS):
        question, _, document, grade = columns
        try:
            grades[question][document] = int(grade)
        except ValueError:
            raise GoldSetError(
                f"{where}: the grade {grade!r} is no whole number", hint="see the TREC format"
            ) from None
    return grades


def read_run(path: Path) -> Rankings:
    """Return the rankings of a run file, by score; ties as trec_eval breaks them, by document."""
    scored: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for where, columns in _lines(path, RUN_COLUMNS):
        question, _, document, _, score, _ = columns
        try:
            scored[question].append((float(score), document))
        except ValueError:
            raise GoldSetError(
                f"{where}: the score {score!r} is no number", hint="see the TREC format"
            ) from None
    return {
        question: distinct(document for _, document in sorted(rows, reverse=True))
        for question, rows in scored.items()
    }


def scores_of_run(rankings: Rankings, grades: Grades, *, depth: int) -> dict[str, Scores]:
    """Return the metrics of each judged question; one that the run lacks has an empty ranking."""
    return {
        question: scores_of_documents(rankings.get(question, ()), judged, depth=depth, prefix="")
        for question, judged in grades.items()
        if any(grade > 0 for grade in judged.values())
    }


def run_lines(outcomes: Iterable[QuestionOutcome], *, name: str) -> Iterable[str]:
    """Yield the lines of a run by document, each scored as its best chunk.

    Scores that are equal are lowered by the least a float can tell, so that every evaluator reads
    the order that was returned.
    """
    for outcome in outcomes:
        best: dict[str, float] = {}
        for hit in outcome.hits:
            best.setdefault(hit.source.replace(" ", "%20"), hit.score)
        last = np.inf
        for rank, (source, score) in enumerate(best.items(), start=1):
            last = min(score, float(np.nextafter(last, -np.inf)))
            yield f"{outcome.id} Q0 {source} {rank} {last!r} {name}"


def _lines(path: Path, columns: int) -> Iterable[tuple[str, list[str]]]:
    for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        found = line.split()
        if len(found) != columns:
            raise GoldSetError(
                f"{path.name}:{number}: {len(found)} columns, not {columns}",
                hint="see the TREC format",
            )
        yield f"{path.name}:{number}", found
