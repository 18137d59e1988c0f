"""A page with form fields -> the page with their values drawn on it, and what is not drawn.

What a person has filled in lies beside the page. PDFium draws it where a viewer shows it, so that
it is read as all other text is; ticks, and values that the file has no drawing of, are added as
words at the place of their field. PDFium's lock is held by the caller.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.model import Box, Style, Word

TICK = "\u2611"
_DRAWN = {pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT}
"""Annotations whose text a viewer shows as part of the page."""
_VALUED = {
    pdfium.FPDF_FORMFIELD_TEXTFIELD,
    pdfium.FPDF_FORMFIELD_COMBOBOX,
    pdfium.FPDF_FORMFIELD_LISTBOX,
}
_TICKED = {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}
_UNSEEN = 2 | 32
"""Flags of annotations that are hidden, or not shown on a screen."""
_PASSWORD = 1 << 13
"""Flag of text fields whose value is shown as dots."""
_MAX_ANNOTATIONS = 4000
_MAX_VALUE_BYTES = 65536
_SIZE_PER_HEIGHT = 0.7
_MOST_SIZE = 10.0


class FormField(NamedTuple):
    """A value as it is shown in a field: words, or a tick."""

    value: str
    box: Box
    is_tick: bool


@contextmanager
def open_page(document: pypdfium2.PdfDocument, number: int) -> Iterator[pypdfium2.PdfPage]:
    """Open a page, from 1, with the values of its form fields drawn on it."""
    page = document[number - 1]
    try:
        count = min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)
        if any(_subtype(page, at) in _DRAWN for at in range(count)):
            pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY)
            page.close()
            page = document[number - 1]
        yield page
    finally:
        page.close()


def fields_of(document: pypdfium2.PdfDocument, number: int) -> tuple[FormField, ...]:
    """Return the fields of a page, from 1, that hold something; drawing it removes them."""
    form = document.formenv
    if form is None:
        return ()
    with closing(document[number - 1]) as page:
        count = min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)
        frame = PageFrame.of(page)
        found = [_field(form.raw, page, at, frame) for at in range(count)]
    return tuple(field for field in found if field is not None)


def with_fields(words: Sequence[Word], fields: Sequence[FormField]) -> tuple[Word, ...]:
    """Return the words of a page with those of fields that are not drawn on it."""
    made = list(words)
    for field in fields:
        inside = [word for word in made if _holds(field.box, word)]
        if field.is_tick:
            drawn = {word.place for word in inside if len(word.said) == 1}
            made = [word for word in made if word.place not in drawn]
            made += _words(field, first=-len(made) - 1)
        elif not inside:
            made += _words(field, first=-len(made) - 1)
    return tuple(made)


def _words(field: FormField, *, first: int) -> Iterator[Word]:
    """Yield the words of a field, side by side; their places are none of the page's own text."""
    left, top, right, bottom = field.box
    size = round(min(_MOST_SIZE, _SIZE_PER_HEIGHT * (bottom - top)), 1)
    style = Style(size, is_bold=False, turn=0, has_meaning=True)
    middle = (top + bottom) / 2
    step = (right - left) / max(1, len(field.value))
    at = 0
    for nth, said in enumerate(field.value.split()):
        at = field.value.index(said, at)
        box = Box(left + step * at, middle - size / 2, left + step * (at + len(said)),
                  middle + size / 2)  # fmt: skip
        at += len(said)
        yield Word(said, box, style, box.bottom, first - nth, (), first, hyphenated=False)


def _holds(box: Box, word: Word) -> bool:
    middle = (word.box.left + word.box.right) / 2
    return box.left <= middle <= box.right and box.top <= word.box.middle <= box.bottom


def _subtype(page: pypdfium2.PdfPage, at: int) -> int:
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, at)
    try:
        return int(pdfium.FPDFAnnot_GetSubtype(annotation))
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)


def _field(form: Any, page: pypdfium2.PdfPage, at: int, frame: PageFrame) -> FormField | None:  # noqa: ANN401 - pypdfium2 has no types
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, at)
    try:
        is_widget = pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET
        if not is_widget or pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
            return None
        edges = pdfium.FS_RECTF()
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
        if not pdfium.FPDFAnnot_GetRect(annotation, edges):
            return None
        box = frame.shown(edges.left, edges.bottom, edges.right, edges.top)
        if kind in _TICKED and pdfium.FPDFAnnot_IsChecked(form, annotation):
            return FormField(TICK, box, is_tick=True)
        if kind in _VALUED and not pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
            value = _text(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
            return FormField(value, box, is_tick=False) if value.strip() else None
        return None
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)


def _text(call: Callable[..., int], form: Any, annotation: Any) -> str:  # noqa: ANN401 - as above
    buffer = ctypes.create_string_buffer(_MAX_VALUE_BYTES)
    target = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    length = min(call(form, annotation, target, len(buffer)), len(buffer))
    return buffer.raw[: max(0, length - 2)].decode("utf-16-le", "replace")
