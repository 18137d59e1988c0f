"""Document -> Chunks of so many sentences, some of them shared by neighbours. Pure.

A row of a table and a line of code count as a sentence. A window over the budget holds fewer; a
sentence over the budget is cut.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from cytat.chunking.atoms import atoms
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import order_of_seams
from cytat.chunking.seams import sentences as sentence_seam
from cytat.chunking.whole_texts import check_budget, check_shared, cut_as_planned, runs
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span

DEFAULT_SENTENCES = 5
"""A paragraph of ordinary prose."""


class SentenceWindowChunker:
    """Cuts every so many sentences; implements `protocols.Chunker`."""

    def __init__(
        self, budget_tokens: int, token_ends: TokenEnds, *, sentences: int, shared: int
    ) -> None:
        check_budget(budget_tokens)
        if sentences < 1:
            raise SettingsError(
                f"a window of {sentences} sentences holds nothing", hint="set it to 1 or more."
            )
        check_shared(shared, of=sentences, what="shared sentences")
        self.name = f"sentences/1:{sentences}+{shared}:{budget_tokens}"
        self._budget_tokens = budget_tokens
        self._token_ends = token_ends
        self._sentences = sentences
        self._shared = shared

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order; each starts and ends after the one before."""
        found = list(runs(document))

        def plan(ruler: TokenRuler, room: int) -> list[Span]:
            return [
                window
                for run in found
                for window in self._windows(ruler, sentences_of(ruler, run, room=room), room=room)
            ]

        return cut_as_planned(document, self._token_ends, plan, budget_tokens=self._budget_tokens)

    def _windows(
        self, ruler: TokenRuler, sentences: Sequence[Span], *, room: int
    ) -> Iterator[Span]:
        """Yield spans of neighbouring sentences; a new one always brings a new sentence."""
        firsts = [ruler.first_token(one.start) for one in sentences]
        afters = [ruler.token_after(one.end) for one in sentences]
        start = after = 0
        while after < len(sentences):
            end = bisect_right(afters, firsts[start] + room)
            while end <= after and start < after:
                # With all that is shared, the next sentence does not fit: less is shared.
                start += 1
                end = bisect_right(afters, firsts[start] + room)
            end = max(min(end, start + self._sentences), after + 1)
            yield Span(sentences[start].start, sentences[end - 1].end)
            start, after = max(end - self._shared, start + 1), end


def sentences_of(ruler: TokenRuler, run: Sequence[Block], *, room: int) -> list[Span]:
    """Return the sentences of neighbouring blocks; what exceeds the room is cut further."""
    return [
        part
        for block in run
        for sentence in _sentences_within(ruler.text, block)
        for part in atoms(ruler, sentence, seams=order_of_seams(block.kind)[1:], room=room)
    ]


def _sentences_within(text: str, block: Block) -> list[Span]:
    if block.kind in {BlockKind.TABLE, BlockKind.CODE}:
        rows, code_lines = order_of_seams(BlockKind.TABLE)[0], order_of_seams(BlockKind.CODE)[1]
        return (rows if block.kind is BlockKind.TABLE else code_lines)(text, block.span)
    return sentence_seam(text, block.span)
