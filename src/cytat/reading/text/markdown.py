"""Bytes of Markdown -> Document. The text is the file itself; blocks are CommonMark's, by line.

Only the block structure is parsed: which lines are a heading, a list, a table or code. Inline
marks stay in the text, since what is quoted is the file. Comments are blanks of the same length:
no reader of the page sees them, and all else keeps its place.
"""

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cytat.reading.extraction import (
    Extraction,
    document_from,
    gaps_filled,
    one_part,
    refuse_blank,
    trimmed,
)
from cytat.reading.structure import HeadingStack
from cytat.reading.text.comments import blanked, comments_in
from cytat.reading.text.encoding import decode_file
from cytat.reading.text.front_matter import FrontMatter, front_matter_of
from cytat.reading.text.paragraphs import lines_of, split_at_marks
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    ReadingOptions,
    Span,
)

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

    name = "markdown/2"

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if it is empty or no text."""
        decoded = decode_file(content, declared=None, source=source)
        refuse_blank(decoded.text, source=source)
        front = front_matter_of(decoded.text)
        hidden = _hidden(decoded.text, front)
        text = blanked(decoded.text, hidden)
        refuse_blank(text, source=source)
        blocks = _blocks(text, front.end)
        metadata = {key: value for key, value in front.values.items() if key != "title"}
        return document_from(
            Extraction(
                title=front.values.get("title") or _first_title(blocks),
                text=text,
                blocks=blocks,
                parts=(),
                fragments=FragmentStyle.CHARACTERS,
                metadata={**metadata, "encoding": decoded.encoding, **_left_out(hidden)},
                ledger=one_part(
                    left_out=len(hidden), problems=(*decoded.problems, *front.problems)
                ),
            ),
            content=content,
            source=source,
            media_type="text/markdown",
            reader=self.name,
        )


def _hidden(text: str, front: FrontMatter) -> list[Span]:
    """Return the stretches that the text has blanks for: comments, and front matter in TOML."""
    above = [] if front.is_shown or not front.end else [Span(0, front.end)]
    code = (
        [block.span for block in _blocks(text, front.end) if block.kind is BlockKind.CODE]
        if _MAY_HIDE.search(text, front.end)
        else []
    )
    return [*above, *comments_in(text, front.end, code)]


_MAY_HIDE = re.compile(r"<!--|\]:|\{:|%%")
"""What every comment has: most texts need not be parsed twice."""


def _left_out(hidden: Sequence[Span]) -> dict[str, str]:
    characters = sum(map(len, hidden))
    return {"left-out": f"comments ({characters:,} characters)"} if hidden else {}


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
    path = HeadingStack()
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


def _blocks_of(text: str, span: Span, tokens: Sequence[Token], path: HeadingStack) -> list[Block]:
    token = tokens[0]
    if token.type == "heading_open":
        label = _without_marks(without_attributes(tokens[1].content))
        if not label:
            return [Block(BlockKind.PARAGRAPH, span, path.labels)]
        return [Block(BlockKind.HEADING, span, path.open_format_heading(int(token.tag[1]), label))]
    if token.type == "paragraph_open":
        lines = list(lines_of(text, span.start, span.end))
        return split_at_marks(text, lines, path, bare=without_emphasis)
    return [Block(kind, span, path.labels)] if (kind := _KINDS.get(token.type)) else []


_ATTRIBUTE = re.compile(r"[#.][^\s#.{}]\S*|[\w-]+=\S+|-")


def without_attributes(heading: str) -> str:
    """Return a heading without the list of attributes behind it, `{#id .class}`.

    A closing row of `#` stands in front of the list, where CommonMark does not look for it.
    """
    said, brace, listed = heading.rstrip().rpartition("{")
    words = listed.removesuffix("}").removeprefix(":").split()
    is_list = brace and listed.endswith("}") and words and _ATTRIBUTE.fullmatch(words[0])
    if not is_list or not said.strip():
        return heading
    bare = said.rstrip()
    open_end = bare.rstrip("#")
    return open_end.rstrip() if open_end[-1:].isspace() else bare


_EMPHASIS = re.compile(r"\*{1,3}|_{2,3}")


def without_emphasis(line: str) -> str:
    """Return a line as it is shown, as far as the marks of "**§ 2**" go."""
    return _EMPHASIS.sub("", line)


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
