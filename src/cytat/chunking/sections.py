"""Document -> sections: neighbouring blocks under one heading path. Pure.

A heading's own line is not in its section's blocks: its words are in the heading path. Two kinds
of heading become words all the same, so that none is lost: one with nothing below it, and one
whose words do not fit into a heading path.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cytat.chunking.seams import trimmed
from cytat.records import Block, BlockKind, Document, Span

HeadingPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks of one heading path with nothing but blanks between them.

    `heading` is the line of the innermost heading, right above the blocks, if it is there.
    """

    heading_path: HeadingPath
    heading: Span | None
    blocks: tuple[Block, ...]

    @property
    def span(self) -> Span:
        """From the first block to the last."""
        return Span(self.blocks[0].span.start, self.blocks[-1].span.end)

    @property
    def is_furniture(self) -> bool:
        """Say whether this is a running header or footer."""
        return self.blocks[0].kind is BlockKind.FURNITURE


def sections(document: Document, *, fits_path: Callable[[HeadingPath], bool]) -> list[Section]:
    """Return the sections in text order; `fits_path` says whether a heading's words fit."""
    blocks = trimmed_blocks(document)
    bodiless = _bodiless_headings(blocks)
    found: list[Section] = []
    gathered: list[Block] = []
    heading: Span | None = None

    def close() -> None:
        if gathered:
            found.append(Section(gathered[0].heading_path, heading, tuple(gathered)))
            gathered.clear()

    for index, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            close()
            heading = block.span
            if index in bodiless or not fits_path(block.heading_path[-1:]):
                found.append(_as_words(block))
                heading = None
            continue
        if gathered and not _belong_together(gathered[-1], block):
            close()
            heading = None
        gathered.append(block)
    close()
    return found


def trimmed_blocks(document: Document) -> list[Block]:
    """Return the blocks without blanks at their ends; blank ones are dropped."""
    spans = (trimmed(document.text, block.span.start, block.span.end) for block in document.blocks)
    return [
        Block(block.kind, span, block.heading_path)
        for block, span in zip(document.blocks, spans, strict=True)
        if span is not None
    ]


def _bodiless_headings(blocks: Sequence[Block]) -> frozenset[int]:
    """Return the indexes of headings whose words are in no heading path of a block below."""
    waiting: list[int] = []
    bodiless: list[int] = []
    for index, block in enumerate(blocks):
        if block.kind is BlockKind.FURNITURE:
            continue
        is_heading = block.kind is BlockKind.HEADING
        for above in reversed(waiting):
            if _stands_under(block, blocks[above], strictly=is_heading):
                break
            bodiless.append(waiting.pop())
        if is_heading:
            waiting.append(index)
        else:
            waiting.clear()
    return frozenset(bodiless + waiting)


def _stands_under(block: Block, heading: Block, *, strictly: bool) -> bool:
    depth = len(heading.heading_path)
    deep_enough = len(block.heading_path) > depth or not strictly
    return deep_enough and block.heading_path[:depth] == heading.heading_path


def _as_words(heading: Block) -> Section:
    above = heading.heading_path[:-1]
    return Section(above, None, (Block(BlockKind.PARAGRAPH, heading.span, above),))


def _belong_together(before: Block, block: Block) -> bool:
    return before.heading_path == block.heading_path and BlockKind.FURNITURE not in {
        before.kind,
        block.kind,
    }


# ---------------------------------------------------------------- crumbs


def join_crumbs(
    found: Sequence[Section], *, count: Callable[[Span], int], crumb: int, most: int
) -> list[Section]:
    """Join neighbouring sections that are mere crumbs and share a parent heading.

    A section of a few words ("Fax: none") ranks badly alone and crowds out others, but a section
    of a sentence or more is best cited under its own heading. So only sections of at most `crumb`
    tokens are joined, up to `most` tokens. The heading path is then the common one, and the
    sub-headings stay in the span, where they can be read and quoted.
    """
    joined: list[Section] = []
    last_is_crumb = False
    for section in found:
        is_crumb = not section.is_furniture and count(section.span) <= crumb
        both = _joined(joined[-1], section) if last_is_crumb and is_crumb else None
        if both is not None and count(both.span) <= most:
            joined[-1] = both
        else:
            joined.append(section)
        last_is_crumb = is_crumb
    return joined


def _joined(before: Section, section: Section) -> Section | None:
    """Return both as one section, or None if neither shares its parent with the other."""
    common = _common_path(before.heading_path, section.heading_path)
    if len(common) < max(len(before.heading_path), len(section.heading_path)) - 1:
        return None
    keeps_heading = before.heading and len(common) < len(before.heading_path)
    start = before.heading.start if before.heading and keeps_heading else before.span.start
    block = Block(BlockKind.PARAGRAPH, Span(start, section.span.end), common)
    return Section(common, None if keeps_heading else before.heading, (block,))


def _common_path(path: HeadingPath, other: HeadingPath) -> HeadingPath:
    depth = 0
    for mine, theirs in zip(path, other, strict=False):
        if mine != theirs:
            break
        depth += 1
    return path[:depth]
