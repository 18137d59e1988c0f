"""A page of PDFium -> the thin lines drawn on it. PDFium's lock is held by the caller.

Looked for only where words stand apart as in a table, for asking costs a call for every mark on
the page.
"""

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf_model import Box, Word
from cytat.reading.pdf_words import Frame
from cytat.reading.pdfium_calls import (
    Address,
    address_of,
    bounds_of,
    draw_modes,
    kind_of,
    object_at,
    segments_of,
)

_THIN = 2.5
_LONG = 6.0
_MAX_OBJECTS = 6000
"""Drawings have tens of thousands of lines, and no table that is worth their time."""
_MIN_ROWS_APART = 2
_GAP_PER_SIZE = 0.8


def rules_of(page: pypdfium2.PdfPage, frame: Frame, words: Sequence[Word]) -> tuple[Box, ...]:
    """Return the level and upright lines of a page whose words stand apart in several lines."""
    if not _stand_apart(words):
        return ()
    count = min(pdfium.FPDFPage_CountObjects(page.raw), _MAX_OBJECTS)
    return tuple(_rules(page, count, frame))


def _stand_apart(words: Sequence[Word]) -> bool:
    rows: set[int] = set()
    for before, word in pairwise(words):
        if word.run in rows:
            continue
        gap = word.box.left - before.box.right
        if gap > _GAP_PER_SIZE * max(word.style.size, 1.0) or (
            word.run != before.run and abs(word.box.top - before.box.top) < 1
        ):
            rows.add(word.run)
            if len(rows) >= _MIN_ROWS_APART:
                return True
    return False


def _rules(page: pypdfium2.PdfPage, count: int, frame: Frame) -> Iterator[Box]:
    edges = (ctypes.c_float * 4)()
    start = ctypes.addressof(edges)
    places = [start + n * ctypes.sizeof(ctypes.c_float) for n in range(4)]
    address = address_of(page.raw)
    for index in range(count):
        drawn = object_at(address, index)
        if kind_of(drawn) != pdfium.FPDF_PAGEOBJ_PATH or not bounds_of(drawn, *places):
            continue
        left, bottom, right, top = edges
        width, height = right - left, top - bottom
        if width < _LONG and height < _LONG:
            continue
        if width <= _THIN or height <= _THIN:
            yield frame.shown(left, bottom, right, top)
        elif width >= _LONG and height >= _LONG and _is_outlined_rectangle(drawn):
            yield from _sides(frame.shown(left, bottom, right, top))


def _is_outlined_rectangle(drawn: Address) -> bool:
    modes = (ctypes.c_int * 2)()
    draw_modes(drawn, modes, ctypes.byref(modes, ctypes.sizeof(ctypes.c_int)))
    return bool(modes[1]) and segments_of(drawn) <= _RECTANGLE_SEGMENTS


_RECTANGLE_SEGMENTS = 6


def _sides(box: Box) -> Iterator[Box]:
    """Yield the four lines of a rectangle that is drawn by its edge."""
    yield Box(box.left, box.top, box.right, box.top + 1)
    yield Box(box.left, box.bottom - 1, box.right, box.bottom)
    yield Box(box.left, box.top, box.left + 1, box.bottom)
    yield Box(box.right - 1, box.top, box.right, box.bottom)
