"""TREC files <-> runs and judgements; a run of any system -> outcomes by question.

qrels  question 0 document grade
run    question Q0 document rank score name

Questions: JSONL with `_id` and `text`, or a question a line: id, tab, text. Judgments: TREC's four
columns, or the three of BEIR. A judged document is the text of that id, unpacked; in a corpus that
holds no such files, a document whose source ends in the id, "%20" standing for a blank.

A judged question that the run leaves out has found nothing: trec_eval takes it out of its mean
unless it is given -c. A question that no document is right for cannot be measured.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np

from cytat.errors import GoldSetError, UsageError
from cytat.evaluation.fingerprints import fingerprint_of_file
from cytat.evaluation.gold.beir import (
    MOST_GRADE,
    SHOWN_OF_GRADE,
    Grades,
    file_name,
    grade_of,
    question_of,
    read_rows,
    read_tsv_qrels,
)
from cytat.evaluation.gold.locating import LocatedQuestion
from cytat.evaluation.gold.questions import GoldSet
from cytat.evaluation.scoring import Scores, metrics_of, scores_of_documents
from cytat.evaluation.text_files import lines_of
from cytat.records import (
    Cause,
    ChunkId,
    DocumentId,
    EvalReport,
    Finding,
    JudgedBy,
    QuestionOutcome,
    RankedHit,
    Target,
)

QRELS_COLUMNS, RUN_COLUMNS = 4, 6
_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A document of a run."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class TrecRun:
    """What a system returned: for each question its documents, best first, each once."""

    system: str
    rankings: Mapping[str, Sequence[ScoredDocument]]


def read_qrels(path: Path) -> Grades:
    """Return the judgments of a qrels file."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for where, columns in _lines(path, QRELS_COLUMNS):
        question, _, document, grade = columns
        judged = grade_of(grade)
        if judged is None:
            raise GoldSetError(
                f"{where}: the grade {grade[:SHOWN_OF_GRADE]!r} is not a whole number up to "
                f"{MOST_GRADE}",
                hint="see the TREC format",
            )
        grades[question][document] = judged
    return grades


def read_run(path: Path) -> TrecRun:
    """Return a run file, ranked by score as trec_eval ranks it.

    trec_eval keeps a score as a 4-byte float, which makes ties of close ones, and breaks ties by
    the document's name, last first; the rank in the fourth column is not looked at.
    """
    scored: dict[str, list[tuple[float, str]]] = defaultdict(list)
    system = ""
    for where, columns in _lines(path, RUN_COLUMNS):
        question, _, document, _, score, system = columns
        scored[question].append((_number(score, where), document))
    return TrecRun(system, {question: _ranked(rows) for question, rows in scored.items()})


def _ranked(rows: list[tuple[float, str]]) -> tuple[ScoredDocument, ...]:
    first: dict[str, float] = {}
    for score, document in sorted(rows, reverse=True):
        first.setdefault(document, score)
    return tuple(ScoredDocument(document, score) for document, score in first.items())


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise GoldSetError(
            f"{where}: the score {text!r} is not a number", hint="see the TREC format"
        )
    with np.errstate(over="ignore"):
        return float(np.float32(number))


def run_lines(
    outcomes: Iterable[QuestionOutcome], *, name: str, named: Callable[[str], str]
) -> Iterable[str]:
    """Yield the lines of a run by document, each scored as its best chunk.

    `named` makes a document's id of its source.
    """
    for outcome in outcomes:
        best: dict[str, float] = {}
        for hit in outcome.hits:
            best.setdefault(named(hit.source), hit.score)
        yield from ranking_lines(outcome.id, best, name=name)


def ranking_lines(question: str, scores: Mapping[str, float], *, name: str) -> Iterable[str]:
    """Yield the lines of one ranking, its documents best first.

    Scores that are equal as the 4-byte floats which trec_eval keeps are lowered by the least that
    those distinguish, so that every evaluator reads the order that was returned.
    """
    last, below = np.float32(np.inf), np.float32(-np.inf)
    for rank, (document, score) in enumerate(scores.items(), start=1):
        last = min(np.float32(score), np.nextafter(last, below))
        yield f"{column(question)} Q0 {column(document)} {rank} {last} {name}"


def qrels_lines(
    questions: Iterable[LocatedQuestion],
    sources: Mapping[DocumentId, str],
    *,
    named: Callable[[str], str],
) -> Iterable[str]:
    """Yield the judgments that go with such a run: the documents of each question."""
    for question in questions:
        grades = {
            column(named(sources[id_])): question.gold.grades.get(source, 1)
            for source, id_ in question.documents
        }
        for document, grade in sorted(grades.items()):
            yield f"{column(question.gold.id)} 0 {document} {grade}"


def column(text: str) -> str:
    """Return a name as one column: blanks are escaped as in an address."""
    return _BLANK.sub(lambda found: quote(found[0]), text)


def _lines(path: Path, columns: int) -> Iterable[tuple[str, list[str]]]:
    for number, line in enumerate(lines_of(path, hint="see the TREC format"), start=1):
        if not line.strip():
            continue
        found = line.split()
        if len(found) != columns:
            raise GoldSetError(
                f"{path.name}:{number}: {len(found)} columns, not {columns}",
                hint="see the TREC format",
            )
        yield f"{path.name}:{number}", found


# ---------------------------------------------------------------- questions and judgments


