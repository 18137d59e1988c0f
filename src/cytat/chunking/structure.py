"""Document -> Chunks. Pure: cuts at structure first, at sentences only when a block is too large.

Headings part sections, sections part blocks; neighbouring blocks of a section share a chunk up to
the budget. The budget holds for the whole passage as it is embedded (title, heading path, context,
words), in the encoder's own tokens, so that the encoder never drops a word unseen. The document is
tokenised once and cutting is planned on that; every passage that could be over is counted exactly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.chunking.atoms import atoms
from cytat.chunking.lead_ins import join_lead_ins, with_lead_ins
from cytat.chunking.packing import Piece, pack
from cytat.chunking.passages import Cut, Frame, PassageMeasure, named
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import Seam, order_of_seams
from cytat.chunking.sections import Section, join_crumbs, sections
from cytat.chunking.tables import Headed, list_head, table_head
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span

DEFAULT_BUDGET_TOKENS = 320
"""Tokens of a passage. A first choice well inside the encoder's 512; benchmarks decide."""

CRUMB_TOKENS = 16
"""A section of at most so many tokens is a few words; see `sections.join_crumbs`."""

JOINED_SHARE = 4
"""Joined crumbs take at most one part in four of the budget: they share a parent, not a subject."""


EDGE_TOKENS = 16
"""What a passage may hold above the plan: its edges are tokenised without their neighbours."""


class StructureChunker:
    """Cuts documents at their structure; implements `protocols.Chunker`."""

    def __init__(self, budget_tokens: int, token_ends: TokenEnds) -> None:
        if budget_tokens < 1:
            raise SettingsError(
                f"chunking budget {budget_tokens} is no number of tokens",
                hint=f"set it to 1 or more; the default is {DEFAULT_BUDGET_TOKENS}.",
            )
        self.name = f"structure/1:{budget_tokens}"
        self._budget_tokens = budget_tokens
        self._token_ends = token_ends

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order."""
        measure = PassageMeasure(
            document.title, self._token_ends, budget_tokens=self._budget_tokens
        )
        ruler = TokenRuler(document.text, self._token_ends(document.text))
        found = join_crumbs(
            sections(document, fits_path=measure.fits_path),
            count=lambda span: ruler.count(span.start, span.end),
            crumb=CRUMB_TOKENS,
            most=self._budget_tokens // JOINED_SHARE,
        )
        knife = _Knife(ruler, measure)
        introduced = with_lead_ins(document.text, found, fits=measure.fits_context)
        return named(
            document,
            (cut for section, lead_in in introduced for cut in knife.cut_section(section, lead_in)),
        )


@dataclass(frozen=True, slots=True)
class _Knife:
    """Cuts the sections of one document."""

    ruler: TokenRuler
    measure: PassageMeasure

    def cut_section(self, section: Section, lead_in: str) -> Iterator[Cut]:
        """Yield the cuts of one section; what has a head and is too large is cut by itself."""
        frame = self.measure.frame(section.heading_path, lead_in)
        run: list[Block] = []
        for block in section.blocks:
            head = self._head_of(block, run[-1] if run else None, room=frame.room)
            if head is None:
                run.append(block)
                continue
            if block.kind is BlockKind.LIST:
                run.pop()
            yield from self._cut_run(run, frame)
            yield from self._cut_headed(head, order_of_seams(block.kind), frame)
            run = []
        yield from self._cut_run(run, frame)

    def _head_of(self, block: Block, above: Block | None, *, room: int) -> Headed | None:
        """Return a table with its head, or a list with its lead-in, if it must be cut."""
        if self._size(block.span) <= room:
            return None
        text = self.ruler.text
        if block.kind is BlockKind.TABLE:
            return table_head(text, block.span)
        if block.kind is BlockKind.LIST and above is not None:
            return list_head(text, above.span, block.span, fits=self.measure.fits_context)
        return None

    def _cut_run(self, run: Sequence[Block], frame: Frame) -> Iterator[Cut]:
        """Yield the cuts of blocks in a row: whole where they fit, else their parts."""
        parts = [
            part
            for block in run
            for part in atoms(
                self.ruler, block.span, seams=order_of_seams(block.kind), room=frame.room
            )
        ]
        parts = join_lead_ins(self.ruler, parts, room=frame.room)
        seams = order_of_seams(run[0].kind if len(run) == 1 else BlockKind.PARAGRAPH)
        for group in self._packed(parts, room=frame.room, room_first=frame.room):
            yield from self._fitted(group, frame, seams)

    def _cut_headed(self, headed: Headed, seams: Sequence[Seam], bare: Frame) -> Iterator[Cut]:
        """Yield groups of rows or items; all but the first, which holds it, carry the head."""
        context = "\n".join(part for part in (bare.context, headed.head) if part)
        frame = self.measure.frame(bare.heading_path, context)
        between_rows, *within_row = seams
        rows = [
            part
            for row in between_rows(self.ruler.text, headed.rows)
            for part in atoms(self.ruler, row, seams=within_row, room=frame.room)
        ]
        if headed.rows.start > headed.whole.start:
            rows[0] = Span(headed.whole.start, rows[0].end)
        groups = self._packed(rows, room=frame.room, room_first=bare.room)
        for index, group in enumerate(groups):
            yield from self._fitted(group, frame if index else bare, seams)

    def _packed(self, parts: Sequence[Span], *, room: int, room_first: int) -> list[Span]:
        ruler = self.ruler
        pieces = [Piece(ruler.first_token(at.start), ruler.token_after(at.end)) for at in parts]
        groups = pack(pieces, room=room, room_first=room_first)
        return [Span(parts[group[0]].start, parts[group[-1]].end) for group in groups]

    def _fitted(self, span: Span, frame: Frame, seams: Sequence[Seam]) -> Iterator[Cut]:
        """Yield `span`, or its parts if the passage turns out to exceed the budget.

        A passage planned well below the budget is not counted again: tokenised alone it differs
        from the plan by a few tokens at its edges.
        """
        size = self._size(span)
        if size + EDGE_TOKENS > frame.room:
            over = self.measure.overrun(span.of(self.ruler.text), frame)
            # What was never planned to fit is cut for the room; what just misses it, for less.
            room = frame.room if size > frame.room else max(size - over, 1)
            parts = list(atoms(self.ruler, span, seams=seams, room=room)) if over > 0 else [span]
            if len(parts) > 1:
                smaller = Frame(frame.heading_path, frame.context, room)
                for part in self._packed(parts, room=room, room_first=room):
                    yield from self._fitted(part, smaller, seams)
                return
        yield Cut(span, frame)

    def _size(self, span: Span) -> int:
        return self.ruler.count(span.start, span.end)
