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
from cytat.retrieval.units import FoundUnit, UnitSearch, search_unit

__all__ = [
    "DEFAULT_FUSION",
    "Arm",
    "FoundUnit",
    "Fusion",
    "FusionRule",
    "Mode",
    "QuestionStatistics",
    "Retrieved",
    "SearchRequest",
    "Stages",
    "UnitSearch",
    "fuse_best_shares",
    "fuse_reciprocal_ranks",
    "fuse_standard_scores",
    "parse_fusion",
    "parse_mode",
    "retrieve",
    "search_unit",
    "weight_of_vectors",
]
