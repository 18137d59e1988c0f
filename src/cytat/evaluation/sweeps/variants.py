"""Runs of many setups on one gold set -> variants beside the baseline. Pure.

Every comparison that is made counts in the correction: of twenty, one is below 0.05 by chance.
Groups are compared in their own family.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cytat.errors import UsageError
from cytat.evaluation.comparing import check_comparable, corrected, differing, paired
from cytat.evaluation.scoring import metric_value, pools_of
from cytat.evaluation.sweeps.setups import NamedSetup
from cytat.records import (
    ComparedMetric,
    EvalReport,
    Fingerprint,
    GroupComparison,
    MetricValue,
    Price,
    QuestionOutcome,
    Variant,
)
from cytat.records.metrics import SWEPT, SWEPT_BY_GROUP, SWEPT_GROUP_FIGURES

EXPECTED_TO_DIFFER = {
    "chunking": {"chunking", "chunks"},
    "budget": {"chunking", "chunks"},
    "embedder": {"encoder", "weights", "chunking", "chunks"},
    "mode": {"mode"},
    "fusion": {"fusion"},
}
"""Axis -> fields of the fingerprint that change with it."""
FILE_OWN = {"generation"}


@dataclass(frozen=True, slots=True)
class SweptRun:
    """The run of one setup, with what it costs."""

    named: NamedSetup
    run: EvalReport
    price: Price


def beside_baseline(runs: Sequence[SweptRun]) -> tuple[Variant, ...]:
    """Return each run as a variant, compared with the first.

    Raises:
        UsageError: runs differ in more than was asked for, as when the corpus changed meanwhile.
    """
    baseline, *others = runs
    for other in others:
        _check_same_but(baseline.run, other)
    rows = [list(_paired(baseline.run, other.run)) for other in others]
    judged = _split(corrected([row for some in rows for row in some]), rows)
    by_group = [list(_paired_groups(baseline.run, other.run)) for other in others]
    judged_groups = _corrected_groups(by_group)
    return (
        _variant(baseline, (), ()),
        *(
            _variant(other, compared, groups)
            for other, compared, groups in zip(others, judged, judged_groups, strict=True)
        ),
    )


def groups_of(questions: Sequence[QuestionOutcome]) -> dict[str, tuple[str, ...]]:
    """Return the groups that retrieval is measured in, each with the groups that it pools.

    `pl-author` and `pl-user` are also pooled as `pl`, `pl-user` and `en-user` as `user`. A pool of
    one group, or of all, says nothing new.
    """
    own = sorted(
        {
            question.group
            for question in questions
            if question.group is not None and question.targets
        }
    )
    pools = pools_of(own)
    return pools | {group: (group,) for group in own if len(own) > 1}


# ---------------------------------------------------------------- parts


def _check_same_but(baseline: EvalReport, other: SweptRun) -> None:
    check_comparable(baseline, other.run)
    expected = FILE_OWN.union(*(EXPECTED_TO_DIFFER[axis] for axis in other.named.differs))
    others = [
        f"{name}: {_shown(baseline.fingerprint, name)} → {_shown(other.run.fingerprint, name)}"
        for name in differing(baseline.fingerprint, other.run.fingerprint)
        if name not in expected
    ]
    if others:
        raise UsageError(
            f"{other.named.name} differs from the baseline in more than was asked: "
            f"{'; '.join(others)}",
            hint="run the sweep again; if the corpus was made by an earlier version, run "
            "`cytat reindex` first",
        )


def _shown(fingerprint: Fingerprint, name: str) -> str:
    return str(getattr(fingerprint, name))


def _paired(baseline: EvalReport, run: EvalReport) -> Iterator[ComparedMetric]:
    return paired(baseline, run, is_wanted=SWEPT.__contains__)


def _paired_groups(baseline: EvalReport, run: EvalReport) -> Iterator[GroupComparison]:
    for name, pooled in groups_of(baseline.questions).items():
        before, after = (_of_groups(report, pooled) for report in (baseline, run))
        for row in paired(before, after, is_wanted=SWEPT_BY_GROUP.__contains__):
            yield GroupComparison(name, row)


def _of_groups(run: EvalReport, groups: Sequence[str]) -> EvalReport:
    return replace(
        run, questions=tuple(outcome for outcome in run.questions if outcome.group in groups)
    )


def _split(
    judged: Sequence[ComparedMetric], rows: Sequence[Sequence[ComparedMetric]]
) -> Iterator[tuple[ComparedMetric, ...]]:
    """Yield the judged rows again as they were grouped."""
    at = 0
    for some in rows:
        yield tuple(judged[at : at + len(some)])
        at += len(some)


def _corrected_groups(
    by_group: Sequence[Sequence[GroupComparison]],
) -> Iterator[tuple[GroupComparison, ...]]:
    rows = [[row.metric for row in some] for some in by_group]
    judged = _split(corrected([row for some in rows for row in some]), rows)
    for some, metrics in zip(by_group, judged, strict=True):
        yield tuple(
            GroupComparison(row.group, metric) for row, metric in zip(some, metrics, strict=True)
        )


def _variant(
    other: SweptRun,
    compared: tuple[ComparedMetric, ...],
    by_group: tuple[GroupComparison, ...],
) -> Variant:
    return Variant(
        name=other.named.name,
        differs=other.named.differs,
        setup=other.named.setup,
        fingerprint=other.run.fingerprint,
        metrics=tuple(_metrics(other.run)),
        compared=compared,
        by_group=by_group,
        diagnosis=other.run.diagnosis,
        price=other.price,
    )


def _metrics(run: EvalReport) -> Iterator[MetricValue]:
    yield from (metric for metric in run.metrics if metric.group is None)
    for name, pooled in groups_of(run.questions).items():
        within = _of_groups(run, pooled).questions
        for metric in SWEPT_GROUP_FIGURES:
            scores = [outcome.scores[metric] for outcome in within if metric in outcome.scores]
            if scores:
                yield metric_value(metric, name, scores)
