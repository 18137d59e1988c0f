"""Qrels + a run of any system -> outcomes by question, as of a run of our own. Pure but for files.

A judged question that the run leaves out has found nothing: trec_eval takes it out of its mean
unless it is given -c. A question that no document is right for cannot be measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.evaluation.beir import Grades
from cytat.evaluation.judged_questions import read_grades, read_questions
from cytat.evaluation.scoring import Scores, scores_of_documents
from cytat.evaluation.trec import ScoredDocument, read_run
from cytat.records import Cause, ChunkId, Finding, JudgedBy, QuestionOutcome, RankedHit, Target


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """What a run of another system comes to."""

    system: str
    """What the run's sixth column calls it."""
    outcomes: tuple[QuestionOutcome, ...]
    diagnosis: tuple[Finding, ...]
    notes: tuple[str, ...]


def score_run(run: Path, judgments: Path, *, questions: Path | None, depth: int) -> ScoredRun:
    """Return how a run meets the judgments; `questions` give their words to the report."""
    grades, read = read_grades(judgments), read_run(run)
    texts = {} if questions is None else {row["_id"]: row["text"] for _, row in
                                          read_questions(questions)}  # fmt: skip
    outcomes = tuple(
        _outcome(id_, texts.get(id_, id_), grades[id_], read.rankings.get(id_, ())[:depth], depth)
        for id_ in sorted(grades)
    )
    notes = tuple(_notes(grades, read.rankings))
    return ScoredRun(read.system, outcomes, (_finding(outcomes, depth),), notes)


def _outcome(
    id_: str,
    question: str,
    grades: Mapping[str, int],
    ranking: Sequence[ScoredDocument],
    depth: int,
) -> QuestionOutcome:
    right = {one for one, grade in grades.items() if grade > 0}
    ranks = {one.id: rank for rank, one in enumerate(ranking, start=1)}
    targets = tuple(
        Target(JudgedBy.SOURCES, one, ranks.get(one), is_destroyed=False) for one in sorted(right)
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
        hits=tuple(_hit(one, rank, right) for rank, one in enumerate(ranking, start=1)),
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
    judged = sum(bool(one.targets) for one in outcomes)
    missed = sum(one.cause is Cause.RETRIEVAL for one in outcomes)
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
    senseless = sum(not any(grade > 0 for grade in of.values()) for of in grades.values())
    if senseless:
        yield f"For {senseless} questions no document is judged right; they are not measured."
