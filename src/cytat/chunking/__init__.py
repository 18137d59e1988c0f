"""Document -> Chunks: where a document is cut, in the encoder's own tokens."""

from cytat.chunking.boundaries import BoundaryChunker
from cytat.chunking.fixed import FixedChunker
from cytat.chunking.names import is_same_chunking, parse_chunker_name
from cytat.chunking.opening import DEFAULT_CHUNKING, open_chunker
from cytat.chunking.pathless import PathlessChunker
from cytat.chunking.semantic import SemanticChunker
from cytat.chunking.sentence_windows import SentenceWindowChunker
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
