"""Targets, hits, a reply -> the scores of one question, by metric name. Pure.

Where a question has needles, they are what has to be found: recall@k is the share of its needles
that one of the first k hits holds whole. Chunks, then titles, then sources stand in where the gold
names no needles. `document-` metrics rank documents, each by its best chunk.
"""

from collections.abc import Mapping, Sequence

from cytat.metrics import (
    hit_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from cytat.records import JudgedBy, JudgedCitation, Outcome, Target

DEPTHS = (1, 3, 5, 10, 20, 50, 100)
"""Depths that are reported, as far as the run goes."""

Scores = dict[str, float | None]

LOWER_IS_BETTER = frozenset({"lost", "bluff", "destroyed", "invented-markers"})


def depths_up_to(depth: int) -> list[int]:
    """Return the depths reported for a run of some depth."""
    return [one for one in DEPTHS if one < depth] + [depth]


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
    judged = [one.is_right for one in citations if one.is_right is not None]
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
