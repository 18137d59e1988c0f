"""Vectors in memory: blocks of them, and the ranking by cosine."""

from cytat.vectors.blocks import BLOCK_VECTORS, Keys, VectorBlock, VectorBlocks, keys_of
from cytat.vectors.ranking import VectorsRanking, rank_by_cosine

__all__ = [
    "BLOCK_VECTORS",
    "Keys",
    "VectorBlock",
    "VectorBlocks",
    "VectorsRanking",
    "keys_of",
    "rank_by_cosine",
]
