"""Paragraphs of pages -> one canonical text, its page spans, and where each word came from. Pure.

Where a word is broken over a line end, the document's own words decide what joins its parts:
nothing where it writes the word whole elsewhere, a hyphen where it writes one there or both parts
stand alone, and a soft hyphen, which search passes over, where the word was probably broken by
whoever set it.

Lines of a paragraph are joined by a blank where the sentence runs on, so that a quote reads as a
sentence; list items and short lines keep their line ends. What stands aside (furniture, notes)
is written where it breaks no sentence: after a paragraph that began on the page before, and
before one that goes on overleaf.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from cytat.reading.pdf.model import CELL_BORDER, Box, PdfLine, PdfPage, Word, is_glued
from cytat.reading.pdf.paragraphs import PageParagraphs, Paragraph, ParagraphKind, keeps_line_end
from cytat.records import LocatorKind, Part, Span

SOFT_HYPHEN = "\u00ad"

_LAST_PART = re.compile(r"([^\W\d_]+)-$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_KEEP = frozenset(
    [
        "ex",
        "eks",
        "quasi",
        "pseudo",
        "non",
        "self",
        "all",
        "cross",
        "post",
        "pro",
        "anty",
        "wice",
        "mini",
        "mega",
    ]
)
"""First parts whose hyphen belongs to the word more often than not."""
_AND = frozenset(["i", "lub", "oraz", "albo", "a", "czy", "and", "or", "to", "und"])
"""After a hanging hyphen: "dwu- i trzyosobowe"."""
_MIN_ALONE = 4


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words that stand inside lines, whole and in lower case."""

    words: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[PdfLine]) -> Self:
        """Return the words of some lines, without those that are broken at their ends."""
        return cls(
            frozenset(
                word.lower()
                for line in lines
                for word in _WORD.findall(
                    line.said.rpartition(" ")[0] if line.hyphenated else line.said
                )
            )
        )


def between(before: str, after: str, vocabulary: DocumentWords) -> str:
    """Return what stands between `before`, which ends with a hyphen, and the next line."""
    last, first = _LAST_PART.search(before), _FIRST_PART.match(after)
    if first is not None and first[0] in _AND:
        return "- "
    if (
        last is None
        or first is None
        or not first[0].islower()
        or last[1][1:] != last[1][1:].lower()
    ):
        return "-"
    return _between_parts(last[1].lower(), first[0].lower(), vocabulary.words)


def _between_parts(left: str, right: str, words: frozenset[str]) -> str:
    if left + right in words:
        return ""
    # Polish compounds join by "o": "społeczno-gospodarczy". Search knows both spellings of these.
    if f"{left}-{right}" in words or left in _KEEP or left.endswith("o"):
        return "-"
    both_alone = min(len(left), len(right)) >= _MIN_ALONE and left in words and right in words
    return "-" if both_alone else SOFT_HYPHEN


_ASIDE = {ParagraphKind.FURNITURE, ParagraphKind.NOTE}


@dataclass(frozen=True, slots=True)
class PlacedParagraph:
    """A paragraph of a kind that its words do not tell, and where it stands in the text."""

    kind: ParagraphKind
    span: Span
    depth: int


class WordPlace(NamedTuple):
    """Where a word of the text came from."""

    start: int
    """In the text."""
    length: int
    page: int
    unit: int
    """Its first code unit among those of the page."""
    units: tuple[int, ...]
    """The code unit of each character where they do not follow one another; else empty."""
    line: int
    """Counts the lines of the text."""
    is_upright: bool
    box: Box
    said: str


@dataclass(frozen=True, slots=True)
class PdfText:
    """The canonical text, where each page lies in it, and what its paragraphs are."""

    text: str
    pages: tuple[Part, ...]
    written: tuple[PlacedParagraph, ...]
    lines: tuple["WrittenLine", ...]

    def places(self) -> Iterator[WordPlace]:
        """Yield where each word of the text came from, in the text's order."""
        for number, line in enumerate(self.lines, 1):
            yield from line.places(number)


class WrittenLine(NamedTuple):
    """A line as it stands in the text."""

    line: PdfLine
    start: int
    page: int
    growth: int
    """By how many characters its last word grew when what broke it at the line end was mended."""

    def places(self, number: int) -> Iterator[WordPlace]:
        """Yield the places of its words; `number` is its own among the lines of the text."""
        words = self.line.words
        for place, (offset, word) in enumerate(_offsets(self.line), 1):
            yield WordPlace(
                start=self.start + offset,
                length=len(word.said) + (self.growth if place == len(words) else 0),
                page=self.page,
                unit=word.place,
                units=word.units,
                line=number,
                is_upright=word.style.turn % 180 == 0,
                box=word.box,
                said=word.said,
            )


