"""Two runs -> a paired comparison; a run and demands -> the demands it does not meet. Pure.

Metrics are compared question by question with the exact sign test, corrected for their number
(Holm). What chance explains as well is called so in words.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from cytat.errors import UsageError
from cytat.evaluation.scoring import depths_up_to, is_better_high, metric_order, metrics_of
from cytat.metrics import holm, sign_test
from cytat.records import (
    EQUAL,
    ComparedMetric,
    EvalReport,
    Fingerprint,
    MetricValue,
    QuestionOutcome,
    RunComparison,
)
from cytat.records.metrics import COMPARED, COMPARED_DEPTHS


@dataclass(frozen=True, slots=True)
class Demand:
    """A metric that must reach `least`; for one of errors, stay at or below it."""

    metric: str
    bound: float


def parse_demand(text: str) -> Demand:
    """Return the demand of `recall@5=0.8`.

    Raises:
        UsageError: it is not METRIC=NUMBER.
    """
    name, sign, number = text.partition("=")
    try:
        bound = float(number)
    except ValueError:
        bound = -1.0
    if not sign or not name.strip() or not 0 <= bound <= 1:
        raise UsageError(
            f"{text!r} is not a demand on a metric", hint="for instance --min recall@5=0.8"
        )
    return Demand(name.strip(), bound)


def parse_demands(texts: Sequence[str]) -> Sequence[Demand]:
    """Return demands such as `recall@5=0.8`; UsageError if one is malformed."""
    return [parse_demand(text) for text in texts]


def unmet_demands(
    run: EvalReport,
    *,
    least: Sequence[Demand],
    most: Sequence[Demand],
    baseline: EvalReport | None,
) -> list[str]:
    """Return a sentence for each demand that a run does not meet."""
    failed = unmet(run.metrics, least=least, most=most)
    return failed + ([] if baseline is None else regressions(compare(baseline, run)))


def unmet_by(
    outcomes: Sequence[QuestionOutcome], *, least: Sequence[Demand], most: Sequence[Demand]
) -> list[str]:
    """Return a sentence for each demand that these outcomes together do not meet."""
    return unmet(metrics_of(outcomes), least=least, most=most)


def unmet(
    metrics: Sequence[MetricValue], *, least: Sequence[Demand] = (), most: Sequence[Demand] = ()
) -> list[str]:
    """Return a sentence for each demand that a run does not meet; a metric not measured does not.

    Raises:
        UsageError: the run has no such metric.
    """
    failed = []
    for demand in least:
        found = _metric(metrics, demand.metric)
        if found.value is None or found.value < demand.bound:
            failed.append(f"{_said(found)} is below {demand.bound:g}")
    for demand in most:
        found = _metric(metrics, demand.metric)
        if found.value is None or found.value > demand.bound:
            failed.append(f"{_said(found)} is above {demand.bound:g}")
    return failed


def regressions(comparison: RunComparison) -> list[str]:
    """Return a sentence for each metric that is worse, beyond chance, than the baseline's."""
    return [
        f"{row.name} fell from {row.baseline:.3f} to {row.value:.3f} "
        f"({row.worse} questions worse, {row.better} better, p = {row.p_corrected:.3g})"
        if is_better_high(row.name)
        else f"{row.name} rose from {row.baseline:.3f} to {row.value:.3f} "
        f"({row.worse} questions worse, {row.better} better, p = {row.p_corrected:.3g})"
        for row in comparison.metrics
        if row.verdict == "worse"
    ]


def _metric(metrics: Sequence[MetricValue], name: str) -> MetricValue:
    known = {metric.name: metric for metric in metrics if metric.group is None}
    if name not in known:
        raise UsageError(
            f"the run has no metric {name!r}", hint=f"it has {', '.join(known) or 'none'}"
        )
    return known[name]


def _said(found: MetricValue) -> str:
    if found.value is None:
        return f"{found.name}, which could not be measured,"
    return f"{found.name} = {found.value:.3f} ({found.n} questions)"


