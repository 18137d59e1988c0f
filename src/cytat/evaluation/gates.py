"""A run + what is demanded of it -> the demands it does not meet, as sentences. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.errors import UsageError
from cytat.evaluation.summary import is_better_high
from cytat.records import MetricValue, RunComparison


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
            f"{text!r} is no demand on a metric", hint="for instance --min recall@5=0.8"
        )
    return Demand(name.strip(), bound)


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
        f"{one.name} fell from {one.baseline:.3f} to {one.value:.3f} "
        f"({one.worse} questions worse, {one.better} better, p = {one.p_corrected:.3g})"
        if is_better_high(one.name)
        else f"{one.name} rose from {one.baseline:.3f} to {one.value:.3f} "
        f"({one.worse} questions worse, {one.better} better, p = {one.p_corrected:.3g})"
        for one in comparison.metrics
        if one.verdict == "worse"
    ]


def _metric(metrics: Sequence[MetricValue], name: str) -> MetricValue:
    known = {one.name: one for one in metrics if one.group is None}
    if name not in known:
        raise UsageError(
            f"the run has no metric {name!r}", hint=f"it has {', '.join(known) or 'none'}"
        )
    return known[name]


def _said(found: MetricValue) -> str:
    if found.value is None:
        return f"{found.name}, which could not be measured,"
    return f"{found.name} = {found.value:.3f} ({found.n} questions)"
