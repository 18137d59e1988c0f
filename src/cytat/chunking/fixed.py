"""Document -> Chunks of one size, whatever the structure: the baseline cutting is measured by.

Chunks end between words and may overlap by whole words. A word larger than a chunk is cut hard.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from cytat.chunking.atoms import atoms
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import bare_words
from cytat.chunking.whole_texts import check_budget, check_shared, cut_as_planned
from cytat.records import Chunk, Document, Span


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
