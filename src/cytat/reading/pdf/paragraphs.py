"""Lines of pages -> paragraphs, tables, captions and notes; a paragraph may run over a page end.

A paragraph begins after a step down, an indent or a change of type, or with the form of a
heading. Captions and notes are paragraphs of their own, and the one they interrupt goes on.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from statistics import median

from cytat.reading.pdf.model import RAISED_DIGITS, LineKind, PdfLine, PdfPage
from cytat.reading.structure import heading_of, marks_of

_GAP_PER_PITCH = 1.35
"""A step down by more than this many usual steps begins a paragraph."""
_MAX_PITCH_PER_SIZE = 2.0
"""A page of few lines has no usual step; more than double spacing is none."""
_SHORT_OF_EDGE = 0.85
"""A line that ends before this share of the text's width ended on purpose."""
_SIZE_CHANGE = 1.12
_INDENT_PER_SIZE = 0.8
_ENDS_SENTENCE = (".", "!", "?", ":", ";", "…", ".”", '."', ".)")
_ITEM = re.compile(
    rf"(?:[-*•▪◦‣●–—]|\(?\d{{1,3}}[.)]|\(?[a-z]\))\s+\S|[{RAISED_DIGITS}]{{1,3}}\s?[^\W\d_{RAISED_DIGITS}]"
)
_NUMBERING = re.compile(r"^\(?\w{1,3}[.)]\s+")
_FIGURE = re.compile(r"\d")
_MIN_FIGURES = 2
_MIN_FIGURE_SHARE = 0.4
"""Share of a line's words with digits from which it is a row of figures."""
_CAPTION = re.compile(
    r"(?:Figure|Fig\.|Table|Tab\.|Chart|Exhibit|Photo|Scheme|Rysunek|Rys\.|Ryc\.|Tabela|Wykres"
    r"|Schemat|Zdjęcie|Fot\.|Diagram|Mapa)\s+(?:\d+|[A-Z])(?:[.\-]\d+)*[a-z]?"
    r"(?:\s*[:.–—|](?:\s|$)|\s*$)"
)


class ParagraphKind(StrEnum):
    """What stands apart from what."""

    TEXT = "text"
    TABLE = "table"
    HEADING = "heading"
    CAPTION = "caption"
    NOTE = "note"
    FURNITURE = "furniture"
    CONTENTS = "contents"
    """Entries of a table of contents."""


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together. `depth` is that of a heading and 0 otherwise."""

    kind: ParagraphKind
    lines: list[PdfLine]
    continues: bool = False
    """Whether it goes on with the last text of the page before."""
    depth: int = 0

    @property
    def said(self) -> str:
        """Its words, each line after a blank."""
        return " ".join(line.said for line in self.lines)


@dataclass(slots=True)
class PageParagraphs:
    """What stands on one page, in the order it is written."""

    page: PdfPage
    paragraphs: list[Paragraph] = field(default_factory=list)


def paragraphs_of(
    pages: Sequence[PdfPage], notes: Sequence[Sequence[PdfLine]]
) -> list[PageParagraphs]:
    """Return the paragraphs of each page; `notes` holds the lines at the foot of each."""
    found: list[PageParagraphs] = []
    last: PdfLine | None = None
    for page, at_foot in zip(pages, notes, strict=True):
        shape = LineSpacing.of(page.lines)
        body = _with_captions_aside(list(_paragraphs(page.lines, shape)))
        if last is not None and body and body[0].kind is ParagraphKind.TEXT:
            body[0].continues = not _begins_after_page(last, body[0].lines[0])
        feet = [
            Paragraph(ParagraphKind.NOTE, paragraph.lines)
            for paragraph in _paragraphs(at_foot, LineSpacing.of(at_foot), is_note=True)
        ]
        found.append(PageParagraphs(page, body + feet))
        if body:
            is_text = body[-1].kind is ParagraphKind.TEXT
            last = body[-1].lines[-1] if is_text else None
    return found


def keeps_line_end(before: PdfLine, line: PdfLine) -> bool:
    """Say whether the line end between two lines of a paragraph means something."""
    if before.kind is LineKind.ROW or line.kind is LineKind.ROW:
        return True
    if _ITEM.match(line.said):
        return True
    if line.said[:1].islower() and not (is_short(before) and _is_row(line.said)):
        return False
    if _is_row(before.said) or _is_row(line.said):
        return True
    return before.said.endswith(_ENDS_SENTENCE) or is_short(before)


def is_short(line: PdfLine) -> bool:
    """Say whether a line ends well before the right edge of its column."""
    return line.box.width < _SHORT_OF_EDGE * (line.reach - line.box.left)


def is_caption(said: str) -> bool:
    """Say whether a line begins the caption of a figure or a table."""
    return _CAPTION.match(said) is not None


def _paragraphs(
    lines: Sequence[PdfLine], shape: "LineSpacing", *, is_note: bool = False
) -> Iterator[Paragraph]:
    together: list[PdfLine] = []
    kind = ParagraphKind.TEXT
    for line in lines:
        is_row = line.kind is LineKind.ROW
        if together:
            was_row = together[-1].kind is LineKind.ROW
            if is_row or was_row:
                begins = not (is_row and was_row) or line.starts_table
            else:
                begins = shape.begins(together[-1], line) or (is_note and opens_note(line.said))
            if begins:
                yield Paragraph(kind, together)
                together = []
        if not together:
            kind = _kind_of(line)
        together.append(line)
    if together:
        yield Paragraph(kind, together)


def _kind_of(first: PdfLine) -> ParagraphKind:
    if first.kind is LineKind.ROW:
        return ParagraphKind.TABLE
    return ParagraphKind.CAPTION if is_caption(first.said) else ParagraphKind.TEXT


_NOTE = re.compile(
    rf"(?:\d{{1,3}}(?=[\s.)]|[^\W\d_a-z„\"]|[„\"])|[{RAISED_DIGITS}]{{1,3}}|[ᵃ-ᶻ](?=\s|[^\W\d_a-z])"
    r"|[*†‡]{1,3}|\(?[a-z\d]{1,2}\)\s)"
)


def opens_note(said: str) -> bool:
    """Say whether a line begins with the mark of a note."""
    return _NOTE.match(said) is not None


def _with_captions_aside(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs, one that captions interrupt made whole and put before them."""
    whole: list[Paragraph] = []
    for paragraph in paragraphs:
        at = len(whole) - 1
        while at >= 0 and whole[at].kind is ParagraphKind.CAPTION:
            at -= 1
        if (
            0 <= at < len(whole) - 1
            and paragraph.kind is whole[at].kind is ParagraphKind.TEXT
            and not _begins_after_page(whole[at].lines[-1], paragraph.lines[0])
        ):
            whole[at].lines += paragraph.lines
        else:
            whole.append(paragraph)
    return whole


