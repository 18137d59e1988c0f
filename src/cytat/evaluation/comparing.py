"""Two runs -> a paired comparison, or the reason why they are not put in one table. Pure.

Metrics are compared question by question with the exact sign test, corrected for their number
(Holm). What chance explains as well is called so in words.
"""

from collections.abc import Iterator
from dataclasses import fields

from cytat.errors import UsageError
from cytat.evaluation.scoring import depths_up_to
from cytat.evaluation.summary import is_better_high, metric_order
from cytat.metrics import holm, sign_test
from cytat.records import ComparedMetric, EvalReport, Fingerprint, RunComparison

SIGNIFICANT = 0.05
EQUAL = "cannot be told apart"
INCOMPARABLE = {
    "gold": "they answer different gold sets",
    "documents": "their corpora hold different documents",
    "where": "they were filtered differently",
    "depth": "they looked at different depths",
}
"""Field of the fingerprint -> why runs that differ in it are not compared."""
COMPARED = ("recall", "hit", "mrr", "ndcg", "destroyed", "correct", "lost", "bluff",
            "citation-precision", "citation-recall", "invented-markers", "faithfulness",
            "answer-relevancy", "contextual-recall")  # fmt: skip
COMPARED_DEPTHS = frozenset({1, 5, 10})
"""Neighbouring depths say almost the same, and each one more makes the correction harsher."""


def compare(baseline: EvalReport, run: EvalReport) -> RunComparison:
    """Return `run` beside `baseline`.

    Raises:
        UsageError: they cannot be compared, with every reason.
    """
    reasons = [
        f"{reason} ({_shown(baseline, name)} and {_shown(run, name)})"
        for name, reason in INCOMPARABLE.items()
        if getattr(baseline.fingerprint, name) != getattr(run.fingerprint, name)
    ]
    judges = {baseline.fingerprint.judge, run.fingerprint.judge} - {"none"}
    if len(judges) > 1:
        reasons.append(
            f"they were judged by different models or texts ({' and '.join(sorted(judges))})"
        )
    if reasons:
        raise UsageError(
            f"the runs cannot be compared: {'; '.join(reasons)}",
            hint="run both on the same gold set and the same documents",
        )
    rows = list(_rows(baseline, run))
    corrected = holm([row.p for row in rows])
    metrics = tuple(
        _judged(row, p_corrected) for row, p_corrected in zip(rows, corrected, strict=True)
    )
    return RunComparison(metrics, tuple(_differences(baseline, run)), tuple(_notes(metrics)))


def _shown(report: EvalReport, name: str) -> str:
    return str(getattr(report.fingerprint, name) or "none")


def _rows(baseline: EvalReport, run: EvalReport) -> Iterator[ComparedMetric]:
    before = {one.id: one.scores for one in baseline.questions}
    after = {one.id: one.scores for one in run.questions}
    names = {name for one in (before, after) for scores in one.values() for name in scores}
    deepest = depths_up_to(run.fingerprint.depth)[-1]
    for name in sorted(names, key=metric_order):
        kind, _, depth = name.partition("@")
        if kind not in COMPARED or (depth and int(depth) not in COMPARED_DEPTHS | {deepest}):
            continue
        pairs = [
            (first, second)
            for id_, scores in before.items()
            if (first := scores.get(name)) is not None
            and (second := after.get(id_, {}).get(name)) is not None
        ]
        if pairs:
            yield _row(name, pairs)


def _row(name: str, pairs: list[tuple[float, float]]) -> ComparedMetric:
    sign = 1 if is_better_high(name) else -1
    test = sign_test([(sign * first, sign * second) for first, second in pairs])
    return ComparedMetric(
        name=name,
        baseline=sum(first for first, _ in pairs) / len(pairs),
        value=sum(second for _, second in pairs) / len(pairs),
        n=len(pairs),
        better=test.better,
        worse=test.worse,
        p=test.p,
        p_corrected=1.0,
        verdict=EQUAL,
    )


def _judged(row: ComparedMetric, p_corrected: float) -> ComparedMetric:
    verdict = EQUAL
    if p_corrected < SIGNIFICANT:
        verdict = "better" if row.better > row.worse else "worse"
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    return ComparedMetric(**(values | {"p_corrected": p_corrected, "verdict": verdict}))


def _differences(baseline: EvalReport, run: EvalReport) -> Iterator[str]:
    for field in fields(Fingerprint):
        before = getattr(baseline.fingerprint, field.name)
        after = getattr(run.fingerprint, field.name)
        if before != after:
            yield f"{field.name}: {_told(before)} → {_told(after)}"


def _told(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _notes(metrics: tuple[ComparedMetric, ...]) -> Iterator[str]:
    yield (
        "p: exact two-sided sign test on the questions that differ; corrected for "
        f"{len(metrics)} metrics (Holm)."
    )
    if not any(one.verdict != EQUAL for one in metrics):
        yield "On these questions the two runs cannot be told apart."
