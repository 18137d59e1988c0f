"""Document -> Chunks: where a document is cut, in the encoder's own tokens."""

from cytat.chunking.opening import (
    DEFAULT_CHUNKING,
    is_same_chunking,
    open_chunker,
    parse_chunker_name,
)
from cytat.chunking.plain import (
    BoundaryChunker,
    FixedChunker,
    PathlessChunker,
    SentenceWindowChunker,
)
from cytat.chunking.semantic import SemanticChunker
from cytat.chunking.structure import DEFAULT_BUDGET_TOKENS, StructureChunker

__all__ = [
    "DEFAULT_BUDGET_TOKENS",
    "DEFAULT_CHUNKING",
    "BoundaryChunker",
    "FixedChunker",
    "PathlessChunker",
    "SemanticChunker",
    "SentenceWindowChunker",
    "StructureChunker",
    "is_same_chunking",
    "open_chunker",
    "parse_chunker_name",
]
