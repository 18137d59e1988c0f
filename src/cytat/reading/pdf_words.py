"""A page of PDFium's text -> words with boxes and styles. PDFium's lock is held by the caller.

A line end that PDFium sees is no more than a hint of where words belong together: what is a line
on the page is decided from the boxes.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf_model import Box, Style, Word

HYPHEN_AT_LINE_END = "\ufffe"
"""What PDFium writes for a hyphen that ends a line, in place of the line end too."""
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|CMBX|SFBX|-Medi\b", re.IGNORECASE)
_QUARTER = 90
_UPRIGHT_WITHIN = 4.0
"""Degrees: skewed scans are upright, watermarks are not."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A page as it is shown: its size, and what part of the file's plane it shows, how turned."""

    left: float
    bottom: float
    right: float
    top: float
    turn: int
    """Quarters of a turn with the clock."""

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> Self:
        """Return the frame of a page."""
        left, bottom, right, top = page.get_bbox()
        return cls(left, bottom, right, top, page.get_rotation() // _QUARTER)

    @property
    def width(self) -> float:
        """As shown."""
        return self.top - self.bottom if self.turn % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """As shown."""
        return self.right - self.left if self.turn % 2 else self.top - self.bottom

    def shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return where a rectangle of the file is on the page as it is shown."""
        if self.turn == 1:
            return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.turn == 2:  # noqa: PLR2004 - half a turn
            return Box(self.right - right, bottom - self.bottom, self.right - left,
                       top - self.bottom)  # fmt: skip
        if self.turn == 3:  # noqa: PLR2004 - three quarters
            return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)
        return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)

    def upright(self, box: Box, turn: int) -> Box:
        """Return a box in the frame in which words turned by so many degrees are upright."""
        if turn == _QUARTER:
            return Box(box.top, self.width - box.right, box.bottom, self.width - box.left)
        if turn == 2 * _QUARTER:
            return Box(self.width - box.right, self.height - box.bottom,
                       self.width - box.left, self.height - box.top)  # fmt: skip
        if turn == 3 * _QUARTER:
            return Box(self.height - box.bottom, box.left, self.height - box.top, box.right)
        return box


class PageText:
    """One page's text, by code unit, with the boxes and styles of its characters."""

    def __init__(self, text: pypdfium2.PdfTextPage, frame: Frame) -> None:
        self._raw = text.raw
        self._frame = frame
        count = pdfium.FPDFText_CountChars(self._raw)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._raw, 0, count, buffer) if count > 0 else 0
        # One character a code unit, so that places in it are places in PDFium's text.
        self._units = "".join(map(chr, buffer[: max(0, written - 1)]))
        self._one_to_one = len(self._units) == count
        self._has_halves = _HALF.search(self._units) is not None
        self._rectangle = pdfium.FS_RECTF()
        self._by_reference = ctypes.byref(self._rectangle)
        self._styles: dict[int, Style] = {}
        self._bold_fonts: dict[int, bool] = {}
        self._drawn_before = self._drawn_last = 0
        """What of the page draws the characters whose styles were asked for last."""

    def words(self) -> tuple[Word, ...]:
        """Return the words in PDFium's order."""
        return tuple(self._words())

    def box_at(self, unit: int) -> Box:
        """Return the box, on the page as shown, of the character that a code unit belongs to."""
        return self._frame.shown(*self._edges(unit))

    def _words(self) -> Iterator[Word]:
        for run, line in enumerate(self._line_ranges()):
            spans = [found.span() for found in _WORD.finditer(self._units, line.start, line.end)]
            for (start, end), style in zip(spans, self._styles_of(spans), strict=True):
                hyphenated = line.hyphenated and end == line.end
                said = self._units[start:end]
                if self._has_halves:
                    said = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
                box = self._word_box(start, end)
                if style.turn > 0:
                    box = self._frame.upright(box, style.turn)
                yield Word(said + "-" * hyphenated, box, style, start, run, hyphenated)

    def _styles_of(self, spans: Sequence[tuple[int, int]]) -> list[Style]:
        """Return the styles of a line's words; most lines are drawn in one go."""
        if not spans:
            return []
        first, last = self._style_at(spans[0][0]), self._style_at(spans[-1][0])
        if first is last and len(spans) > 1 and self._drawn_last == self._drawn_before:
            return [first] * len(spans)
        return [first, *(self._style_at(start) for start, _ in spans[1:])]

    def _line_ranges(self) -> Iterator["_Range"]:
        start = 0
        for found in _LINE_END.finditer(self._units):
            hyphenated = found.group() == HYPHEN_AT_LINE_END
            if hyphenated and not self._is_hyphen(found.start()):
                # A glyph without a meaning looks the same; it ends no line.
                continue
            yield _Range(start, found.start(), hyphenated)
            start = found.end()
        yield _Range(start, len(self._units), hyphenated=False)

    def _is_hyphen(self, unit: int) -> bool:
        return bool(pdfium.FPDFText_IsHyphen(self._raw, self._index(unit)) == 1)

    def _index(self, unit: int) -> int:
        """Return PDFium's number of the character at a code unit."""
        if self._one_to_one:
            return unit
        return int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._raw, unit))

    def _word_box(self, start: int, end: int) -> Box:
        left, bottom, right, top = self._edges(start)
        if end - start > 1:
            edges = self._edges(end - 1)
            left, bottom = min(left, edges[0]), min(bottom, edges[1])
            right, top = max(right, edges[2]), max(top, edges[3])
        return self._frame.shown(left, bottom, right, top)

    def _edges(self, unit: int) -> tuple[float, float, float, float]:
        index = unit if self._one_to_one else self._index(unit)
        if not pdfium.FPDFText_GetLooseCharBox(self._raw, index, self._by_reference):
            return self._frame.left, self._frame.top, self._frame.left, self._frame.top
        box = self._rectangle
        return box.left, box.bottom, box.right, box.top

    def _style_at(self, unit: int) -> Style:
        index = self._index(unit)
        shown = pdfium.FPDFText_GetTextObject(self._raw, index)
        if not shown:
            return _PLAIN
        key = ctypes.addressof(shown.contents)
        self._drawn_before, self._drawn_last = self._drawn_last, key
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._style_of(shown, index)
        return style

    def _style_of(self, shown: pdfium.FPDF_PAGEOBJECT, index: int) -> Style:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._raw, index, ctypes.byref(matrix))
        size = pdfium.FPDFText_GetFontSize(self._raw, index) * math.hypot(matrix.c, matrix.d)
        angle = math.degrees(pdfium.FPDFText_GetCharAngle(self._raw, index))
        return Style(
            size=round(size, 1),
            is_bold=self._is_bold(shown),
            turn=_turn(angle + _QUARTER * self._frame.turn),
            has_meaning=pdfium.FPDFText_HasUnicodeMapError(self._raw, index) != 1,
        )

    def _is_bold(self, shown: pdfium.FPDF_PAGEOBJECT) -> bool:
        font = pdfium.FPDFTextObj_GetFont(shown)
        if not font:
            return False
        key = ctypes.addressof(font.contents)
        bold = self._bold_fonts.get(key)
        if bold is None:
            name = ctypes.create_string_buffer(128)
            pdfium.FPDFFont_GetBaseFontName(font, name, len(name))
            bold = _BOLD_NAME.search(name.value.decode("latin-1")) is not None
            self._bold_fonts[key] = bold
        is_outlined = (
            pdfium.FPDFTextObj_GetTextRenderMode(shown) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
        )
        return bold or is_outlined


_PLAIN = Style(size=0.0, is_bold=False, turn=0, has_meaning=True)


@dataclass(frozen=True, slots=True)
class _Range:
    """Where a line stands among the code units of a page."""

    start: int
    end: int
    hyphenated: bool


def _turn(degrees: float) -> int:
    quarters = round(degrees / _QUARTER)
    if abs(degrees - quarters * _QUARTER) > _UPRIGHT_WITHIN:
        return -1
    return quarters % 4 * _QUARTER
