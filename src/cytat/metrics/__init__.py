"""Numbers of retrieval and answering, and how sure they are. Pure: no text, no store, no clock."""

from cytat.metrics.intervals import (
    Interval,
    Mean,
    SignTest,
    bootstrap_mean,
    holm,
    interval_of,
    kappa,
    kappa_interval,
    mean_of,
    sign_test,
    wilson,
)
from cytat.metrics.ranked import (
    auc,
    distinct,
    hit_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)

__all__ = [
    "Interval",
    "Mean",
    "SignTest",
    "auc",
    "bootstrap_mean",
    "distinct",
    "hit_at",
    "holm",
    "interval_of",
    "kappa",
    "kappa_interval",
    "mean_of",
    "ndcg_at",
    "precision_at",
    "recall_at",
    "reciprocal_rank",
    "sign_test",
    "wilson",
]
