"""Numbers of retrieval and answering, and how sure they are. Pure: no text, no store, no clock."""

from cytat.metrics.agreement import kappa, kappa_interval
from cytat.metrics.differences import SignTest, holm, sign_test
from cytat.metrics.intervals import Interval, bootstrap_mean, interval_of, wilson
from cytat.metrics.means import Mean, mean_of
from cytat.metrics.ranked import (
    distinct,
    hit_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from cytat.metrics.separation import auc

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
