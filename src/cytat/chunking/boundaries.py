"""Document -> Chunks between paragraphs, else between sentences; headings are words. Pure.

What structure brings is measured against this cutter: the same seams and the same budget, but no
heading path in front, and chunks that run on across headings.
"""

from collections.abc import Sequence

from cytat.chunking.atoms import atoms
from cytat.chunking.packing import Piece, pack
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import order_of_seams
from cytat.chunking.whole_texts import check_budget, cut_as_planned, runs
from cytat.records import Block, Chunk, Document, Span


class BoundaryChunker:
    """Fills chunks with whole paragraphs; implements `protocols.Chunker`."""

    def __init__(self, budget_tokens: int, token_ends: TokenEnds) -> None:
        check_budget(budget_tokens)
        self.name = f"boundaries/1:{budget_tokens}"
        self._budget_tokens = budget_tokens
        self._token_ends = token_ends

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order."""
        found = list(runs(document))

        def plan(ruler: TokenRuler, room: int) -> list[Span]:
            return [span for run in found for span in _packed(ruler, run, room=room)]

        return cut_as_planned(document, self._token_ends, plan, budget_tokens=self._budget_tokens)


def _packed(ruler: TokenRuler, run: Sequence[Block], *, room: int) -> list[Span]:
    parts = [
        part
        for block in run
        for part in atoms(ruler, block.span, seams=order_of_seams(block.kind), room=room)
    ]
    pieces = [Piece(ruler.first_token(at.start), ruler.token_after(at.end)) for at in parts]
    groups = pack(pieces, room=room, room_first=room)
    return [Span(parts[group[0]].start, parts[group[-1]].end) for group in groups]
