"""Document -> Chunks: where a document is cut, in the encoder's own tokens."""

from cytat.chunking.fixed import FixedChunker
from cytat.chunking.structure import DEFAULT_BUDGET_TOKENS, StructureChunker

__all__ = ["DEFAULT_BUDGET_TOKENS", "FixedChunker", "StructureChunker"]
