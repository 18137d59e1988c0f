"""A question -> candidates: words and vectors, fused."""

from cytat.retrieval.fusion import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    weight_of_vectors,
)
from cytat.retrieval.hybrid import Fusion, HybridRetriever, Mode, Retrieved
from cytat.retrieval.rules import DEFAULT_FUSION, FusionRule, parse_fusion
from cytat.retrieval.stages import Record, Stages, ignore

__all__ = [
    "DEFAULT_FUSION",
    "Arm",
    "Fusion",
    "FusionRule",
    "HybridRetriever",
    "Mode",
    "Record",
    "Retrieved",
    "Stages",
    "fuse_best_shares",
    "fuse_reciprocal_ranks",
    "fuse_standard_scores",
    "ignore",
    "parse_fusion",
    "weight_of_vectors",
]
