"""A page of PDFium -> the thin lines drawn on it. PDFium's lock is held by the caller.

Looked for only where words stand apart as in a table, for asking costs a call for every mark on
the page.
"""

import ctypes
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf_model import Box, Word
from cytat.reading.pdf_words import Frame

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
    rows: Counter[int] = Counter()
    for before, word in pairwise(words):
        if word.box.left - before.box.right > _GAP_PER_SIZE * max(word.style.size, 1.0) or (
            abs(word.box.top - before.box.top) < 1 and word.run != before.run
        ):
            rows[word.run] += 1
    return len(rows) >= _MIN_ROWS_APART


def _rules(page: pypdfium2.PdfPage, count: int, frame: Frame) -> Iterator[Box]:
    edges = [ctypes.c_float() for _ in range(4)]
    references = [ctypes.byref(edge) for edge in edges]
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    for index in range(count):
        drawn = pdfium.FPDFPage_GetObject(page.raw, index)
        if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        if not pdfium.FPDFPageObj_GetBounds(drawn, *references):
            continue
        box = frame.shown(*(edge.value for edge in edges))
        thin = min(box.width, box.height) <= _THIN
        if thin and max(box.width, box.height) >= _LONG:
            yield box
        elif not thin and min(box.width, box.height) >= _LONG:
            pdfium.FPDFPath_GetDrawMode(drawn, ctypes.byref(fill), ctypes.byref(stroke))
            if stroke.value and pdfium.FPDFPath_CountSegments(drawn) <= _RECTANGLE_SEGMENTS:
                yield from _sides(box)


_RECTANGLE_SEGMENTS = 6


def _sides(box: Box) -> Iterator[Box]:
    """Yield the four lines of a rectangle that is drawn by its edge."""
    yield Box(box.left, box.top, box.right, box.top + 1)
    yield Box(box.left, box.bottom - 1, box.right, box.bottom)
    yield Box(box.left, box.top, box.left + 1, box.bottom)
    yield Box(box.right - 1, box.top, box.right, box.bottom)
