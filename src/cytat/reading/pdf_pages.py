"""Bytes of a PDF -> its pages as lines with boxes. The only module that talks to PDFium.

PDFium is not thread-safe: everything here runs under one lock, and everything opened is closed.
Coordinates are points; `top` grows downwards from the page's upper edge.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.errors import ReadingError
from cytat.reading.extraction import name_of

PDFIUM = Lock()
"""Held while PDFium works, for it keeps state of its own."""

_HYPHEN_AT_LINE_END = "\ufffe"
"""What PDFium writes for a hyphen that ends a line, in place of the line end too."""
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_LINES_LOOKED_AT = 12
"""Lines that are measured word by word to see whether a page may have columns."""
_MIN_WORDS_A_SIDE = 2
_GAP_PER_HEIGHT = 0.8
"""A gap wider than this share of the line's height is more than a blank of justified text."""
_META_KEYS = {"Title": "title", "Author": "author", "CreationDate": "date"}
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Its extent downwards."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line, or what of it stands in one column; `hyphenated` lines end with their hyphen."""

    words: str
    box: Box
    hyphenated: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line, for pages that may have columns."""

    words: str
    box: Box


@dataclass(frozen=True, slots=True)
class PdfPage:
    """What PDFium tells of a page. `line_words` is empty where no line has a wide gap inside."""

    number: int
    label: str | None
    height: float
    lines: tuple[PdfLine, ...]
    line_words: tuple[tuple[Word, ...], ...]
    failure: str | None


@dataclass(frozen=True, slots=True)
class PdfFile:
    """All pages and the file's own words about itself."""

    pages: tuple[PdfPage, ...]
    metadata: dict[str, str]


def read_pages(content: bytes, *, source: str, password: str | None) -> PdfFile:
    """Return the pages; raise `ReadingError` if the file needs a password or is no PDF."""
    with PDFIUM, closing(_opened(content, source=source, password=password)) as document:
        pages = tuple(_page(document, number) for number in range(1, len(document) + 1))
        return PdfFile(pages, _metadata(document))


def _opened(content: bytes, *, source: str, password: str | None) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(content, password=password)
    except pypdfium2.PdfiumError as problem:
        if problem.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise ReadingError(
                "needs-password",
                f"{name_of(source)} opens only with a password"
                + (", and not with the one given" if password else ""),
                hint="Add the file with --password.",
            ) from None
        raise ReadingError(
            "unreadable",
            f"{name_of(source)} is damaged or no PDF: {problem}",
            hint="Open it in a PDF viewer; if that works, print it into a new PDF and add that.",
        ) from None


def _metadata(document: pypdfium2.PdfDocument) -> dict[str, str]:
    found: dict[str, str] = {}
    for theirs, ours in _META_KEYS.items():
        said = " ".join(_clean(document.get_metadata_value(theirs)).split())
        if ours == "date":
            date = _PDF_DATE.match(said)
            said = "-".join(part for part in date.groups() if part) if date else ""
        if said:
            found[ours] = said
    return found


def _clean(said: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in said)


def _page(document: pypdfium2.PdfDocument, number: int) -> PdfPage:
    label = document.get_page_label(number - 1) or None
    try:
        page = document[number - 1]
    except pypdfium2.PdfiumError as problem:
        return PdfPage(number, label, 0.0, (), (), str(problem))
    with closing(page):
        height = page.get_height()
        try:
            text = page.get_textpage()
        except pypdfium2.PdfiumError as problem:
            return PdfPage(number, label, height, (), (), str(problem))
        with closing(text):
            extracted = _PageText(text, height)
            return PdfPage(
                number, label, height, extracted.lines(), extracted.line_words(), failure=None
            )


