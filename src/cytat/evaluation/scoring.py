"""Targets, hits, a reply -> the scores of one question; outcomes -> metrics and a diagnosis. Pure.

Where a question has needles, they are what has to be found: recall@k is the share of its needles
that one of the first k hits holds whole. Chunks, then titles, then sources are used where the gold
names no needles. `document-` metrics rank documents, each by its best chunk.

Metrics are means over questions with their intervals, over all and by group; the diagnosis says
what to fix first.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from cytat.metrics import (
    hit_at,
    interval_of,
    mean_of,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    wilson,
)
from cytat.records import (
    Cause,
    Finding,
    JudgedBy,
    JudgedCitation,
    MetricValue,
    Outcome,
    QuestionOutcome,
    Target,
)
from cytat.records.metrics import LOWER_IS_BETTER, ORDER

DEPTHS = (1, 3, 5, 10, 20, 50, 100)
"""Depths that are reported, as far as the run goes."""

Scores = dict[str, float | None]


def depths_up_to(depth: int) -> list[int]:
    """Return the depths reported for a run of some depth."""
    return [rank for rank in DEPTHS if rank < depth] + [depth]


def scores_of_targets(targets: Sequence[Target], *, depth: int) -> Scores:
    """Return the metrics of passages.

    Recall counts targets. The other metrics count hits that bring a target for the first time, so
    that two needles in one passage are not two relevant passages.
    """
    ranks = [target.rank for target in targets]
    scores: Scores = {}
    for k in depths_up_to(depth):
        found = sum(rank is not None and rank <= k for rank in ranks)
        scores[f"recall@{k}"] = found / len(ranks)
    first_ranks = sorted({rank for rank in ranks if rank is not None})
    ranked = [f"miss {rank}" for rank in range(1, depth + 1)]
    for rank in first_ranks:
        ranked[rank - 1] = f"hit {rank}"
    grades = dict.fromkeys((f"hit {rank}" for rank in first_ranks), 1)
    grades |= dict.fromkeys((f"unfound {at}" for at, rank in enumerate(ranks) if rank is None), 1)
    return scores | _of_ranking(ranked, grades, depth=depth, prefix="")


def scores_of_documents(
    ranked: Sequence[str], grades: Mapping[str, int], *, depth: int, prefix: str
) -> Scores:
    """Return the metrics of documents, ranked by their best chunks."""
    scores: Scores = {
        f"{prefix}recall@{k}": recall_at(ranked, grades, depth=k) for k in depths_up_to(depth)
    }
    return scores | _of_ranking(ranked, grades, depth=depth, prefix=prefix)


def _of_ranking(
    ranked: Sequence[str], grades: Mapping[str, int], *, depth: int, prefix: str
) -> Scores:
    scores: Scores = {f"{prefix}mrr": reciprocal_rank(ranked[:depth], grades)}
    for k in depths_up_to(depth):
        scores[f"{prefix}hit@{k}"] = hit_at(ranked, grades, depth=k)
        scores[f"{prefix}precision@{k}"] = precision_at(ranked, grades, depth=k)
        scores[f"{prefix}ndcg@{k}"] = ndcg_at(ranked, grades, depth=k)
    return scores


def scores_of_reply(
    outcome: Outcome,
    citations: Sequence[JudgedCitation],
    *,
    recalled: float | None,
    invented_markers: int,
    is_answerable: bool,
) -> Scores:
    """Return the metrics of an answer or refusal; `recalled` is the share of targets cited."""
    if not is_answerable:
        return {"bluff": float(outcome is Outcome.BLUFF)}
    scores: Scores = {"lost": float(outcome is Outcome.LOST)}
    is_judged = outcome is not Outcome.NOT_JUDGED
    scores["correct"] = float(outcome is Outcome.RIGHT) if is_judged else None
    if outcome is Outcome.LOST:
        return scores
    judged = [citation.is_right for citation in citations if citation.is_right is not None]
    scores["citation-precision"] = sum(judged) / len(judged) if judged else None
    scores["citation-recall"] = recalled
    scores["invented-markers"] = float(invented_markers > 0)
    return scores


def destroyed_score(targets: Sequence[Target]) -> Scores:
    """Return whether a question with needles lost one of them to the cutting."""
    needles = [target for target in targets if target.kind is JudgedBy.NEEDLES]
    if not needles:
        return {}
    return {"destroyed": float(any(target.is_destroyed for target in needles))}


# ---------------------------------------------------------------- over many questions


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
        scores = [outcome.scores[name] for outcome in outcomes if name in outcome.scores]
        yield metric_value(name, group, scores)


def groups_within(outcomes: Sequence[QuestionOutcome]) -> dict[str, list[QuestionOutcome]]:
    """Return the groups that the gold names, then those by language and by type of document.

    `pl-author` and `pl-user` are also pooled as `pl`, `pl-user` and `en-user` as `user`. A
    division with one part says nothing new.
    """
    divisions: tuple[dict[str, list[QuestionOutcome]], ...] = ({}, {}, {})
    for outcome in outcomes:
        names = (
            outcome.group,
            outcome.language and f"language {outcome.language}",
            outcome.type and f"type {outcome.type}",
        )
        for division, name in zip(divisions, names, strict=True):
            if name is not None:
                division.setdefault(name, []).append(outcome)
    own = divisions[0]
    pools = {
        part: [score for group in groups for score in own[group]]
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
    parts = Counter(part for group in groups for part in dict.fromkeys(BETWEEN_PARTS.split(group)))
    return {
        part: tuple(group for group in groups if part in BETWEEN_PARTS.split(group))
        for part, count in sorted(parts.items())
        if 1 < count < len(groups) and part not in groups
    }


def metric_order(name: str) -> tuple[int, int, int]:
    """Return what metrics are sorted by: kind, then depth."""
    plain, _, depth = name.removeprefix("document-").partition("@")
    return int(name.startswith("document-")), ORDER.get(plain, len(ORDER)), int(depth or 0)


def is_better_high(name: str) -> bool:
    """Say whether more of a metric is better."""
    return re.sub("@.*", "", name) not in LOWER_IS_BETTER


def metric_value(name: str, group: str | None, scores: Sequence[float | None]) -> MetricValue:
    """Return a metric's mean with its interval."""
    mean = mean_of(scores)
    if mean.value is None:
        return MetricValue(name, group, None, None, None, None, 0, mean.not_measured)
    interval = interval_of(
        [score for score in scores if score is not None and not math.isnan(score)]
    )
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
    wrong = [finding for finding in findings if finding.questions]
    order = list(Cause)
    wrong.sort(
        key=lambda finding: (-finding.questions, order.index(finding.cause or Cause.CUTTING))
    )
    return tuple(wrong) or (_nothing_wrong(outcomes),)


