"""A document and a tokeniser -> the measure of its passages, and its chunks with their names."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cytat.chunking.ruler import TokenEnds
from cytat.records import Chunk, Document, Span
from cytat.text.identity import chunk_id, passage_text

HeadingPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is embedded with a chunk's own words, and the tokens left for these."""

    heading_path: HeadingPath
    context: str
    room: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A span with its frame: a chunk without a name."""

    span: Span
    frame: Frame


class PassageMeasure:
    """Counts whole passages, as they are embedded, in the encoder's tokens."""

    def __init__(self, title: str, token_ends: TokenEnds, *, budget_tokens: int) -> None:
        self.budget_tokens = budget_tokens
        self._title = title
        self._token_ends = token_ends
        self._heads: dict[tuple[HeadingPath, str], int] = {}

    def overrun(self, words: str, frame: Frame) -> int:
        """Return by how many tokens the passage exceeds the budget; exact."""
        passage = passage_text(self._title, frame.heading_path, frame.context, words)
        return len(self._token_ends(passage)) - self.budget_tokens

    def fits_path(self, path: HeadingPath) -> bool:
        """Say whether a heading path leaves half of the budget to the words."""
        return self._head(path, "") <= self.budget_tokens // 2

    def fits_context(self, words: str) -> bool:
        """Say whether a context takes at most a quarter of the budget."""
        return len(self._token_ends(words)) <= self.budget_tokens // 4

    def frame(self, path: HeadingPath, context: str) -> Frame:
        """Return the frame of a chunk.

        A heading path that eats more than half of the budget loses its outermost headings; a
        context that leaves less than a quarter to the words is left out.
        """
        while path and not self.fits_path(path):
            path = path[1:]
        if context and self._head(path, context) > self.budget_tokens * 3 // 4:
            context = ""
        left = self.budget_tokens - self._head(path, context)
        return Frame(path, context, max(left, self.budget_tokens // 4, 1))

    def _head(self, path: HeadingPath, context: str) -> int:
        key = (path, context)
        if key not in self._heads:
            head = passage_text(self._title, path, context, "")
            self._heads[key] = len(self._token_ends(head + "\n")) if head else 0
        return self._heads[key]


def named(document: Document, cuts: Iterable[Cut]) -> list[Chunk]:
    """Return the cuts as chunks; equal words under equal headings are counted apart."""
    seen: Counter[tuple[HeadingPath, str]] = Counter()
    chunks: list[Chunk] = []
    for cut in cuts:
        path, words = cut.frame.heading_path, cut.span.of(document.text)
        occurrence = seen[path, words]
        seen[path, words] += 1
        identity = chunk_id(document.id, path, words, occurrence=occurrence)
        chunks.append(Chunk(identity, document.id, cut.span, path, cut.frame.context))
    return chunks
