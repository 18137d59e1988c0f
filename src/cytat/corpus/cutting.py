"""Settings and a corpus -> the cutter in force: what is set, else the corpus' own, else ours."""

from dataclasses import replace

from cytat.chunking import (
    DEFAULT_BUDGET_TOKENS,
    DEFAULT_CHUNKING,
    open_chunker,
    parse_chunker_name,
)
from cytat.config import Settings
from cytat.protocols import Chunker, Embedder
from cytat.store import Store
from cytat.store.chunkings import read_chunking


def chunker_in_force(
    settings: Settings, store: Store, *, embedder: Embedder, chunking: str | None
) -> Chunker:
    """Return the cutter.

    Args:
        settings: `chunking` and `chunk_tokens` count where they are set.
        store: goes on with its own chunking otherwise.
        embedder: counts the tokens.
        chunking: named for this call; counts above all.

    Raises:
        UsageError: no cutter has such a name.
    """
    with store.reading() as connection:
        own = read_chunking(connection)
    named = chunking or settings.chunking
    if named is not None:
        return open_chunker(
            named, embedder=embedder, budget_tokens=settings.chunk_tokens or DEFAULT_BUDGET_TOKENS
        )
    if settings.chunk_tokens is None:
        return open_chunker(own or DEFAULT_CHUNKING, embedder=embedder)
    parts = replace(parse_chunker_name(own or DEFAULT_CHUNKING), tokens=settings.chunk_tokens)
    return open_chunker(parts.text, embedder=embedder)
