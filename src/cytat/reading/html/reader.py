"""Bytes of HTML -> Document. The text is an extraction: what a person reads, in page order.

The tree is walked with a stack of its own, never by recursion. Pages that nest absurdly deep lose
the tags below a limit before they are parsed, since the parser's time grows with depth.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser

from cytat.errors import ReadingError
from cytat.reading.extraction import (
    Extraction,
    document_from,
    name_of,
    one_part,
    refuse_blank,
    word_set,
)
from cytat.reading.html.boilerplate import CONTROLS, HIDDEN, STRUCK
from cytat.reading.html.styles import struck_elements
from cytat.reading.html.text import HtmlPiece
from cytat.reading.html.walk import Walk
from cytat.reading.structure import HeadingStack
from cytat.reading.text.encoding import decode_file
from cytat.reading.text.paragraphs import lines_of, split_at_marks
from cytat.records import Block, BlockKind, Document, FragmentStyle, Problem, ReadingOptions

MAX_DEPTH = 512
"""Parsing takes time in proportion to tags times depth; browsers stop at the same depth."""

_DECLARED = re.compile(
    rb"<meta[^<>]{1,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})|"
    rb"\A\s*<\?xml[^<>]{1,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})",
    re.IGNORECASE,
)
_SNIFFED = 4096
_KNOWN_ENCODING = re.compile(
    r"utf-?8|windows-\d+|cp\d+|iso-?8859-?\d+|us-ascii|ascii|latin-?\d+|koi8-[ru]|gb2312|gbk|gb18030"
    r"|big5|euc-(?:jp|kr)|shift_jis|macintosh|ibm\d+"
)
_SAME_ON_THE_WEB = {"iso-8859-1": "windows-1252", "latin1": "windows-1252", "us-ascii": "utf-8"}
"""Pages that say the first mean the second: the WHATWG Encoding standard fixes it."""

_XHTML = re.compile(r"\s*<\?xml|.{0,200}?<!DOCTYPE[^>]{0,200}XHTML", re.DOTALL | re.IGNORECASE)
_EMPTY_RAW = re.compile(
    r"<(script|style|title|textarea|iframe|noscript)\b([^<>]*)/>", re.IGNORECASE
)
_TAG = re.compile(r"<!--|-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]{0,40})\b([^<>]{8192,})")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MAX_NAMES_CHARACTERS = 4096
"""Of all attributes of one tag, without their values: some hundred names, more than pages have."""
_NOT_NESTING = word_set(
    "p li dt dd td th tr tbody thead tfoot option br hr img input meta link base col area wbr "
    "source track embed param html head body"
)
"""Elements that are void or closed by the next of their kind, so that they add no depth."""
_RAW = frozenset({"script", "style", "title", "textarea"})
_INLINE = word_set("a b i em strong font span u s small big tt code sub sup abbr")


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a page names in its head, if it is one that can be meant."""
    found = _DECLARED.search(content, 0, _SNIFFED)
    if found is None:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    name = _SAME_ON_THE_WEB.get(name, name)
    if not _KNOWN_ENCODING.fullmatch(name):
        return None
    try:
        codecs.lookup(name)
    except LookupError:
        return None
    return name


def unclosed_raw_elements(markup: str) -> str:
    """Return XHTML with `<script/>` closed: an HTML parser would take the page for the script."""
    return _EMPTY_RAW.sub(r"<\1\2></\1>", markup) if _XHTML.match(markup) else markup


def without_absurd_tags(markup: str) -> tuple[str, int]:
    """Return the markup with tags of thousands of attributes bare, and how many those were.

    The parser's time grows with the square of the attributes of one tag.
    """
    cut = 0

    def bare(found: re.Match[str]) -> str:
        nonlocal cut
        if len(_QUOTED.sub("", found[2])) < _MAX_NAMES_CHARACTERS:
            return found[0]  # a picture in one value, say
        cut += 1
        return f"<{found[1]}"

    return _LONG_TAG.sub(bare, markup), cut


def flattened(markup: str) -> tuple[str, int]:
    """Return the markup without the tags below `MAX_DEPTH`, and how many those were."""
    if markup.count("<") <= MAX_DEPTH:
        return markup, 0
    flattening = _Flattening()
    flat = _TAG.sub(flattening.replace, markup)
    return (flat, flattening.cut) if flattening.cut else (markup, 0)


class _Flattening:
    """The depth come to in one page, by counting tags alone."""

    def __init__(self) -> None:
        self._depth = 0
        self._raw = ""
        self.cut = 0

    def replace(self, found: re.Match[str]) -> str:
        """Return what stands for a tag: itself, or nothing that would nest deeper."""
        whole, closing, tag = found[0], found[1], (found[2] or "").lower()
        if self._raw:
            if whole == self._raw or (closing and tag == self._raw):
                self._raw = ""
            return whole
        if not tag:
            self._raw = "-->" if whole == "<!--" else ""
            return whole
        if tag in _RAW:
            self._raw = "" if closing else tag
            return whole
        return whole if tag in _NOT_NESTING else self._nested(whole, tag, closing)

    def _nested(self, whole: str, tag: str, closing: str) -> str:
        is_deep = self._depth > MAX_DEPTH if closing else self._depth >= MAX_DEPTH
        self._depth = max(0, self._depth - 1) if closing else self._depth + 1
        if not is_deep:
            return whole
        self.cut += 1
        return "" if tag in _INLINE else " "


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

    name = "html/4"

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:  # noqa: ARG002
        """Return the document; raise `ReadingError` if the page has no text."""
        decoded = decode_file(content, declared=declared_encoding(content), source=source)
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
                parts=(),
                fragments=FragmentStyle.WORDS,
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
    struck = struck_elements(parser)
    strict = Walk(root, leave_out_boilerplate=True, struck=struck)
    kept = strict.page.length
    boilerplate = strict.characters_left_out.total() - sum(
        strict.characters_left_out[reason] for reason in (HIDDEN, CONTROLS, STRUCK)
    )
    total = kept + boilerplate
    if kept >= min(_MIN_KEPT_SHARE * total, _MIN_KEPT_CHARACTERS) and kept > 0:
        return strict
    return Walk(root, leave_out_boilerplate=False, struck=struck)


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
    path = HeadingStack()
    blocks: list[Block] = []
    for piece in walk.page.pieces:
        blocks += (replace(block, anchor=piece.anchor) for block in _split(text, piece, path))
    return tuple(blocks)


def _split(text: str, piece: HtmlPiece, path: HeadingStack) -> list[Block]:
    span = piece.span
    if piece.level:
        labels = path.open_format_heading(piece.level, span.of(text))
        return [Block(BlockKind.HEADING, span, labels)]
    if piece.kind is BlockKind.PARAGRAPH:
        return split_at_marks(text, list(lines_of(text, span.start, span.end)), path)
    return [Block(piece.kind, span, path.labels)]