def _finding(
    cause: Cause, outcomes: Sequence[QuestionOutcome], *, found_depth: int, has_model: bool
) -> Finding:
    is_refusing = cause is Cause.REFUSING
    among = [
        outcome
        for outcome in outcomes
        if outcome.is_answerable is not is_refusing and _is_judged(outcome)
    ]
    count = sum(outcome.cause is cause for outcome in among)
    share = f"{count} of {len(among)}"
    needles = [
        target
        for outcome in outcomes
        for target in outcome.targets
        if target.kind is JudgedBy.NEEDLES
    ]
    destroyed = sum(target.is_destroyed for target in needles)
    part = "prompt or the model" if has_model else "answering"
    advice = {
        Cause.CUTTING: f"Fix the chunking: {destroyed} of {len(needles)} answers are not whole "
        f"in any chunk, which fails {share} questions.",
        Cause.RETRIEVAL: f"Fix the retrieval: for {share} questions the answer is in one chunk, "
        f"but search missed it among the first {found_depth} hits.",
        Cause.ANSWERING: f"Fix the {part}: for {share} questions the answer was among the first "
        f"{found_depth} hits, but the reply was a refusal or wrong.",
        Cause.REFUSING: f"Fix the refusal: {share} questions without an answer were answered.",
    }
    return Finding(cause, count, len(among), advice[cause])


def _is_judged(outcome: QuestionOutcome) -> bool:
    return outcome.judged_by is not JudgedBy.NOTHING or not outcome.is_answerable


def _nothing_wrong(outcomes: Sequence[QuestionOutcome]) -> Finding:
    judged = sum(_is_judged(outcome) for outcome in outcomes)
    if not judged:
        return Finding(None, 0, 0, "Nothing could be judged: the gold set names no right places.")
    most = wilson(0, judged).high
    return Finding(
        None,
        0,
        judged,
        f"Nothing to fix in these {judged} questions; with so few, up to "
        f"{most:.0%} of other questions may still fail.",
    )