def _offsets(line: PdfLine) -> Iterator[tuple[int, Word]]:
    """Yield where each word of a line stands in what the line says."""
    cells = line.cells or (line.words,)
    offset = 0 if cells[0] else -1
    for place, cell in enumerate(cells):
        if place:
            shares_blank = place > 1 and not cells[place - 1]
            offset += len(CELL_BORDER) - shares_blank
        for nth, word in enumerate(cell):
            if nth and not is_glued(cell[nth - 1], word):
                offset += 1
            yield offset, word
            offset += len(word.said)


def written(pages: Sequence[PageParagraphs], furniture: Mapping[int, Sequence[PdfLine]]) -> PdfText:
    """Return the pages written as one text."""
    vocabulary = DocumentWords.of(
        line for page in pages for paragraph in page.paragraphs for line in paragraph.lines
    )
    writer = _Writer(vocabulary)
    for place, page in enumerate(pages):
        runs_on = next(
            (other.paragraphs[0].continues for other in pages[place + 1 :] if other.paragraphs),
            False,
        )
        kept = furniture.get(page.page.number, ())
        writer.add(page, _ordered(page.paragraphs, kept, runs_on=runs_on))
    return PdfText(
        "".join(writer.pieces), tuple(writer.pages), tuple(writer.written), tuple(writer.lines)
    )


def _ordered(
    paragraphs: Sequence[Paragraph], furniture: Sequence[PdfLine], *, runs_on: bool
) -> list[Paragraph]:
    """Return what stands on a page in the order in which no sentence is broken."""
    body = [paragraph for paragraph in paragraphs if paragraph.kind not in _ASIDE]
    notes = [paragraph for paragraph in paragraphs if paragraph.kind in _ASIDE]
    running = [Paragraph(ParagraphKind.FURNITURE, [line]) for line in furniture]
    first = 1 if body and body[0].continues else 0
    last = len(body) - 1 if runs_on and len(body) > first else len(body)
    return [*body[:first], *running, *body[first:last], *notes, *body[last:]]


@dataclass(slots=True)
class _Writer:
    vocabulary: DocumentWords
    pieces: list[str] = field(default_factory=list)
    pages: list[Part] = field(default_factory=list)
    written: list[PlacedParagraph] = field(default_factory=list)
    lines: list[WrittenLine] = field(default_factory=list)
    _length: int = 0
    _page: int = 0
    _before: PdfLine | None = None
    """The last line of the text written last; None after anything else."""

    def add(self, page: PageParagraphs, paragraphs: Sequence[Paragraph]) -> None:
        """Write one page."""
        self._page = page.page.number
        start: int | None = None
        for paragraph in paragraphs:
            begun = self._write_paragraph(paragraph)
            start = begun if start is None else start
        span = Span(self._length if start is None else start, self._length)
        self.pages.append(_page(page.page, span))

    def _write_paragraph(self, paragraph: Paragraph) -> int:
        """Write a paragraph and return where its words begin."""
        before = self._before if paragraph.continues else None
        start: int | None = None
        for line in paragraph.lines:
            if before is None:
                self._write("\n\n" if self.pieces else "")
            elif before.hyphenated and paragraph.kind is not ParagraphKind.CONTENTS:
                self._mend(line)
            else:
                keeps = paragraph.kind is ParagraphKind.CONTENTS or keeps_line_end(before, line)
                self._write("\n" if keeps else " ")
            start = self._length if start is None else start
            self.lines.append(WrittenLine(line, start=self._length, page=self._page, growth=0))
            self._write(line.said)
            before = line
        is_text = paragraph.kind is ParagraphKind.TEXT
        self._before = before if is_text else None
        begun = self._length if start is None else start
        if not is_text:
            span = Span(begun, self._length)
            self.written.append(PlacedParagraph(paragraph.kind, span, paragraph.depth))
        return begun

    def _mend(self, following: PdfLine) -> None:
        """Write what stands between the parts of a word in place of the hyphen written last."""
        written = self.lines[-1]
        last = written.line.words[-1].said
        mended = last[:-1] + between(last, following.said, self.vocabulary)
        growth = len(mended) - len(last)
        self.pieces[-1] = self.pieces[-1].removesuffix(last) + mended
        self._length += growth
        self.lines[-1] = written._replace(growth=growth)
        if written.page != self._page:
            self._fit_pages()

    def _fit_pages(self) -> None:
        """Let pages end where the text does: a word that began on them may have grown or shrunk.

        The page of its first part keeps what was put between the parts; pages after it that hold
        nothing stay empty.
        """
        for place in range(len(self.pages) - 1, -1, -1):
            page = self.pages[place]
            is_empty = page.span.start == page.span.end
            start = self._length if is_empty else page.span.start
            self.pages[place] = replace(page, span=Span(start, self._length))
            if not is_empty:
                return

    def _write(self, said: str) -> None:
        self.pieces.append(said)
        self._length += len(said)


def _page(page: PdfPage, span: Span) -> Part:
    """Return a page as a part: links count pages from 1, people see the printed label."""
    label = page.label or str(page.number)
    return Part(LocatorKind.PAGE, label, f"#page={page.number}", span, page.number)
