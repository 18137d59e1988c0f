"""Document -> Chunks by plain rules, which the default cutter is measured against. Pure.

`BoundaryChunker` shows what structure brings: it has the same seams and the same budget, but no
heading path in front, and chunks that run on across headings.

`FixedChunker`: chunks end between words and may overlap by whole words. A word larger than a chunk
is cut hard.

`SentenceWindowChunker`: a row of a table and a line of code count as a sentence. A window over the
budget holds fewer; a sentence over the budget is cut.

`PathlessChunker`: the spans are those of `StructureChunker`, and the difference between the two is
what the heading path alone brings, and what it costs. Here no chunk contains a heading, so
that this cutter is for measuring.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from cytat.chunking.passages import (
    Cut,
    PassageFrame,
    check_budget,
    check_shared,
    cut_as_planned,
    named,
    runs,
)
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import PackablePiece, atoms, bare_words, order_of_seams, pack
from cytat.chunking.seams import sentences as sentence_seam
from cytat.chunking.structure import StructureChunker
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span


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
    pieces = [PackablePiece(ruler.first_token(at.start), ruler.token_after(at.end)) for at in parts]
    groups = pack(pieces, room=room, room_first=room)
    return [Span(parts[group[0]].start, parts[group[-1]].end) for group in groups]


class FixedChunker:
    """Cuts every so many tokens, title included; implements `protocols.Chunker`."""

    def __init__(self, size_tokens: int, overlap_tokens: int, token_ends: TokenEnds) -> None:
        check_budget(size_tokens)
        check_shared(overlap_tokens, of=size_tokens, what="overlap_tokens")
        self.name = f"fixed/1:{size_tokens}+{overlap_tokens}"
        self._size_tokens = size_tokens
        self._overlap_tokens = overlap_tokens
        self._token_ends = token_ends

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order; each starts and ends after the one before."""
        return cut_as_planned(
            document, self._token_ends, self._plan, budget_tokens=self._size_tokens
        )

    def _plan(self, ruler: TokenRuler, room: int) -> list[Span]:
        whole = Span(0, len(ruler.text))
        words = [
            part
            for word in bare_words(ruler.text, whole)
            for part in atoms(ruler, word, seams=(), room=room)
        ]
        return list(self._windows(ruler, words, room=room))

    def _windows(self, ruler: TokenRuler, words: Sequence[Span], *, room: int) -> Iterator[Span]:
        """Yield spans of neighbouring words; a new one always brings a new word."""
        firsts = [ruler.first_token(word.start) for word in words]
        afters = [ruler.token_after(word.end) for word in words]
        start = after = 0
        while after < len(words):
            end = bisect_right(afters, firsts[start] + room)
            if end <= after:
                # With the overlap, the next word does not fit: it goes without.
                start = after
                end = max(bisect_right(afters, firsts[start] + room), start + 1)
            yield Span(words[start].start, words[end - 1].end)
            overlap_start = bisect_left(firsts, afters[end - 1] - self._overlap_tokens)
            start, after = max(min(overlap_start, end), start + 1), end


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
        firsts = [ruler.first_token(sentence.start) for sentence in sentences]
        afters = [ruler.token_after(sentence.end) for sentence in sentences]
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
            (
                Cut(chunk.span, PassageFrame((), chunk.context, self._budget_tokens))
                for chunk in chunks
            ),
        )
