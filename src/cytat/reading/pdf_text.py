"""Pages as lines -> one canonical text with page spans. Pure.

Lines of a paragraph are joined by a blank where the sentence runs on, so that a quote reads as a
sentence; list items and short lines keep their line ends. A word broken over a line end becomes
whole: plainly if the document writes it whole elsewhere, with a soft hyphen if it probably is
one, and with its hyphen where that may belong to it ("KOD-4471", "biało-czerwone").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from cytat.reading.pdf_pages import PdfLine, PdfPage
from cytat.reading.structure import heading_of, marks_of
from cytat.records import Page, Span

SOFT_HYPHEN = "\u00ad"

_GAP_PER_PITCH = 1.35
"""A step down by more than this many usual steps begins a paragraph."""
_SHORT_OF_EDGE = 0.85
"""A line that ends before this share of the text's width ended on purpose."""
_HEIGHT_CHANGE = 1.25
_INDENT_PER_HEIGHT = 0.8
_ENDS_SENTENCE = (".", "!", "?", ":", ";", "…", ".”", '."', ".)")
_ITEM = re.compile(r"(?:[-*•▪◦‣●–—]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+\S")
_LAST_PART = re.compile(r"([^\W\d_]+)-$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_NUMBERING = re.compile(r"^\(?\w{1,3}[.)]\s+")
_FIGURE = re.compile(r"\d")
_MIN_FIGURES = 2
_MIN_FIGURE_SHARE = 0.4
"""Share of a line's words with digits from which it is a row of a table."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class PdfText:
    """The canonical text, where each page lies in it, and where furniture does."""

    text: str
    pages: tuple[Page, ...]
    furniture: tuple[Span, ...]


def written(pages: Sequence[PdfPage], furniture: Mapping[int, Sequence[str]]) -> PdfText:
    """Return the pages written as one text."""
    writer = _Writer(_vocabulary(pages))
    for page in pages:
        writer.add(page, furniture.get(page.number, ()))
    return PdfText("".join(writer.written), tuple(writer.pages), tuple(writer.furniture))


def _vocabulary(pages: Sequence[PdfPage]) -> frozenset[str]:
    """Return the words that stand inside lines, whole and in lower case."""
    return frozenset(
        word.lower()
        for page in pages
        for line in page.lines
        for word in _WORD.findall(line.words[:-1] if line.hyphenated else line.words)
    )


@dataclass(slots=True)
class _Writer:
    vocabulary: frozenset[str]
    written: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    furniture: list[Span] = field(default_factory=list)
    _length: int = 0
    _before: PdfLine | None = None
    """The line above on the page, or the last of the page before; None after furniture."""

    def add(self, page: PdfPage, furniture: Sequence[str]) -> None:
        """Write one page."""
        page_start: int | None = None
        for words in furniture:
            start = self._write_apart(words)
            page_start = start if page_start is None else page_start
            self.furniture.append(Span(start, self._length))
            self._before = None
        shape = _Shape.of(page)
        for place, line in enumerate(page.lines):
            start = self._write_line(line, shape, first=place == 0)
            page_start = start if page_start is None else page_start
        span = Span(self._length if page_start is None else page_start, self._length)
        self.pages.append(Page(page.number, page.label, span))

    def _write_line(self, line: PdfLine, shape: "_Shape", *, first: bool) -> int:
        before = self._before
        self._before = line
        if before is None:
            return self._write_apart(line.words)
        begins = _begins_after_page(before, line) if first else shape.begins(before, line)
        if begins:
            return self._write_apart(line.words)
        if before.hyphenated:
            return self._write_rest_of_word(line)
        self._write("\n" if _keeps_line_end(before, line, shape) else " ")
        start = self._length
        self._write(line.words)
        return start

    def _write_rest_of_word(self, line: PdfLine) -> int:
        last = self.written.pop()
        mended = last[:-1] + _hyphen_between(last, line.words, self.vocabulary)
        self._length += len(mended) - len(last)
        self.written.append(mended)
        start = self._length
        self._write(line.words)
        return start

    def _write_apart(self, words: str) -> int:
        if self.written:
            self._write("\n\n")
        start = self._length
        self._write(words)
        return start

    def _write(self, said: str) -> None:
        self.written.append(said)
        self._length += len(said)


def _hyphen_between(before: str, after: str, vocabulary: frozenset[str]) -> str:
    """Return what stands between the parts of a word broken over a line end."""
    last, first = _LAST_PART.search(before), _FIRST_PART.match(after)
    if (
        last is None
        or first is None
        or not first[0].islower()
        or last[1][1:] != last[1][1:].lower()
    ):
        return "-"
    left, right = last[1].lower(), first[0].lower()
    if left + right in vocabulary:
        return ""
    # Polish compounds join by "o": "społeczno-gospodarczy". Search knows both spellings of these.
    if f"{left}-{right}" in vocabulary or left.endswith("o"):
        return "-"
    return SOFT_HYPHEN


@dataclass(frozen=True, slots=True)
class _Shape:
    """The usual step from line to line of a page, and how wide its text is."""

    pitch: float
    left: float
    right: float

    @classmethod
    def of(cls, page: PdfPage) -> "_Shape":
        lines = page.lines
        if not lines:
            return cls(0.0, 0.0, 0.0)
        steps = [step for step in _steps(lines) if step > 1]
        return cls(
            pitch=median(steps) if steps else 0.0,
            left=min(line.box.left for line in lines),
            right=max(line.box.right for line in lines),
        )

    def begins(self, before: PdfLine, line: PdfLine) -> bool:
        """Say whether a paragraph begins with `line`."""
        if _opens(line.words) or heading_of(before.words) is not None:
            return True
        step = line.box.top - before.box.top
        if step < -before.box.height:
            # Up to another column: a sentence may run on there.
            return _is_finished(before, line)
        if self.pitch and step > _GAP_PER_PITCH * self.pitch:
            return True
        if _differ(before.box.height, line.box.height):
            return True
        indented = line.box.left - before.box.left > _INDENT_PER_HEIGHT * line.box.height
        return (indented or self.is_short(before)) and _is_finished(before, line)

    def is_short(self, line: PdfLine) -> bool:
        """Say whether a line ends well before the right edge of the text."""
        return line.box.right - self.left < _SHORT_OF_EDGE * (self.right - self.left)


def _steps(lines: Sequence[PdfLine]) -> Iterator[float]:
    for before, line in pairwise(lines):
        yield line.box.top - before.box.top


def _opens(words: str) -> bool:
    """Say whether a line begins a paragraph by its form: a heading or an article."""
    return heading_of(words) is not None or bool(marks_of(words, below_article=False).marks)


def _differ(one: float, other: float) -> bool:
    low, high = sorted((one, other))
    return low > 0 and high / low > _HEIGHT_CHANGE


def _is_finished(before: PdfLine, line: PdfLine) -> bool:
    if before.hyphenated or line.words[:1].islower():
        return False
    return before.words.endswith(_ENDS_SENTENCE)


def _begins_after_page(before: PdfLine, line: PdfLine) -> bool:
    """Say whether a page's first line begins a paragraph: only a broken sentence runs on."""
    if _opens(line.words) or before.words.endswith(_ENDS_SENTENCE):
        return True
    return not (before.hyphenated or line.words[:1].islower())


def _is_row(words: str) -> bool:
    """Say whether a line is a row of figures rather than prose with numbers in it."""
    parts = _NUMBERING.sub("", words).split()
    figures = sum(_FIGURE.search(part) is not None for part in parts)
    return figures >= _MIN_FIGURES and figures >= _MIN_FIGURE_SHARE * len(parts)


def _keeps_line_end(before: PdfLine, line: PdfLine, shape: _Shape) -> bool:
    if _ITEM.match(line.words) or _is_row(before.words) or _is_row(line.words):
        return True
    if line.words[:1].islower():
        return False
    return before.words.endswith(_ENDS_SENTENCE) or shape.is_short(before)
