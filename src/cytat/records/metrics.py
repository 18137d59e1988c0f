"""The metrics of a run: their names, their order, which way is better, and where each is shown.

A name with a depth, such as `recall@5`, is the metric within the first five hits; one that begins
with `document-` ranks documents in place of passages.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure of one question, from 0 to 1."""

    name: str
    """Without its depth."""
    is_better_high: bool = True
    is_compared: bool = True
    """Whether two runs are tested for a difference in it: each test makes the others harsher."""
    is_judged: bool = False
    """Whether a model judges it."""


METRICS = (
    Metric("recall"),
    Metric("hit"),
    Metric("mrr"),
    Metric("ndcg"),
    Metric("precision", is_compared=False),
    Metric("destroyed", is_better_high=False),
    Metric("correct"),
    Metric("lost", is_better_high=False),
    Metric("bluff", is_better_high=False),
    Metric("citation-precision"),
    Metric("citation-recall"),
    Metric("invented-markers", is_better_high=False),
    Metric("faithfulness", is_judged=True),
    Metric("answer-relevancy", is_judged=True),
    Metric("contextual-recall", is_judged=True),
)
"""In the order in which they are listed; those of documents come after them all."""

ORDER = {metric.name: place for place, metric in enumerate(METRICS)}
LOWER_IS_BETTER = frozenset(metric.name for metric in METRICS if not metric.is_better_high)
COMPARED = frozenset(metric.name for metric in METRICS if metric.is_compared)
JUDGED = tuple(metric.name for metric in METRICS if metric.is_judged)

COMPARED_DEPTHS = frozenset({1, 5, 10})
"""Neighbouring depths say almost the same, and each one more makes the correction harsher."""

# ---------------------------------------------------------------- what people are shown

DEPTHS_FIRST = ("recall@1", "recall@5", "recall@10")
TABLE = ("hit@5", "precision@5", "mrr", "ndcg@10", "document-recall@5", "destroyed", "correct",
         "lost", "bluff", "citation-precision", "citation-recall", "invented-markers",
         *JUDGED)  # fmt: skip
"""Of a run, after `DEPTHS_FIRST` and the run's deepest recall; the JSON holds the rest."""
TILES = ("recall@5", "mrr", "correct", "lost", "bluff", "destroyed")
"""At the top of a run's page."""
GROUP_TABLE = ("recall@5", "mrr", "correct", "lost", "bluff")

# ---------------------------------------------------------------- what a sweep compares

SWEPT_DEPTHS = (1, 5, 10, 20)
SWEPT = frozenset(f"recall@{depth}" for depth in SWEPT_DEPTHS)
"""What is tested over all questions. Means of ranks follow these: as tests of their own they would
make the correction harsher and say little more."""
SWEPT_BY_GROUP = frozenset({"recall@5"})
SWEPT_GROUP_FIGURES = ("recall@1", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")
"""What is reported of each group."""
SWEPT_FIGURES = ("recall@1", "recall@5", "ndcg@10", "mrr", "recall@10", "recall@20")
"""The first matter most: a narrow terminal leaves out the last."""