class _PageText:
    """One page's text, by code unit, with the boxes of its characters."""

    def __init__(self, text: pypdfium2.PdfTextPage, height: float) -> None:
        self._raw = text.raw
        self._height = height
        count = pdfium.FPDFText_CountChars(self._raw)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._raw, 0, count, buffer) if count > 0 else 0
        # One character a code unit, so that places in it are places in PDFium's text.
        self._units = "".join(map(chr, buffer[: max(0, written - 1)]))
        self._one_to_one = len(self._units) == count
        self._has_halves = _HALF.search(self._units) is not None
        self._rectangle = pdfium.FS_RECTF()
        self._ranges = tuple(self._line_ranges())

    def lines(self) -> tuple[PdfLine, ...]:
        """Return the lines in PDFium's order, blank ones left out."""
        return tuple(
            PdfLine(
                self._words(line.start, line.end, line),
                self._box(line.start, line.end),
                line.hyphenated,
            )
            for line in self._ranges
        )

    def line_words(self) -> tuple[tuple[Word, ...], ...]:
        """Return the words of each line if some lines have wide gaps inside, else nothing."""
        looked_at = self._ranges[:: len(self._ranges) // _LINES_LOOKED_AT + 1]
        if not any(_parts_running_text(self._words_of(line)) for line in looked_at):
            return ()
        return tuple(self._words_of(line) for line in self._ranges)

    def _words_of(self, line: "_Range") -> tuple[Word, ...]:
        return tuple(
            Word(self._words(*found.span(), line), self._box(*found.span()))
            for found in _WORD.finditer(self._units, line.start, line.end)
        )

    def _words(self, start: int, end: int, line: "_Range") -> str:
        """Return the text of a stretch of a line, with the hyphen that ends the line."""
        units = self._units[start:end]
        if self._has_halves:
            units = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return units + "-" if line.hyphenated and end == line.end else units

    def _line_ranges(self) -> Iterator["_Range"]:
        start = 0
        for found in _LINE_END.finditer(self._units):
            hyphenated = found.group() == _HYPHEN_AT_LINE_END
            if hyphenated and not self._is_hyphen(found.start()):
                # A glyph without a meaning looks the same; it ends no line.
                continue
            yield from self._range(start, found.start(), hyphenated=hyphenated)
            start = found.end()
        yield from self._range(start, len(self._units), hyphenated=False)

    def _is_hyphen(self, unit: int) -> bool:
        return bool(pdfium.FPDFText_IsHyphen(self._raw, self._index(unit)) == 1)

    def _range(self, start: int, end: int, *, hyphenated: bool) -> Iterator["_Range"]:
        line = self._units[start:end]
        words = line.strip()
        if words:
            start += len(line) - len(line.lstrip())
            yield _Range(start, start + len(words), hyphenated)

    def _index(self, unit: int) -> int:
        """Return PDFium's number of the character at a code unit."""
        if self._one_to_one:
            return unit
        return int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._raw, unit))

    def _box(self, start: int, end: int) -> Box:
        first = self._character_box(start)
        last = self._character_box(end - 1) if end - start > 1 else first
        return Box(
            min(first.left, last.left),
            min(first.top, last.top),
            max(first.right, last.right),
            max(first.bottom, last.bottom),
        )

    def _character_box(self, unit: int) -> Box:
        box = self._rectangle
        if not pdfium.FPDFText_GetLooseCharBox(self._raw, self._index(unit), ctypes.byref(box)):
            return Box(0.0, 0.0, 0.0, 0.0)
        return Box(box.left, self._height - box.top, box.right, self._height - box.bottom)


@dataclass(frozen=True, slots=True)
class _Range:
    """Where a line stands among the code units of a page."""

    start: int
    end: int
    hyphenated: bool


def _parts_running_text(words: Sequence[Word]) -> bool:
    """Say whether a wide gap has words on both sides; beside figures it only parts a table."""
    return any(
        _says_something(words[:place]) and _says_something(words[place:])
        for place in gaps_of(words)
    )


def _says_something(words: Sequence[Word]) -> bool:
    return sum(word.words[:1].isalpha() for word in words) >= _MIN_WORDS_A_SIDE


def gaps_of(words: Sequence[Word]) -> Iterator[int]:
    """Yield the places of the words of a line that stand after a wide gap."""
    for place, (before, word) in enumerate(pairwise(words), 1):
        gap = word.box.left - before.box.right
        if gap > _GAP_PER_HEIGHT * max(before.box.height, word.box.height, 1.0):
            yield place
