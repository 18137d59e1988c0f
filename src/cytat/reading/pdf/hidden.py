"""Words of a page that may not be seen -> those that are. PDFium's lock is held by the caller.

What is doubtful by its colour, its size or its clip is looked for on the page as it is drawn: where
nothing but one even shade lies, nobody can read it. The text that recognition puts over a scanned
picture is drawn in no colour at all, and stays.
"""

import ctypes
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.looks import Doubt
from cytat.reading.pdf.model import Box, Word
from cytat.reading.pdf.pdfium import Address, address_of, bounds_of, kind_of, object_at
from cytat.reading.pdf.words import PdfPageText

_MAX_OBJECTS = 6000
_PIXELS_A_POINT = 1.5
_MOST_PIXELS = 4_000_000
"""Larger pages are drawn coarser."""
_LEAST_CONTRAST = 16
"""Between the darkest and the lightest shade, 0 to 255, from which something can be seen."""
_INSET = 0.2
"""Share of a word's height at its top and its foot where lines beside it may be drawn."""


def seen_words(
    page: pypdfium2.PdfPage, frame: PageFrame, text: PdfPageText, words: Sequence[Word]
) -> tuple[Word, ...]:
    """Return the words that can be seen on a page, or were recognised in a picture on it."""
    sheet = Box(0.0, 0.0, frame.width, frame.height)
    if not text.doubts and _holds(sheet, words):
        return tuple(words)
    outside = {word.place for word in words if not _meet(text.shown_box(word), sheet)}
    doubtful = {
        word.place: text.shown_box(word)
        for word in words
        if word.place in text.doubts and word.place not in outside
    }
    hidden = outside | (_hidden(page, frame, doubtful, text.doubts) if doubtful else set())
    return tuple(word for word in words if word.place not in hidden) if hidden else tuple(words)


def _hidden(
    page: pypdfium2.PdfPage,
    frame: PageFrame,
    boxes: Mapping[int, Box],
    doubts: Mapping[int, Doubt],
) -> set[int]:
    """Return the places of the words that nothing is drawn of."""
    tiny = {place for place in boxes if doubts[place] is Doubt.TINY}
    if any(doubts[place] is Doubt.UNPAINTED for place in boxes):
        pictures = list(_pictures(page, frame))
        recognised = {
            place
            for place, box in boxes.items()
            if doubts[place] is Doubt.UNPAINTED and any(_meet(box, other) for other in pictures)
        }
    else:
        recognised = set()
    asked = {place: box for place, box in boxes.items() if place not in tiny | recognised}
    return tiny | (_blank(page, frame, asked) if asked else set())


def _pictures(page: pypdfium2.PdfPage, frame: PageFrame) -> Iterator[Box]:
    """Yield where pictures lie on the page, or forms that may hold some."""
    edges = (ctypes.c_float * 4)()
    start = ctypes.addressof(edges)
    places = [start + n * ctypes.sizeof(ctypes.c_float) for n in range(4)]
    address: Address = address_of(page.raw)
    for index in range(min(pdfium.FPDFPage_CountObjects(page.raw), _MAX_OBJECTS)):
        drawn = object_at(address, index)
        kind = kind_of(drawn)
        if kind in {pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM} and bounds_of(
            drawn, *places
        ):
            yield frame.shown(*edges)


def _blank(page: pypdfium2.PdfPage, frame: PageFrame, boxes: Mapping[int, Box]) -> set[int]:
    """Return which boxes of the page, as it is drawn, hold nothing but one even shade."""
    lefts, tops, rights, bottoms = zip(*boxes.values(), strict=True)
    left, right = max(0.0, min(lefts)), min(frame.width, max(rights))
    top, bottom = max(0.0, min(tops)), min(frame.height, max(bottoms))
    area = (right - left) * (bottom - top)
    scale = min(_PIXELS_A_POINT, (_MOST_PIXELS / max(area, 1.0)) ** 0.5)
    crop = (left, max(0.0, frame.height - bottom - 1), max(0.0, frame.width - right - 1), top)
    with closing(page.render(scale=scale, crop=crop, grayscale=True)) as bitmap:
        drawn = _Shades(bitmap, scale, math.ceil(left * scale), math.ceil(top * scale))
        return {place for place, box in boxes.items() if drawn.contrast(box) < _LEAST_CONTRAST}


class _Shades:
    """A part of a page as it is drawn, in shades of grey."""

    def __init__(self, bitmap: pypdfium2.PdfBitmap, scale: float, left: int, top: int) -> None:
        self._pixels = bytes(bitmap.buffer)
        self._width, self._height, self._stride = bitmap.width, bitmap.height, bitmap.stride
        self._scale, self._left, self._top = scale, left, top

    def contrast(self, box: Box) -> int:
        """Return how far the lightest and the darkest shade in a box are apart, 0 to 255."""
        inset = _INSET * box.height
        first = max(0, round((box.top + inset) * self._scale) - self._top)
        last = min(self._height, round((box.bottom - inset) * self._scale) - self._top + 1)
        left = max(0, round(box.left * self._scale) - self._left)
        right = min(self._width, round(box.right * self._scale) - self._left + 1)
        rows = [
            self._pixels[row * self._stride + left : row * self._stride + right]
            for row in range(first, last)
        ]
        shades = b"".join(rows)
        return max(shades) - min(shades) if shades else 0


def _holds(sheet: Box, words: Sequence[Word]) -> bool:
    """Say whether upright words all lie on the page, as on nearly every page."""
    if not words:
        return True
    if {word.style.turn for word in words} != {0}:
        return False
    lefts, tops, rights, bottoms = zip(*[word.box for word in words], strict=True)
    is_beside = min(lefts) < 0 or min(tops) < 0
    return not is_beside and max(rights) <= sheet.right and max(bottoms) <= sheet.bottom


def _meet(box: Box, other: Box) -> bool:
    return (
        box.left < other.right
        and other.left < box.right
        and box.top < other.bottom
        and other.top < box.bottom
    )
