"""Document -> Chunks cut as `structure` cuts, with no heading path in front. Pure.

The spans are the same with and without: the difference between the two is what the heading path
alone brings, and what it costs. Here a heading stands in no chunk at all, so that this cutter is
for measuring.
"""

from collections.abc import Sequence

from cytat.chunking.passages import Cut, Frame, named
from cytat.chunking.ruler import TokenEnds
from cytat.chunking.structure import StructureChunker
from cytat.records import Chunk, Document


class PathlessChunker:
    """Takes the heading paths off the chunks of `structure`; implements `protocols.Chunker`."""

    def __init__(self, budget_tokens: int, token_ends: TokenEnds) -> None:
        self._structure = StructureChunker(budget_tokens, token_ends)
        self._budget_tokens = budget_tokens
        self.name = f"pathless/1:{budget_tokens}"

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order."""
        chunks = self._structure.cut(document)
        return named(
            document,
            (Cut(one.span, Frame((), one.context, self._budget_tokens)) for one in chunks),
        )
