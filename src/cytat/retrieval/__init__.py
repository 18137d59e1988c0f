"""A question -> candidates: words and vectors, fused."""

from cytat.retrieval.fusion import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
    weight_of_vectors,
)
from cytat.retrieval.hybrid import Fusion, HybridRetriever, Mode, Retrieved
from cytat.retrieval.stages import Record, Stages, ignore

__all__ = [
    "Arm",
    "Fusion",
    "HybridRetriever",
    "Mode",
    "Record",
    "Retrieved",
    "Stages",
    "fuse_best_shares",
    "fuse_reciprocal_ranks",
    "fuse_standard_scores",
    "ignore",
    "weight_of_vectors",
]
