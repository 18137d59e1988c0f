"""Bytes of a PDF -> its pages as words and drawn lines, its metadata and outline.

Drawn lines are looked for only where words stand apart as in a table, for asking costs a call for
every mark on the page.

PDFium is not thread-safe: everything here runs under one lock, and everything opened is closed.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from threading import Lock

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.errors import ReadingError
from cytat.reading.extraction import name_of
from cytat.reading.pdf.form_fields import fields_of, open_page, with_fields
from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.hidden import seen_words
from cytat.reading.pdf.model import Box, OutlineEntry, PdfFile, PdfPage, Word
from cytat.reading.pdf.pdfium import (
    Address,
    address_of,
    bounds_of,
    draw_modes,
    kind_of,
    object_at,
    segments_of,
)
from cytat.reading.pdf.words import PdfPageText

_THIN = 2.5
_LONG = 6.0
_MAX_OBJECTS = 6000
"""Drawings have tens of thousands of lines, and no table that is worth their time."""
_MIN_ROWS_APART = 2
_GAP_PER_SIZE = 0.8


def rules_of(page: pypdfium2.PdfPage, frame: PageFrame, words: Sequence[Word]) -> tuple[Box, ...]:
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


def _rules(page: pypdfium2.PdfPage, count: int, frame: PageFrame) -> Iterator[Box]:
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


PDFIUM = Lock()
"""Held while PDFium works, for it keeps state of its own."""

_META_KEYS = {"Title": "title", "Author": "author", "CreationDate": "date"}
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_MAX_OUTLINE = 5000
_MAX_OUTLINE_DEPTH = 6


@contextmanager
def opened(content: bytes, *, source: str, password: str | None) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF for as long as the block lasts; raise `ReadingError` if that cannot be done."""
    with PDFIUM, closing(_opened(content, source=source, password=password)) as document:
        yield document


def read_pages(content: bytes, *, source: str, password: str | None) -> PdfFile:
    """Return the pages; raise `ReadingError` if the file needs a password or is no PDF."""
    with opened(content, source=source, password=password) as document:
        pages = tuple(_page(document, number) for number in range(1, len(document) + 1))
        is_sound = bool(pdfium.FPDF_DocumentHasValidCrossReferenceTable(document.raw))
        return PdfFile(pages, _metadata(document), _outline(document), is_sound)


def _opened(content: bytes, *, source: str, password: str | None) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(content, password=password)
        document.init_forms()
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
    return document


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


def _outline(document: pypdfium2.PdfDocument) -> tuple[OutlineEntry, ...]:
    """Return the bookmarks that lead to a page, in their order."""
    found = []
    for bookmark in document.get_toc(max_depth=_MAX_OUTLINE_DEPTH):
        title = " ".join(_clean(bookmark.get_title() or "").split())
        dest = bookmark.get_dest()
        index = dest.get_index() if dest is not None else None
        if title and index is not None:
            found.append(OutlineEntry(title, bookmark.level + 1, index + 1))
        if len(found) >= _MAX_OUTLINE:
            break
    return tuple(found)


def _page(document: pypdfium2.PdfDocument, number: int) -> PdfPage:
    """Return a page; what of it cannot be opened costs that page alone."""
    label = document.get_page_label(number - 1) or None
    try:
        fields = fields_of(document, number)
        with open_page(document, number) as page, closing(page.get_textpage()) as text:
            frame = PageFrame.of(page)
            shown = PdfPageText(text, frame)
            told = shown.words()
            seen = seen_words(page, frame, shown, told)
            words = with_fields(seen, fields)
            return PdfPage(
                number=number,
                label=label,
                width=frame.width,
                height=frame.height,
                words=words,
                rules=rules_of(page, frame, words),
                lines=(),
                failure=None,
                hidden=len(told) - len(seen),
                is_blank=not (told or words) and pdfium.FPDFPage_CountObjects(page.raw) == 0,
            )
    except pypdfium2.PdfiumError as problem:
        return PdfPage(number, label, 0.0, 0.0, (), (), (), str(problem), hidden=0, is_blank=False)
