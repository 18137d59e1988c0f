"""Bytes of Markdown -> Document. The text is the file itself; blocks are CommonMark's, by line.

Only the block structure is parsed: which lines are a heading, a list, a table or code. Inline
marks stay in the text, since what is quoted is the file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import yaml
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
from cytat.reading.text.encoding import decode_file
from cytat.reading.text.paragraphs import lines_of, split_at_marks
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    Problem,
    ReadingOptions,
    Span,
)

_FENCED = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(?P<yaml>.*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_MAX_CHARACTERS = 65_536
"""Front matter is a few lines; a longer stretch between two rules is text."""
_MAX_BRACKETS = 100
"""The YAML composer recurses on each; no front matter nests a fraction of it."""
ALIASES = {
    "autor": "author", "autorzy": "author", "authors": "author", "data": "date", "tytuł": "title",
    "język": "language", "lang": "language",
}  # fmt: skip
"""Polish and plural names of the keys that filters know."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above a text: its keys, where it ends, and what was wrong with it."""

    values: Mapping[str, str]
    end: int
    """Code points it takes, fences included; 0 if there is none."""
    problems: tuple[Problem, ...]


NONE = FrontMatter({}, 0, ())


def front_matter_of(text: str) -> FrontMatter:
    """Return the front matter; a leading rule without a closing one is a rule, not front matter.

    Front matter that is no valid YAML keeps its place, so that it is not read as headings, and
    is named as a problem.
    """
    found = _FENCED.match(text, 0, _MAX_CHARACTERS)
    if found is None:
        return NONE
    try:
        loaded = _load(found["yaml"])
        if not isinstance(loaded, dict):
            # Prose between two rules.
            return NONE
        return FrontMatter(_flat(loaded), found.end(), ())
    except yaml.YAMLError as problem:
        message = f"the front matter is no valid YAML and was kept as text: {_first_line(problem)}"
        return FrontMatter({}, found.end(), (Problem("front matter", "bad-metadata", message),))


def _load(words: str) -> object:
    if words.count("[") + words.count("{") > _MAX_BRACKETS:
        raise yaml.YAMLError("it nests too deep")
    try:
        # BaseLoader makes nothing but text, lists and mappings: dates and "no" stay as written.
        return yaml.load(words, Loader=yaml.BaseLoader)  # noqa: S506
    except RecursionError as error:  # "- - - …" nests without a bracket
        raise yaml.YAMLError("it nests too deep") from error


def _first_line(problem: yaml.YAMLError) -> str:
    return str(problem).splitlines()[0] if str(problem) else "unreadable"


def _flat(loaded: Mapping[object, object]) -> dict[str, str]:
    """Return the values that are words or lists of words; deeper ones are left to the text."""
    flat: dict[str, str] = {}
    left = _MAX_CHARACTERS
    for key, value in loaded.items():
        name = str(key).strip().lower()
        name = ALIASES.get(name, name)
        words = [word for word in _listed(value) if isinstance(word, str)]
        left -= len(name) + sum(map(len, words))
        if left < 0:
            raise yaml.YAMLError("its aliases unfold to more than it holds")
        said = ", ".join(word.strip() for word in words if word.strip())
        if name and said:
            flat.setdefault(name, said)
    return flat


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


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

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if it is empty or no text."""
        decoded = decode_file(content, declared=None, source=source)
        refuse_blank(decoded.text, source=source)
        front = front_matter_of(decoded.text)
        blocks = _blocks(decoded.text, front.end)
        metadata = {key: value for key, value in front.values.items() if key != "title"}
        return document_from(
            Extraction(
                title=front.values.get("title") or _first_title(blocks),
                text=decoded.text,
                blocks=blocks,
                parts=(),
                fragments=FragmentStyle.CHARACTERS,
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
