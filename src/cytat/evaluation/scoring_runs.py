"""Qrels + a run of any system -> a report, as of a run of our own.

A judged question that the run leaves out has found nothing: trec_eval takes it out of its mean
unless it is given -c. A question that no document is right for cannot be measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cytat.errors import UsageError
from cytat.evaluation.fingerprints import fingerprint_of_file
from cytat.evaluation.gold.beir import Grades
from cytat.evaluation.scoring import Scores, metrics_of, scores_of_documents
from cytat.evaluation.trec import ScoredDocument, read_grades, read_questions, read_run
from cytat.records import (
    Cause,
    ChunkId,
    EvalReport,
    Finding,
    JudgedBy,
    QuestionOutcome,
    RankedHit,
    Target,
)


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
    right = {document for document, grade in grades.items() if grade > 0}
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
