"""A page of PDFium's text -> words with boxes and styles. PDFium's lock is held by the caller.

pypdfium2 makes an object of ctypes for every pointer that it hands in or gets back; a report has
hundreds of thousands. An address here is a plain number, None for what is not there, and is good
for as long as the page it is of stays open.

A line end that PDFium sees is no more than a hint of where words belong together: what is a line
on the page is decided from the boxes.
"""

import ctypes
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf.model import Box, Style, Word

Address: TypeAlias = int | None
_ADDRESS, _INT, _DOUBLE, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_double, ctypes.c_size_t


def address_of(handle: Any) -> Address:  # noqa: ANN401 - pypdfium2 has no types
    """Return the address that a handle of pypdfium2 holds."""
    return ctypes.cast(handle, _ADDRESS).value


def _called(name: str, result: type[Any], *taken: type[Any]) -> Callable[..., Any]:
    # The interpreter is held meanwhile: letting go of it takes as long as the call.
    prototype = ctypes.PYFUNCTYPE(result, *taken)
    return prototype(address_of(getattr(pdfium, name)) or 0)


_OfNumber: TypeAlias = Callable[..., int]
_OfAddress: TypeAlias = Callable[..., Address]

loose_box: _OfNumber = _called("FPDFText_GetLooseCharBox", _INT, _ADDRESS, _INT, _ADDRESS)
"""Text, index, where four floats are written: left, top, right, bottom. 0 if there is none."""
matrix_of: _OfNumber = _called("FPDFText_GetMatrix", _INT, _ADDRESS, _INT, _ADDRESS)
"""Text, index, where six floats are written."""
font_size: Callable[..., float] = _called("FPDFText_GetFontSize", _DOUBLE, _ADDRESS, _INT)
"""Text, index -> the size of the type before the matrix."""
has_no_meaning: _OfNumber = _called("FPDFText_HasUnicodeMapError", _INT, _ADDRESS, _INT)
"""Text, index -> 1 if the file does not say which character it is."""
text_object: _OfAddress = _called("FPDFText_GetTextObject", _ADDRESS, _ADDRESS, _INT)
"""Text, index -> what of the page draws the character."""
font_of: _OfAddress = _called("FPDFTextObj_GetFont", _ADDRESS, _ADDRESS)
"""What draws characters -> its font."""
render_mode: _OfNumber = _called("FPDFTextObj_GetTextRenderMode", _INT, _ADDRESS)
"""What draws characters -> whether it fills or outlines them."""
base_font_name: _OfNumber = _called("FPDFFont_GetBaseFontName", _SIZE, _ADDRESS, _ADDRESS, _SIZE)
"""Font, where its name is written, bytes there."""

object_at: _OfAddress = _called("FPDFPage_GetObject", _ADDRESS, _ADDRESS, _INT)
"""Page, number -> what is drawn."""
kind_of: _OfNumber = _called("FPDFPageObj_GetType", _INT, _ADDRESS)
"""What is drawn -> text, path, picture or other."""
bounds_of: _OfNumber = _called("FPDFPageObj_GetBounds", _INT, *[_ADDRESS] * 5)
"""What is drawn, where its left, bottom, right and top are written. 0 if it has none."""
draw_modes: _OfNumber = _called("FPDFPath_GetDrawMode", _INT, *[_ADDRESS] * 3)
"""Path, where it is written how it is filled and whether it is outlined."""
segments_of: _OfNumber = _called("FPDFPath_CountSegments", _INT, _ADDRESS)
"""Path -> of how many parts it is."""


HYPHEN_AT_LINE_END = "\ufffe"
"""What PDFium writes for a hyphen that ends a line, in place of the line end too."""
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|CMBX|SFBX|-Medi\b", re.IGNORECASE)
_QUARTER = 90
_FOUR = ctypes.c_float * 4
_UPRIGHT_WITHIN = 4.0
"""Degrees: skewed scans are upright, watermarks are not."""


@dataclass(frozen=True, slots=True)
class PageFrame:
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