@dataclass(frozen=True, slots=True)
class LineSpacing:
    """The usual step from line to line of a page."""

    pitch: float

    @classmethod
    def of(cls, lines: Sequence[PdfLine]) -> "LineSpacing":
        """Return the shape of a page's lines."""
        steps = [
            step
            for before, line in pairwise(lines)
            if (step := line.box.middle - before.box.middle) > 1 and line.kind is LineKind.TEXT
        ]
        if not steps:
            return cls(0.0)
        size = median(line.size for line in lines)
        return cls(min(median(steps), _MAX_PITCH_PER_SIZE * size) if size else median(steps))

    def begins(self, before: PdfLine, line: PdfLine) -> bool:
        """Say whether a paragraph begins with `line`."""
        if line.kind is not before.kind or _opens(line.said) or heading_of(before.said) is not None:
            return True
        step = line.box.middle - before.box.middle
        if step < -before.box.height:
            # Up to another column: a sentence may run on there.
            return _is_finished(before, line) or _differ(before.size, line.size)
        if self.pitch and step > _GAP_PER_PITCH * max(self.pitch, before.box.height):
            return True
        if _differ(before.size, line.size) or _changes_weight(before, line):
            return True
        indented = line.box.left - before.box.left > _INDENT_PER_SIZE * line.size
        return (indented or is_short(before)) and _is_finished(before, line)


def _changes_weight(before: PdfLine, line: PdfLine) -> bool:
    """Say whether a bold line ends or begins here, as headings without more room do."""
    if before.is_bold == line.is_bold or before.hyphenated:
        return False
    return is_short(before) and not line.said[:1].islower()


def _opens(said: str) -> bool:
    """Say whether a line begins a paragraph by its form: a heading, an article, a caption."""
    if is_caption(said) or heading_of(said) is not None:
        return True
    return bool(marks_of(said, below_article=False).marks)


def _differ(one: float, other: float) -> bool:
    low, high = sorted((one, other))
    return low > 0 and high / low > _SIZE_CHANGE


def _is_finished(before: PdfLine, line: PdfLine) -> bool:
    if before.hyphenated or line.said[:1].islower():
        return False
    return before.said.endswith(_ENDS_SENTENCE)


def _begins_after_page(before: PdfLine, line: PdfLine) -> bool:
    """Say whether a page's first line begins a paragraph: only a broken sentence runs on."""
    if _opens(line.said) or before.said.endswith(_ENDS_SENTENCE):
        return True
    if _differ(before.size, line.size):
        return True
    return not (before.hyphenated or line.said[:1].islower())


def _is_row(said: str) -> bool:
    """Say whether a line is a row of figures rather than prose with numbers in it."""
    parts = _NUMBERING.sub("", said).split()
    figures = sum(_FIGURE.search(part) is not None for part in parts)
    return figures >= _MIN_FIGURES and figures >= _MIN_FIGURE_SHARE * len(parts)
