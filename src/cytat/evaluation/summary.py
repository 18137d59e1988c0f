"""Question outcomes -> metrics with intervals, by group, and what to fix first. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from cytat.evaluation.scoring import LOWER_IS_BETTER
from cytat.metrics import interval_of, mean_of, wilson
from cytat.records import Cause, Finding, JudgedBy, MetricValue, QuestionOutcome

ORDER = (
    "recall",
    "hit",
    "mrr",
    "ndcg",
    "precision",
    "destroyed",
    "correct",
    "lost",
    "bluff",
    "citation-precision",
    "citation-recall",
    "invented-markers",
    "faithfulness",
    "answer-relevancy",
    "contextual-recall",
)
"""In which metrics are listed; those of documents after them all."""
BETWEEN_PARTS = re.compile(r"[\s/_-]+")
"""What parts the name of a group: `pl-author` is of `pl` and of `author`."""


def metrics_of(outcomes: Sequence[QuestionOutcome]) -> tuple[MetricValue, ...]:
    """Return every metric over all questions, then over each group, in a fixed order."""
    values = list(_metrics_within(outcomes, None))
    for group, within in groups_within(outcomes).items():
        values += _metrics_within(within, group)
    return tuple(values)


def _metrics_within(
    outcomes: Sequence[QuestionOutcome], group: str | None
) -> Iterator[MetricValue]:
    """Yield every metric over questions that are called `group`."""
    names = {name for outcome in outcomes for name in outcome.scores}
    for name in sorted(names, key=metric_order):
        scores = [one.scores[name] for one in outcomes if name in one.scores]
        yield metric_value(name, group, scores)


def groups_within(outcomes: Sequence[QuestionOutcome]) -> dict[str, list[QuestionOutcome]]:
    """Return the groups that the gold names, then those by language and by type of document.

    `pl-author` and `pl-user` are also pooled as `pl`, `pl-user` and `en-user` as `user`. A
    division with one part says nothing new.
    """
    divisions: tuple[dict[str, list[QuestionOutcome]], ...] = ({}, {}, {})
    for one in outcomes:
        names = (
            one.group,
            one.language and f"language {one.language}",
            one.type and f"type {one.type}",
        )
        for division, name in zip(divisions, names, strict=True):
            if name is not None:
                division.setdefault(name, []).append(one)
    own = divisions[0]
    pools = {
        part: [one for group in groups for one in own[group]]
        for part, groups in pools_of(sorted(own)).items()
    }
    return pools | {
        name: division[name]
        for division in divisions
        if len(division) > 1
        for name in sorted(division)
    }


def pools_of(groups: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return each part of several groups' names with those groups, where that is not all."""
    parts = Counter(part for one in groups for part in dict.fromkeys(BETWEEN_PARTS.split(one)))
    return {
        part: tuple(one for one in groups if part in BETWEEN_PARTS.split(one))
        for part, count in sorted(parts.items())
        if 1 < count < len(groups) and part not in groups
    }


def metric_order(name: str) -> tuple[int, int, int]:
    """Return what metrics are sorted by: kind, then depth."""
    plain, _, depth = name.removeprefix("document-").partition("@")
    place = ORDER.index(plain) if plain in ORDER else len(ORDER)
    return int(name.startswith("document-")), place, int(depth or 0)


def is_better_high(name: str) -> bool:
    """Say whether more of a metric is better."""
    return re.sub("@.*", "", name) not in LOWER_IS_BETTER


def metric_value(name: str, group: str | None, scores: Sequence[float | None]) -> MetricValue:
    """Return a metric's mean with its interval."""
    mean = mean_of(scores)
    if mean.value is None:
        return MetricValue(name, group, None, None, None, None, 0, mean.not_measured)
    interval = interval_of([one for one in scores if one is not None and not math.isnan(one)])
    return MetricValue(
        name, group, mean.value, interval.low, interval.high, interval.method, mean.n,
        mean.not_measured,
    )  # fmt: skip


# ---------------------------------------------------------------- diagnosis


def diagnose(
    outcomes: Sequence[QuestionOutcome], *, found_depth: int, has_model: bool
) -> tuple[Finding, ...]:
    """Return what went wrong, the cause of most failures first; upstream first among equals."""
    findings = [
        _finding(cause, outcomes, found_depth=found_depth, has_model=has_model) for cause in Cause
    ]
    wrong = [one for one in findings if one.questions]
    order = list(Cause)
    wrong.sort(key=lambda one: (-one.questions, order.index(one.cause or Cause.CUTTING)))
    return tuple(wrong) or (_nothing_wrong(outcomes),)


def _finding(
    cause: Cause, outcomes: Sequence[QuestionOutcome], *, found_depth: int, has_model: bool
) -> Finding:
    is_refusing = cause is Cause.REFUSING
    among = [one for one in outcomes if one.is_answerable is not is_refusing and _is_judged(one)]
    count = sum(one.cause is cause for one in among)
    share = f"{count} of {len(among)}"
    needles = [
        target for one in outcomes for target in one.targets if target.kind is JudgedBy.NEEDLES
    ]
    destroyed = sum(target.is_destroyed for target in needles)
    part = "prompt or the model" if has_model else "answering"
    advice = {
        Cause.CUTTING: f"Fix the cutting: {destroyed} of {len(needles)} answers stand whole in no "
        f"chunk, which fails {share} questions.",
        Cause.RETRIEVAL: f"Fix the retrieval: for {share} questions what answers is whole in a "
        f"chunk and not among the first {found_depth} hits.",
        Cause.ANSWERING: f"Fix the {part}: for {share} questions what answers was among the first "
        f"{found_depth} hits, and the reply was a refusal or wrong.",
        Cause.REFUSING: f"Fix the refusal: {share} questions without an answer were answered.",
    }
    return Finding(cause, count, len(among), advice[cause])


def _is_judged(outcome: QuestionOutcome) -> bool:
    return outcome.judged_by is not JudgedBy.NOTHING or not outcome.is_answerable


def _nothing_wrong(outcomes: Sequence[QuestionOutcome]) -> Finding:
    judged = sum(_is_judged(one) for one in outcomes)
    if not judged:
        return Finding(None, 0, 0, "Nothing could be judged: the gold set names no right places.")
    most = wilson(0, judged).high
    return Finding(
        None,
        0,
        judged,
        f"Nothing to fix among these {judged} questions; so few cannot rule out that up to "
        f"{most:.0%} of others fail.",
    )