def read_judged(questions: Path, judgments: Path, sources: Collection[str]) -> GoldSet:
    """Return the questions that have a judgment; `sources` are those of the corpus."""
    grades = read_grades(judgments)
    names = {source.rpartition("/")[2] for source in sources}
    has_texts = any(file_name(document) in names for of in grades.values() for document in of)
    name: Callable[[str], str] = file_name if has_texts else _plain
    found = tuple(
        question_of(where, row, grades[row["_id"]], name=name)
        for where, row in read_questions(questions)
        if row["_id"] in grades
    )
    if not found:
        raise GoldSetError(
            f"{judgments.name}: none of its questions is in {questions.name}",
            hint="questions and judgments must be of one set",
        )
    return GoldSet(f"{questions.name} + {judgments.name}", found, unfilled=0, has_texts=has_texts)


def read_grades(path: Path) -> Grades:
    """Return the judgments of a file in either layout, recognised by the number of columns."""
    first = next(
        (line for line in lines_of(path, hint="name a text file in UTF-8") if line.strip()), ""
    )
    is_trec = len(first.split()) == QRELS_COLUMNS
    return read_qrels(path) if is_trec else read_tsv_qrels(path)


def read_questions(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each question with its place: `_id` and `text`."""
    if path.suffix.casefold() in {".jsonl", ".json"}:
        yield from read_rows(path)
        return
    for number, line in enumerate(lines_of(path, hint="name a text file in UTF-8"), start=1):
        if not line.strip():
            continue
        id_, tab, text = line.partition("\t")
        if not tab or not text.strip():
            raise GoldSetError(
                f"{path.name}:{number}: not a question: id, tab, text",
                hint="or give JSONL with `_id` and `text`",
            )
        yield f"{path.name}:{number}", {"_id": id_.strip(), "text": text.strip()}


def _plain(id_: str) -> str:
    return id_.replace("%20", " ")


def score_run_file(
    run: Path, qrels: Path, *, questions: Path | None = None, depth: int = 100
) -> EvalReport:
    """Return a TREC run measured against judgments in TREC's or BEIR's columns.

    Args:
        run: the file, in TREC's six columns.
        qrels: the judgments.
        questions: give their words to the report; None: it names them by their ids.
        depth: ranks looked at.
    """
    if depth < 1:
        raise UsageError(f"depth {depth} is below 1", hint="give 1 or more")
    grades, read = read_grades(qrels), read_run(run)
    texts = (
        {}
        if questions is None
        else {row["_id"]: row["text"] for _, row in read_questions(questions)}
    )
    outcomes = tuple(
        _outcome(id_, texts.get(id_, id_), grades[id_], read.rankings.get(id_, ())[:depth], depth)
        for id_ in sorted(grades)
    )
    return EvalReport(
        fingerprint_of_file(read.system, grades, depth),
        metrics_of(outcomes),
        (_finding(outcomes, depth),),
        outcomes,
        (),
        tuple(_notes(grades, read.rankings)),
    )


def _outcome(
    id_: str,
    question: str,
    grades: Mapping[str, int],
    ranking: Sequence[ScoredDocument],
    depth: int,
) -> QuestionOutcome:
    right = {item for item, grade in grades.items() if grade > 0}
    ranks = {ranked.id: rank for rank, ranked in enumerate(ranking, start=1)}
    targets = tuple(
        Target(JudgedBy.SOURCES, document, ranks.get(document), is_destroyed=False)
        for document in sorted(right)
    )
    scores: Scores = {"recall@1": None, "mrr": None}
    if right:
        scores = scores_of_documents(list(ranks), grades, depth=depth, prefix="")
    is_found = any(target.rank is not None for target in targets)
    return QuestionOutcome(
        id=id_,
        question=question,
        group=None,
        language=None,
        type=None,
        is_answerable=True,
        expected=None,
        judged_by=JudgedBy.SOURCES if right else JudgedBy.NOTHING,
        targets=targets,
        hits=tuple(_hit(ranked, rank, right) for rank, ranked in enumerate(ranking, start=1)),
        reply=None,
        judged=(),
        cause=Cause.RETRIEVAL if right and not is_found else None,
        scores=scores,
    )


def _hit(document: ScoredDocument, rank: int, right: set[str]) -> RankedHit:
    return RankedHit(
        rank=rank,
        chunk_id=ChunkId(document.id),
        source=document.id,
        place="",
        heading_path=(),
        score=document.score,
        is_right=document.id in right,
        text=None,
        marks=(),
    )


def _finding(outcomes: Sequence[QuestionOutcome], depth: int) -> Finding:
    judged = sum(bool(outcome.targets) for outcome in outcomes)
    missed = sum(outcome.cause is Cause.RETRIEVAL for outcome in outcomes)
    advice = f"For {missed} of {judged} questions no right document is among the first {depth}."
    return Finding(Cause.RETRIEVAL if missed else None, missed, judged, advice)


def _notes(grades: Grades, rankings: Mapping[str, object]) -> Iterator[str]:
    unjudged = len(set(rankings) - set(grades))
    if unjudged:
        yield f"{unjudged} questions of the run have no judgment and were left out."
    missing = len(set(grades) - set(rankings))
    if missing:
        yield (
            f"{missing} judged questions are missing from the run and count as not found; "
            "trec_eval leaves them out unless it is given -c."
        )
    unjudgeable = sum(not any(grade > 0 for grade in of.values()) for of in grades.values())
    if unjudgeable:
        yield f"For {unjudgeable} questions no document is judged right; they are not measured."
