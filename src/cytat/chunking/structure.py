"""Document -> Chunks. Pure: cuts at structure first, at sentences only when a block is too large.

"Zwalnia się od podatku:" means nothing without its points, and "18) usługi w zakresie opieki
medycznej;" does not say that they are exempt. A lead-in joins the first thing it introduces where
both fit; the points in their own sections carry it as their context.

A table's head is the text above the `|---|` line, or a first row of names; a list's is the
sentence with a colon above it.

Headings part sections, sections part blocks; neighbouring blocks of a section share a chunk up to
the budget. The budget holds for the whole passage as it is embedded (title, heading path, context,
words), in the encoder's own tokens, so that the encoder never drops a word unseen. The document is
tokenised once and cutting is planned on that; every passage that could be over is counted exactly.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cytat.chunking.passages import Cut, PassageFrame, PassageMeasure, named
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.seams import PackablePiece, Seam, atoms, lines, order_of_seams, pack, trimmed
from cytat.chunking.sections import HeadingPath, Section, join_crumbs, sections
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span
from cytat.text.sentences import sentence_spans

_TERM_CHARACTERS = 80
"""A line up to this long without a final mark, above a sentence, is a term or a small heading."""
_LOOK_BACK = 600
"""Characters of a section's end in which its last sentence is looked for."""
_FINAL = (".", "!", "?", "…", ";", ",", "|")


def join_lead_ins(ruler: TokenRuler, parts: Sequence[Span], *, room: int) -> list[Span]:
    """Return the parts with lead-ins and terms joined to what they introduce, where both fit."""
    joined: list[Span] = []
    for part in parts:
        both = Span(joined[-1].start, part.end) if joined else part
        if joined and _introduces(ruler.text, joined[-1], part) and _fits(ruler, both, room):
            joined[-1] = both
        else:
            joined.append(part)
    return joined


def _fits(ruler: TokenRuler, span: Span, room: int) -> bool:
    return ruler.count(span.start, span.end) <= room


def _introduces(text: str, part: Span, following: Span) -> bool:
    """Say whether `part` ends with a colon, or is a term above a sentence."""
    if text[part.end - 1] == ":":
        return True
    is_term = len(part) <= _TERM_CHARACTERS and not text.endswith(_FINAL, part.start, part.end)
    return is_term and "\n" in text[part.end : following.start] and text[following.end - 1] == "."


def with_lead_ins(
    text: str, sections: Sequence[Section], *, fits: Callable[[str], bool]
) -> Iterator[tuple[Section, str]]:
    """Yield each section with the lead-ins of the sections its heading path lies under."""
    open_lead_ins: list[tuple[HeadingPath, str]] = []
    for section in sections:
        while open_lead_ins and not _lies_under(section.heading_path, open_lead_ins[-1][0]):
            open_lead_ins.pop()
        context = "\n".join(words for _, words in open_lead_ins)
        yield section, context if fits(context) else ""
        last = section.blocks[-1].span
        if text[last.end - 1] == ":":
            open_lead_ins.append((section.heading_path, last_sentence(text, last)))


def _lies_under(path: HeadingPath, above: HeadingPath) -> bool:
    return len(path) > len(above) and path[: len(above)] == above


def last_sentence(text: str, span: Span) -> str:
    """Return the last sentence of a span, looked for near its end."""
    start = max(span.start, span.end - _LOOK_BACK)
    end = text[start : span.end]
    return sentence_spans(end)[-1].of(end)


_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_HEAD_ROWS = 6
"""Rows looked at for the rule below the head; heads of more than two rows are rare already."""
_CELL_END = re.compile(r"[|\t;,]")
_DIGIT = re.compile(r"\d")
_DATE_PARTS = re.compile(r"\b(?:19|20)\d\d\b|\b[A-Z][a-z]+\.? \d{1,2}(?=,)")


@dataclass(frozen=True, slots=True)
class Headed:
    """Rows or items with the words of their head; `whole` holds both, the rows at its end."""

    head: str
    whole: Span
    rows: Span


def list_head(text: str, above: Span, items: Span, *, fits: Callable[[str], bool]) -> Headed | None:
    """Return a list with the lead-in of the block above, or None if none fits."""
    if text[above.end - 1] != ":":
        return None
    head = last_sentence(text, above)
    return Headed(head, Span(above.start, items.end), items) if fits(head) else None


def table_head(text: str, table: Span) -> Headed:
    """Return a table with its head; without one the words are empty and all rows are rows."""
    first_rows = lines(text, Span(table.start, _after_rows(text, table)))
    for index, row in enumerate(first_rows[1:], start=1):
        if "-" in row.of(text) and _RULE.fullmatch(row.of(text)):
            return _headed(text, table, Span(table.start, first_rows[index - 1].end), row.end)
    if len(first_rows) > 1 and _names_columns(first_rows[0].of(text), first_rows[1].of(text)):
        return _headed(text, table, first_rows[0], first_rows[0].end)
    return Headed("", table, table)


def _headed(text: str, table: Span, head: Span, head_end: int) -> Headed:
    rows = trimmed(text, head_end, table.end)
    return Headed(head.of(text), table, rows) if rows else Headed("", table, table)


def _after_rows(text: str, table: Span) -> int:
    """Return where the first rows end, so that a long table is not cut twice."""
    end = table.start
    for _ in range(_HEAD_ROWS + 1):
        following = text.find("\n", end, table.end)
        if following < 0:
            return table.end
        end = following + 1
    return end


def _names_columns(first: str, second: str) -> bool:
    """Without a rule, a first row of two cells or more and no figure is a head above figures.

    Years and days of a date are names of columns.
    """
    names = _CELL_END.search(first) and not _DIGIT.search(_DATE_PARTS.sub("", first))
    return bool(names and _DIGIT.search(_DATE_PARTS.sub("", second)))


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
                f"chunking budget {budget_tokens} is below 1 token",
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

    def _cut_run(self, run: Sequence[Block], frame: PassageFrame) -> Iterator[Cut]:
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

    def _cut_headed(
        self, headed: Headed, seams: Sequence[Seam], bare: PassageFrame
    ) -> Iterator[Cut]:
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
        pieces = [
            PackablePiece(ruler.first_token(at.start), ruler.token_after(at.end)) for at in parts
        ]
        groups = pack(pieces, room=room, room_first=room_first)
        return [Span(parts[group[0]].start, parts[group[-1]].end) for group in groups]

    def _fitted(self, span: Span, frame: PassageFrame, seams: Sequence[Seam]) -> Iterator[Cut]:
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
                smaller = PassageFrame(frame.heading_path, frame.context, room)
                for part in self._packed(parts, room=room, room_first=room):
                    yield from self._fitted(part, smaller, seams)
                return
        yield Cut(span, frame)

    def _size(self, span: Span) -> int:
        return self.ruler.count(span.start, span.end)
