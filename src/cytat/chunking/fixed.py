"""Document -> Chunks of one size, whatever the structure: the baseline cutting is measured by.

Chunks end between words and may overlap by whole words. A word larger than a chunk is cut hard.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from cytat.chunking.atoms import atoms
from cytat.chunking.passages import Cut, PassageMeasure, named
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import bare_words, trimmed
from cytat.errors import SettingsError
from cytat.records import Chunk, Document, Span


class FixedChunker:
    """Cuts every so many tokens, title included; implements `protocols.Chunker`."""

    def __init__(self, size_tokens: int, overlap_tokens: int, token_ends: TokenEnds) -> None:
        if size_tokens < 1:
            raise SettingsError(
                f"chunk size {size_tokens} is no number of tokens",
                hint="set size_tokens to 1 or more.",
            )
        if not 0 <= overlap_tokens < size_tokens:
            raise SettingsError(
                f"overlap_tokens {overlap_tokens} does not lie between 0 and size_tokens "
                f"{size_tokens}, so that cutting would never move on",
                hint=f"set overlap_tokens to less than {size_tokens}; 0 means none.",
            )
        self.name = f"fixed/1:{size_tokens}:{overlap_tokens}"
        self._size_tokens = size_tokens
        self._overlap_tokens = overlap_tokens
        self._token_ends = token_ends

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order; each starts and ends after the one before."""
        measure = PassageMeasure(document.title, self._token_ends, budget_tokens=self._size_tokens)
        frame = measure.frame((), "")
        ruler = TokenRuler(document.text, self._token_ends(document.text))
        whole = trimmed(document.text, 0, len(document.text))
        if whole is None:
            return []
        room = frame.room
        while True:
            spans = self._plan(ruler, whole, room=room)
            # Planned on the whole document's tokens; a window alone may hold some more.
            over = max(measure.overrun(span.of(document.text), frame) for span in spans)
            if over <= 0 or room == 1:
                return named(document, (Cut(span, frame) for span in spans))
            room = max(room - over, 1)

    def _plan(self, ruler: TokenRuler, whole: Span, *, room: int) -> list[Span]:
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