class PdfPageText:
    """One page's text, by code unit, with the boxes and styles of its characters."""

    def __init__(self, text: pypdfium2.PdfTextPage, frame: PageFrame) -> None:
        self._raw = text.raw
        self._text = address_of(text.raw)
        self._frame = frame
        count = pdfium.FPDFText_CountChars(self._raw)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._raw, 0, count, buffer) if count > 0 else 0
        # One character a code unit, so that places in it are places in PDFium's text.
        self._units = "".join(map(chr, buffer[: max(0, written - 1)]))
        self._one_to_one = len(self._units) == count
        self._has_halves = _HALF.search(self._units) is not None
        self._matrix = (ctypes.c_float * 6)()
        self._nowhere = bytes(_FOUR(frame.left, frame.top, frame.left, frame.top))
        self._styles: dict[int, Style] = {}
        self._bold_fonts: dict[int, bool] = {}
        self._drawn_before: Address = None
        self._drawn_last: Address = None
        """What of the page draws the characters whose styles were asked for last."""

    def words(self) -> tuple[Word, ...]:
        """Return the words in PDFium's order."""
        return tuple(self._words())

    def box_at(self, unit: int) -> Box:
        """Return the box, on the page as shown, of the character that a code unit belongs to."""
        return self._boxes([(unit, unit + 1)])[0]

    def _words(self) -> Iterator[Word]:
        for run, line in enumerate(self._line_ranges()):
            spans = [found.span() for found in _WORD.finditer(self._units, line.start, line.end)]
            words = zip(spans, self._boxes(spans), self._styles_of(spans), strict=True)
            for (start, end), box, style in words:
                hyphenated = line.hyphenated and end == line.end
                said = self._units[start:end]
                if self._has_halves:
                    said = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
                if style.turn > 0:
                    box = self._frame.upright(box, style.turn)  # noqa: PLW2901 - the same, turned
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

    def _boxes(self, spans: Sequence[tuple[int, int]]) -> list[Box]:
        """Return the box of each word, from its first and its last character."""
        edges = (ctypes.c_float * (8 * len(spans)))()
        at = ctypes.addressof(edges)
        for start, end in spans:
            for unit in (start, end - 1):
                index = unit if self._one_to_one else self._index(unit)
                if not loose_box(self._text, index, at):
                    ctypes.memmove(at, self._nowhere, len(self._nowhere))
                at += 16
        reals = iter(memoryview(edges).cast("B").cast("f").tolist())
        shown = self._frame.shown
        return [
            shown(min(left, left_2), min(bottom, bottom_2), max(right, right_2), max(top, top_2))
            for left, top, right, bottom, left_2, top_2, right_2, bottom_2 in zip(
                *[reals] * 8, strict=True
            )
        ]

    def _style_at(self, unit: int) -> Style:
        index = self._index(unit)
        drawn = text_object(self._text, index)
        if drawn is None:
            return _PLAIN
        self._drawn_before, self._drawn_last = self._drawn_last, drawn
        style = self._styles.get(drawn)
        if style is None:
            style = self._styles[drawn] = self._style_of(drawn, index)
        return style

    def _style_of(self, drawn: int, index: int) -> Style:
        matrix_of(self._text, index, self._matrix)
        a, _, c, d, _, _ = self._matrix
        # As PDFium tells the angle of a character.
        angle = math.degrees(math.atan2(c, a))
        return Style(
            size=round(font_size(self._text, index) * math.hypot(c, d), 1),
            is_bold=self._is_bold(drawn),
            turn=_turn(angle + _QUARTER * self._frame.turn),
            has_meaning=has_no_meaning(self._text, index) != 1,
        )

    def _is_bold(self, drawn: int) -> bool:
        font = font_of(drawn)
        if font is None:
            return False
        bold = self._bold_fonts.get(font)
        if bold is None:
            name = ctypes.create_string_buffer(128)
            base_font_name(font, name, len(name))
            bold = _BOLD_NAME.search(name.value.decode("latin-1")) is not None
            self._bold_fonts[font] = bold
        return bold or render_mode(drawn) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE


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
