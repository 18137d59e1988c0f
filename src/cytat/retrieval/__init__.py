"""A question -> hits: words and vectors, fused."""

from cytat.retrieval.fusion import (
    DEFAULT_FUSION,
    Arm,
    Fusion,
    FusionRule,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    parse_fusion,
    weight_of_vectors,
)
from cytat.retrieval.retrieve import retrieve
from cytat.retrieval.search import (
    Mode,
    QuestionStatistics,
    Retrieved,
    SearchRequest,
    Stages,
    parse_mode,
)

__all__ = [
    "DEFAULT_FUSION",
    "Arm",
    "Fusion",
    "FusionRule",
    "Mode",
    "QuestionStatistics",
    "Retrieved",
    "SearchRequest",
    "Stages",
    "fuse_best_shares",
    "fuse_reciprocal_ranks",
    "fuse_standard_scores",
    "parse_fusion",
    "parse_mode",
    "retrieve",
    "weight_of_vectors",
]
