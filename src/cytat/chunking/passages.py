"""A document and a tokeniser -> the measure of its passages, and its chunks with their names.

Chunks of the plain cutters have no heading path: only the title comes before the words, and
a heading is words like any other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.sections import trimmed_blocks
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span
from cytat.text.identity import chunk_id, passage_text

HeadingPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassageFrame:
    """What is embedded with a chunk's own words, and the tokens left for these."""

    heading_path: HeadingPath
    context: str
    room: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A span with its frame: a chunk without a name."""

    span: Span
    frame: PassageFrame


class PassageMeasure:
    """Counts whole passages, as they are embedded, in the encoder's tokens."""

    def __init__(self, title: str, token_ends: TokenEnds, *, budget_tokens: int) -> None:
        self.budget_tokens = budget_tokens
        self._title = title
        self._token_ends = token_ends
        self._heads: dict[tuple[HeadingPath, str], int] = {}

    def overrun(self, words: str, frame: PassageFrame) -> int:
        """Return by how many tokens the passage exceeds the budget; exact."""
        passage = passage_text(self._title, frame.heading_path, frame.context, words)
        return len(self._token_ends(passage)) - self.budget_tokens

    def fits_path(self, path: HeadingPath) -> bool:
        """Say whether a heading path leaves half of the budget to the words."""
        return self._head(path, "") <= self.budget_tokens // 2

    def fits_context(self, words: str) -> bool:
        """Say whether a context takes at most a quarter of the budget."""
        return len(self._token_ends(words)) <= self.budget_tokens // 4

    def frame(self, path: HeadingPath, context: str) -> PassageFrame:
        """Return the frame of a chunk.

        A heading path that eats more than half of the budget loses its outermost headings; a
        context that leaves less than a quarter to the words is left out.
        """
        while path and not self.fits_path(path):
            path = path[1:]
        if context and self._head(path, context) > self.budget_tokens * 3 // 4:
            context = ""
        left = self.budget_tokens - self._head(path, context)
        return PassageFrame(path, context, max(left, self.budget_tokens // 4, 1))

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


Plan = Callable[[TokenRuler, int], Sequence[Span]]
"""Token counts of a text and a room -> spans meant to fit it."""


def cut_as_planned(
    document: Document, token_ends: TokenEnds, plan: Plan, *, budget_tokens: int
) -> list[Chunk]:
    """Return the chunks of a plan; it is repeated with less room until every passage fits."""
    measure = PassageMeasure(document.title, token_ends, budget_tokens=budget_tokens)
    frame = measure.frame((), "")
    ruler = TokenRuler(document.text, token_ends(document.text))
    room = frame.room
    while True:
        spans = plan(ruler, room)
        # Planned on the whole document's tokens; a span alone may hold some more.
        over = max((_overrun(measure, span, document, frame) for span in spans), default=0)
        if over <= 0 or room == 1:
            return named(document, (Cut(span, frame) for span in spans))
        room = max(room - over, 1)


def _overrun(measure: PassageMeasure, span: Span, document: Document, frame: PassageFrame) -> int:
    return measure.overrun(span.of(document.text), frame)


def runs(document: Document) -> Iterator[list[Block]]:
    """Yield neighbouring blocks; a running header or footer is its own run."""
    run: list[Block] = []
    for block in trimmed_blocks(document):
        if run and BlockKind.FURNITURE in {run[-1].kind, block.kind}:
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def check_budget(budget_tokens: int) -> None:
    """Refuse a budget that no chunk could have."""
    if budget_tokens < 1:
        raise SettingsError(
            f"chunking budget {budget_tokens} is below 1 token", hint="set it to 1 or more."
        )


def check_shared(shared: int, *, of: int, what: str) -> None:
    """Refuse an overlap that would never move on."""
    if not 0 <= shared < of:
        raise SettingsError(
            f"{what} {shared} must be at least 0 and less than {of}",
            hint=f"set {what} to less than {of}; 0 means none.",
        )
