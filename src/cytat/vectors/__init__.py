"""The vectors of a corpus: written as blobs, ranked by cosine in memory."""

from cytat.vectors.index import VectorIndex
from cytat.vectors.matrix import write_vectors

__all__ = ["VectorIndex", "write_vectors"]
