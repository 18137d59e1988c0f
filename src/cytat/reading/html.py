"""Bytes of HTML -> Document. The text is an extraction: what a person reads, in page order.

The tree is walked with a stack of its own, never by recursion. Pages that nest absurdly deep lose
the tags below a limit before they are parsed, since the parser's time grows with depth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser

from cytat.errors import ReadingError
from cytat.reading.encoding import decode
from cytat.reading.extraction import Extraction, document_from, name_of, one_part, refuse_blank
from cytat.reading.html_boilerplate import CONTROLS, HIDDEN
from cytat.reading.html_depth import (
    MAX_DEPTH,
    declared_encoding,
    flattened,
    unclosed_raw_elements,
    without_absurd_tags,
)
from cytat.reading.html_text import Piece
from cytat.reading.html_walk import Walk
from cytat.reading.paragraphs import lines_of, split_at_marks
from cytat.reading.structure import HeadingPath
from cytat.records import Block, BlockKind, Document, Problem

_MIN_KEPT_SHARE = 1 / 3
_MIN_KEPT_CHARACTERS = 500
"""If the rules keep less than both, they are wrong for the page, and everything is kept."""

_META = {
    "author": "author", "article:author": "author", "dc.creator": "author",
    "dcterms.creator": "author", "date": "date", "article:published_time": "date",
    "dc.date": "date", "dcterms.date": "date", "description": "description",
    "keywords": "keywords",
}  # fmt: skip
_MAX_META_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class _Head:
    title: str
    metadata: dict[str, str]


class HtmlReader:
    """Reads HTML pages."""

    name = "html/3"

    def read(self, content: bytes, *, source: str, password: str | None) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if the page has no text."""
        decoded = decode(content, declared=declared_encoding(content))
        refuse_blank(decoded.text, source=source)
        plain, absurd = without_absurd_tags(decoded.text)
        markup, cut = flattened(unclosed_raw_elements(plain))
        parser = LexborHTMLParser(markup)
        walk = _walked(parser)
        if not walk.page.pieces:
            raise ReadingError(
                "no-text",
                f"{name_of(source)} shows no text without running its scripts",
                hint="Open the page in a browser and save it as it is shown.",
            )
        head = _head(parser)
        problems = (*decoded.problems, *_depth_problem(cut), *_absurd_problem(absurd))
        blocks = _blocks(walk)
        return document_from(
            Extraction(
                title=head.title or _first_heading(blocks),
                text=walk.page.text,
                blocks=blocks,
                pages=(),
                metadata={**head.metadata, "encoding": decoded.encoding, **_left_out(walk)},
                ledger=one_part(left_out=walk.left_out, problems=problems),
            ),
            content=content,
            source=source,
            media_type="text/html",
            reader=self.name,
        )


def _walked(parser: LexborHTMLParser) -> Walk:
    """Return the page without boilerplate, or with it where the rules would drop most of it."""
    root = parser.root
    strict = Walk(root, leave_out_boilerplate=True)
    kept = strict.page.length
    boilerplate = strict.characters_left_out.total() - sum(
        strict.characters_left_out[reason] for reason in (HIDDEN, CONTROLS)
    )
    total = kept + boilerplate
    if kept >= min(_MIN_KEPT_SHARE * total, _MIN_KEPT_CHARACTERS) and kept > 0:
        return strict
    return Walk(root, leave_out_boilerplate=False)


def _depth_problem(cut: int) -> tuple[Problem, ...]:
    if not cut:
        return ()
    message = f"{cut} tags nested deeper than {MAX_DEPTH} were ignored; their text was kept"
    return (Problem("file", "nested-too-deep", message),)


def _left_out(walk: Walk) -> dict[str, str]:
    """Return what of the page's words was left out, by why and with how much, most first."""
    told = [
        f"{reason} ({characters:,} characters)"
        for reason, characters in walk.characters_left_out.most_common()
        if characters
    ]
    return {"left-out": ", ".join(told)} if told else {}


def _absurd_problem(cut: int) -> tuple[Problem, ...]:
    if not cut:
        return ()
    message = f"{cut} tags with thousands of attributes lost them; their text was kept"
    return (Problem("file", "absurd-tag", message),)


def _head(parser: LexborHTMLParser) -> _Head:
    title = parser.css_first("title")
    metadata: dict[str, str] = {}
    for meta in parser.css("meta"):
        named = meta.attributes.get("name") or meta.attributes.get("property") or ""
        key = _META.get(named.lower())
        said = _one_line(meta.attributes.get("content") or "")[:_MAX_META_CHARACTERS]
        if key is not None and said:
            metadata.setdefault(key, said)
    html = parser.css_first("html")
    language = html.attributes.get("lang") if html is not None else None
    if language:
        metadata["language"] = language.split("-")[0].lower()
    return _Head(_one_line(title.text()) if title is not None else "", metadata)


def _one_line(said: str) -> str:
    return " ".join(said.split())


def _first_heading(blocks: Sequence[Block]) -> str:
    return next((b.heading_path[-1] for b in blocks if b.kind is BlockKind.HEADING), "")


def _blocks(walk: Walk) -> tuple[Block, ...]:
    text = walk.page.text
    path = HeadingPath()
    blocks: list[Block] = []
    for piece in walk.page.pieces:
        blocks += (replace(block, anchor=piece.anchor) for block in _split(text, piece, path))
    return tuple(blocks)


def _split(text: str, piece: Piece, path: HeadingPath) -> list[Block]:
    span = piece.span
    if piece.level:
        labels = path.open_format_heading(piece.level, span.of(text))
        return [Block(BlockKind.HEADING, span, labels)]
    if piece.kind is BlockKind.PARAGRAPH:
        return split_at_marks(text, list(lines_of(text, span.start, span.end)), path)
    return [Block(piece.kind, span, path.labels)]
