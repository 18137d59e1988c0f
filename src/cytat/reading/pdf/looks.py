"""What draws characters -> how they are set, on which line they stand, whether they may be seen.

Asked once for each object of the page that draws text, however many characters it draws.
PDFium's lock is held by the caller.
"""

import ctypes
import math
import re
from enum import StrEnum
from typing import NamedTuple

import pypdfium2.raw as pdfium

from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.model import Box, Style
from cytat.reading.pdf.pdfium import (
    Address,
    base_font_name,
    bounds_of,
    clip_of,
    clip_paths,
    clip_segment,
    clip_segments,
    fill_colour,
    font_of,
    font_size,
    has_no_meaning,
    matrix_of,
    render_mode,
    segment_point,
)

_BOLD_NAME = re.compile(r"bold|black|heavy|demi|CMBX|SFBX|-Medi\b", re.IGNORECASE)
_QUARTER = 90
_UPRIGHT_WITHIN = 4.0
"""Degrees: skewed scans are upright, watermarks are not."""
_PALE = 230
"""Lightness, 0 to 255, from which type cannot be told from white paper."""
_FAINT = 26
"""Opacity, 0 to 255, below which nothing is seen."""
_TINY_POINTS = 1.0
"""No type that is meant for reading is smaller."""
_CLIP_POINTS = 1.0
_MAX_CLIP_PARTS = 64
"""Outlines of more parts are drawings, and what they leave is not asked."""
_STROKE = pdfium.FPDF_TEXTRENDERMODE_STROKE
_FILL_STROKE = pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
_UNPAINTED = {pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP}


class Doubt(StrEnum):
    """Why characters may not be seen on the page."""

    PALE = "pale"
    UNPAINTED = "unpainted"
    """As the text that recognition puts over a scanned picture is."""
    TINY = "tiny"
    CLIPPED = "clipped"


class DrawnLook(NamedTuple):
    """How characters are drawn that one object of the page draws."""

    style: Style
    base: float
    """Where the line they stand on is, in the frame in which they are upright."""
    doubt: Doubt | None


PLAIN = DrawnLook(Style(size=0.0, is_bold=False, turn=0, has_meaning=True), 0.0, None)
"""Of what nothing draws: blanks that PDFium puts in."""


class Looks:
    """Makes the looks of one page's text."""

    def __init__(self, text: Address, frame: PageFrame) -> None:
        self._text = text
        self._frame = frame
        self._matrix = (ctypes.c_float * 6)()
        # Numbers come out of a view in a third of the time that ctypes takes.
        self._six = memoryview(self._matrix).cast("B").cast("f")
        self._four = (ctypes.c_float * 4)()
        start = ctypes.addressof(self._four)
        self._places = [start + n * ctypes.sizeof(ctypes.c_float) for n in range(4)]
        self._colour = (ctypes.c_uint * 4)()
        self._rgba = memoryview(self._colour).cast("B").cast("I")
        start = ctypes.addressof(self._colour)
        self._colours = [start + n * ctypes.sizeof(ctypes.c_uint) for n in range(4)]
        self._styles: dict[tuple[float, bool, int, bool], Style] = {}
        self._bold_fonts: dict[int, bool] = {}
        self._clips: dict[tuple[int, Address], Box | None] = {}

    def made(self, drawn: int, index: int) -> DrawnLook:
        """Return the look of what an object draws; `index` is PDFium's number of a character."""
        matrix_of(self._text, index, self._matrix)
        a, _, c, d, x, y = self._six.tolist()
        mode = render_mode(drawn)
        is_bold = self._is_bold(drawn) or mode == _FILL_STROKE
        size = round(font_size(self._text, index) * (math.hypot(c, d) if c else abs(d)), 1)
        has_meaning = has_no_meaning(self._text, index) != 1
        frame = self._frame
        if frame.turn == 0 and c == 0 and a > 0:
            turn, base = 0, frame.top - y
        else:
            # As PDFium tells the angle of a character.
            turn = _turn(math.degrees(math.atan2(c, a)) + _QUARTER * frame.turn)
            base = frame.upright(frame.shown(x, y, x, y), turn).bottom
        key = size, is_bold, turn, has_meaning
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = Style(*key)
        return DrawnLook(style, base, self._doubt(drawn, mode, size))

    def _doubt(self, drawn: int, mode: int, size: float) -> Doubt | None:
        if mode in _UNPAINTED:
            return Doubt.UNPAINTED
        if size < _TINY_POINTS:
            return Doubt.TINY
        if mode != _STROKE and fill_colour(drawn, *self._colours):
            red, green, blue, opacity = self._rgba.tolist()
            if opacity < _FAINT or (red >= _PALE and green >= _PALE and blue >= _PALE - _FAINT):
                return Doubt.PALE
        return Doubt.CLIPPED if self._reaches_out(drawn) else None

    def _reaches_out(self, drawn: int) -> bool:
        """Say whether something drawn lies outside of its clip, in part at least."""
        outlines = clip_of(drawn)
        count = clip_paths(outlines) if outlines is not None else 0
        if count < 1:
            return False
        # What is drawn inside of the same outlines shares their parts.
        key = count, clip_segment(outlines, count - 1, 0)
        if key not in self._clips:
            self._clips[key] = self._clip_box(outlines, count)
        clip = self._clips[key]
        if clip is None or not bounds_of(drawn, *self._places):
            return False
        left, bottom, right, top = self._four
        return (
            left < clip.left - _CLIP_POINTS
            or right > clip.right + _CLIP_POINTS
            or bottom < clip.top - _CLIP_POINTS
            or top > clip.bottom + _CLIP_POINTS
        )

    def _clip_box(self, outlines: Address, count: int) -> Box | None:
        """Return the box, in the file's plane, that all outlines leave; None if it is not told."""
        left = top = -math.inf
        right = bottom = math.inf
        for number in range(count):
            parts = clip_segments(outlines, number)
            if not 0 < parts <= _MAX_CLIP_PARTS:
                return None
            points = [self._point(clip_segment(outlines, number, part)) for part in range(parts)]
            xs, ys = zip(*points, strict=True)
            left, right = max(left, min(xs)), min(right, max(xs))
            top, bottom = max(top, min(ys)), min(bottom, max(ys))
        return Box(left, top, right, bottom)

    def _point(self, part: Address) -> tuple[float, float]:
        segment_point(part, *self._places[:2])
        return self._four[0], self._four[1]

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
        return bold


def _turn(degrees: float) -> int:
    quarters = round(degrees / _QUARTER)
    if abs(degrees - quarters * _QUARTER) > _UPRIGHT_WITHIN:
        return -1
    return quarters % 4 * _QUARTER
