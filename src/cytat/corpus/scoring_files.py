"""Files of others -> figures: a run of any system, and statements that people have judged."""

from pathlib import Path

from cytat.config import Settings
from cytat.corpus.evaluating import code_version, hash_of
from cytat.corpus.models import open_judge
from cytat.errors import SettingsError, UsageError
from cytat.evaluation import Judge, ScoredRun, agreement, metrics_of, read_labelled, score_run
from cytat.evaluation.scoring_runs import read_grades
from cytat.records import EvalReport, Fingerprint, JudgeAgreement


def check_judge(settings: Settings, labels: Path) -> JudgeAgreement:
    """Return how far the judge agrees with the labels; no corpus is needed."""
    generator = open_judge(settings)
    if generator is None:
        raise SettingsError("no judge is named", hint="name one: --judge NAME, or CYTAT_JUDGE")
    judge = Judge(generator)
    found = tuple(agreement(judge, read_labelled(labels)))
    unreadable = sum(one.not_measured for one in found if one.name == "agreement")
    notes = (
        (f"{unreadable} replies of the judge were neither yes nor no and are left out.",)
        if unreadable
        else ()
    )
    return JudgeAgreement(judge.fingerprint, found, notes)


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
