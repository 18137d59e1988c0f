"""A run file of any system + qrels -> EvalReport, so that it is reported, compared and gated."""

from pathlib import Path

from cytat.corpus.evaluating import code_version, hash_of
from cytat.errors import UsageError
from cytat.evaluation import ScoredRun, metrics_of, score_run
from cytat.evaluation.judged_questions import read_grades
from cytat.records import EvalReport, Fingerprint

NOT_KNOWN = "not known"


def score_run_file(
    run: Path, qrels: Path, *, questions: Path | None = None, depth: int = 100
) -> EvalReport:
    """Return a TREC run measured against judgments in TREC's or BEIR's columns."""
    if depth < 1:
        raise UsageError(f"depth {depth} is below 1", hint="give 1 or more")
    scored = score_run(run, qrels, questions=questions, depth=depth)
    return EvalReport(
        _fingerprint(scored, qrels, depth),
        metrics_of(scored.outcomes),
        scored.diagnosis,
        scored.outcomes,
        (),
        scored.notes,
    )


def _fingerprint(scored: ScoredRun, qrels: Path, depth: int) -> Fingerprint:
    """Return what is known of a system that only its run file tells of."""
    grades = read_grades(qrels)
    judged = [f"{one} {doc} {of[doc]}" for one, of in sorted(grades.items()) for doc in sorted(of)]
    return Fingerprint(
        system=scored.system,
        gold=hash_of(judged),
        documents=NOT_KNOWN,
        where=(),
        depth=depth,
        generation=0,
        chunking=(),
        chunks=0,
        encoder=NOT_KNOWN,
        weights=NOT_KNOWN,
        mode=NOT_KNOWN,
        evidence=0,
        generator="none: retrieval only",
        gate="none: retrieval only",
        prompts="none",
        judge="none",
        code=code_version(),
        fusion=NOT_KNOWN,
    )