SIGNIFICANT = 0.05
INCOMPARABLE = {
    "gold": "they answer different gold sets",
    "documents": "their corpora hold different documents",
    "where": "they were filtered differently",
    "depth": "they looked at different depths",
}
"""Field of the fingerprint -> why runs that differ in it are not compared."""


def compare(baseline: EvalReport, run: EvalReport) -> RunComparison:
    """Return `run` beside `baseline`.

    Raises:
        UsageError: they cannot be compared, with every reason.
    """
    check_comparable(baseline, run)
    deepest = depths_up_to(run.fingerprint.depth)[-1]
    metrics = corrected(
        list(paired(baseline, run, is_wanted=lambda name: _is_compared(name, deepest)))
    )
    return RunComparison(metrics, tuple(_differences(baseline, run)), tuple(_notes(metrics)))


def check_comparable(baseline: EvalReport, run: EvalReport) -> None:
    """Refuse runs that cannot be put into one table.

    Raises:
        UsageError: with every reason.
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


def paired(
    baseline: EvalReport, run: EvalReport, *, is_wanted: Callable[[str], bool]
) -> Iterator[ComparedMetric]:
    """Yield the metrics that both runs have, paired by question; nothing is corrected yet."""
    before = {outcome.id: outcome.scores for outcome in baseline.questions}
    after = {outcome.id: outcome.scores for outcome in run.questions}
    names = {name for side in (before, after) for scores in side.values() for name in scores}
    for name in sorted(filter(is_wanted, names), key=metric_order):
        pairs = [
            (first, second)
            for id_, scores in before.items()
            if (first := scores.get(name)) is not None
            and (second := after.get(id_, {}).get(name)) is not None
        ]
        if pairs:
            yield compared_pairs(name, pairs, higher_is_better=is_better_high(name))


def corrected(rows: Sequence[ComparedMetric]) -> tuple[ComparedMetric, ...]:
    """Return the rows with p-values corrected for their number, and what they mean."""
    return tuple(
        _judged(row, p) for row, p in zip(rows, holm([row.p for row in rows]), strict=True)
    )


def differing(baseline: Fingerprint, other: Fingerprint) -> list[str]:
    """Return the fields in which two fingerprints differ."""
    return [
        field.name
        for field in fields(Fingerprint)
        if getattr(baseline, field.name) != getattr(other, field.name)
    ]


def _is_compared(name: str, deepest: int) -> bool:
    kind, _, depth = name.partition("@")
    return kind in COMPARED and (not depth or int(depth) in COMPARED_DEPTHS | {deepest})


def _shown(report: EvalReport, name: str) -> str:
    return str(getattr(report.fingerprint, name) or "none")


def compared_pairs(
    name: str, pairs: Sequence[tuple[float, float]], *, higher_is_better: bool
) -> ComparedMetric:
    """Return a metric before and after, question by question; nothing is corrected yet."""
    sign = 1 if higher_is_better else -1
    test = sign_test([(sign * first, sign * second) for first, second in pairs])
    return ComparedMetric(
        name=name,
        baseline=math.fsum(first for first, _ in pairs) / len(pairs),
        value=math.fsum(second for _, second in pairs) / len(pairs),
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
    return replace(row, p_corrected=p_corrected, verdict=verdict)


def _differences(baseline: EvalReport, run: EvalReport) -> Iterator[str]:
    for name in differing(baseline.fingerprint, run.fingerprint):
        before, after = getattr(baseline.fingerprint, name), getattr(run.fingerprint, name)
        yield f"{name}: {_in_words(before)} → {_in_words(after)}"


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _notes(metrics: tuple[ComparedMetric, ...]) -> Iterator[str]:
    yield (
        "p: exact two-sided sign test on the questions that differ; corrected for "
        f"{len(metrics)} metrics (Holm)."
    )
    if not any(row.verdict != EQUAL for row in metrics):
        yield "On these questions the two runs cannot be told apart."
