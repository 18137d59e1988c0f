"""A name and an embedder -> the cutter. The one door for the corpus and for measurements."""

from dataclasses import replace

from cytat.chunking.boundaries import BoundaryChunker
from cytat.chunking.fixed import FixedChunker
from cytat.chunking.names import ChunkerName, parse_chunker_name
from cytat.chunking.pathless import PathlessChunker
from cytat.chunking.semantic import DEFAULT_PERCENTILE, SemanticChunker
from cytat.chunking.sentence_windows import DEFAULT_SENTENCES, SentenceWindowChunker
from cytat.chunking.structure import DEFAULT_BUDGET_TOKENS, StructureChunker
from cytat.protocols import Chunker, Embedder

DEFAULT_CHUNKING = "structure"


def open_chunker(
    name: str, *, embedder: Embedder, budget_tokens: int = DEFAULT_BUDGET_TOKENS
) -> Chunker:
    """Return the cutter that `name` means.

    Args:
        name: such as "structure" or "fixed:256+32"; a stamp's own name will do.
        embedder: counts the tokens; the semantic cutter also asks it for vectors.
        budget_tokens: what a chunk may have if the name does not say. Neither is ever more than
            the encoder sees.

    Raises:
        UsageError: no cutter has such a name, or its numbers make no sense.
    """
    parts = parse_chunker_name(name)
    tokens = min(parts.tokens if parts.tokens is not None else budget_tokens, embedder.max_tokens)
    return _opened(replace(parts, tokens=tokens), tokens, embedder)


def _opened(parts: ChunkerName, tokens: int, embedder: Embedder) -> Chunker:
    shared = parts.shared or 0
    match parts.kind:
        case "fixed":
            return FixedChunker(tokens, shared, embedder.token_ends)
        case "pathless":
            return PathlessChunker(tokens, embedder.token_ends)
        case "boundaries":
            return BoundaryChunker(tokens, embedder.token_ends)
        case "sentences":
            count = DEFAULT_SENTENCES if parts.number is None else parts.number
            return SentenceWindowChunker(
                tokens, embedder.token_ends, sentences=count, shared=shared
            )
        case "semantic":
            percentile = DEFAULT_PERCENTILE if parts.number is None else parts.number
            return SemanticChunker(tokens, embedder, percentile=percentile)
        case _:
            return StructureChunker(tokens, embedder.token_ends)
