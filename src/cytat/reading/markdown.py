"""Bytes of Markdown -> Document. The text is the file itself; blocks are CommonMark's, by line.

Only the block structure is parsed: which lines are a heading, a list, a table or code. Inline
marks stay in the text, since what is quoted is the file.
"""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cytat.reading.encoding import decode
from cytat.reading.extraction import (
    Extraction,
    document_from,
    gaps_filled,
    one_part,
    refuse_blank,
    trimmed,
)
from cytat.reading.front_matter import front_matter_of
from cytat.reading.paragraphs import lines_of, split_at_marks
from cytat.reading.structure import HeadingPath
from cytat.records import Block, BlockKind, Document, Span

_PARSER_BREAK = re.compile(r"\r\n?|\n")
"""What the parser takes for a line end: no form feed, no U+2028."""

_MARK = re.compile(r"[\\`*_\[\]<>&!]")
"""What every inline mark has: most headings are words alone."""

_KINDS = {
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "blockquote_open": BlockKind.PARAGRAPH,
    "html_block": BlockKind.PARAGRAPH,
}


class MarkdownReader:
    """Reads Markdown with tables and front matter."""

    name = "markdown/1"

    def read(self, content: bytes, *, source: str, password: str | None) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if it is empty or no text."""
        decoded = decode(content, declared=None)
        refuse_blank(decoded.text, source=source)
        front = front_matter_of(decoded.text)
        blocks = _blocks(decoded.text, front.end)
        metadata = {key: value for key, value in front.values.items() if key != "title"}
        return document_from(
            Extraction(
                title=front.values.get("title") or _first_title(blocks),
                text=decoded.text,
                blocks=blocks,
                pages=(),
                metadata={**metadata, "encoding": decoded.encoding},
                ledger=one_part(left_out=0, problems=(*decoded.problems, *front.problems)),
            ),
            content=content,
            source=source,
            media_type="text/markdown",
            reader=self.name,
        )


def _first_title(blocks: Sequence[Block]) -> str:
    """Return the first heading of the highest level: no heading stands above it."""
    headings = (block for block in blocks if block.kind is BlockKind.HEADING)
    return next((b.heading_path[0] for b in headings if len(b.heading_path) == 1), "")


def _blocks(text: str, body_start: int) -> tuple[Block, ...]:
    body = text[body_start:]
    starts = [
        body_start,
        *(body_start + found.end() for found in _PARSER_BREAK.finditer(body)),
        len(text),
    ]
    path = HeadingPath()
    blocks: list[Block] = []
    if (front := trimmed(text, 0, body_start)) is not None:
        # It says what the document is, as a running header does, and is no part of its text.
        blocks.append(Block(BlockKind.FURNITURE, front, ()))
    tokens = _parse(body)
    for place, token in enumerate(tokens):
        if token.map is None or token.level != 0 or token.nesting < 0:
            continue
        # The last line of the parser may be one that this table does not count.
        first, past = (min(line, len(starts) - 1) for line in token.map)
        span = trimmed(text, starts[first], starts[past])
        if span is not None:
            blocks += _blocks_of(text, span, tokens[place : place + 2], path)
    return gaps_filled(text, blocks)


def _parse(body: str) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table")
    # Inline marks matter to no block, and parsing them is most of the time.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.parse(body)


def _blocks_of(text: str, span: Span, tokens: Sequence[Token], path: HeadingPath) -> list[Block]:
    token = tokens[0]
    if token.type == "heading_open":
        label = _without_marks(tokens[1].content)
        if not label:
            return [Block(BlockKind.PARAGRAPH, span, path.labels)]
        return [Block(BlockKind.HEADING, span, path.open_format_heading(int(token.tag[1]), label))]
    if token.type == "paragraph_open":
        return split_at_marks(text, list(lines_of(text, span.start, span.end)), path)
    return [Block(kind, span, path.labels)] if (kind := _KINDS.get(token.type)) else []


@cache
def _inline_parser() -> MarkdownIt:
    """Return the one parser of headings: making it takes longer than most headings."""
    return MarkdownIt("commonmark")


def _without_marks(heading: str) -> str:
    """Return the words of a heading without emphasis, code and link marks."""
    if _MARK.search(heading) is None:
        return " ".join(heading.split())
    inline = _inline_parser().parseInline(heading)[0].children or []
    said = "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in inline
        if child.type in {"text", "code_inline", "image", "softbreak", "hardbreak", "text_special"}
    )
    return " ".join(said.split())
