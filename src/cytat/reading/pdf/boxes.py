"""Bytes of a PDF and a span of its text -> where the span stands on the pages.

The file is read again as when it was indexed, for what a line is and what stands in which order
depends on all of it; then PDFium is asked for the boxes of the span's own characters.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import pypdfium2

from cytat.reading.pdf.canonical import checked_pages, text_of
from cytat.reading.pdf.file import opened, read_pages
from cytat.reading.pdf.form_fields import open_page
from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.model import Box
from cytat.reading.pdf.text import WordPlace
from cytat.reading.pdf.words import PdfPageText
from cytat.records import PageBox, Span

_SHARED = 0.3
"""Share of the smaller extent by which boxes of one line overlap; cells may have several lines."""
_HALVES_FROM = "\uffff"
"""Characters above it are two code units."""


def boxes_of(
    content: bytes, span: Span, *, source: str, password: str | None
) -> tuple[PageBox, ...]:
    """Return a box for each line that the span touches, in the order of the text.

    What is in the text and on no page, such as the border of a cell, has no box.
    """
    file = read_pages(content, source=source, password=password)
    text, _ = text_of(file, checked_pages(file.pages).pages)
    touched = defaultdict(list)
    for place in text.places():
        if place.start < span.end and span.start < place.start + place.length:
            touched[place.page].append(place)
    with opened(content, source=source, password=password) as document:
        return tuple(
            box for page in sorted(touched) for box in _on_page(document, page, touched[page], span)
        )


def _on_page(
    document: pypdfium2.PdfDocument, number: int, places: Sequence[WordPlace], span: Span
) -> Iterator[PageBox]:
    with open_page(document, number) as page, closing(page.get_textpage()) as text:
        shown = PdfPageText(text, PageFrame.of(page))
        drawn = [
            # A value that a form field does not draw has the place of its field.
            _Drawn(place, shown.box_at(unit) if place.unit >= 0 else place.box)
            for place in places
            for unit in _units(place, span)
        ]
    for box in _lines(drawn):
        edges = (round(edge, 2) for edge in (box.left, box.top, box.right, box.bottom))
        yield PageBox(number, *edges)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A character of a word, as it is shown."""

    place: WordPlace
    box: Box

    def is_beside(self, line: Box) -> bool:
        if self.place.is_upright:
            shared = min(line.bottom, self.box.bottom) - max(line.top, self.box.top)
            return shared > _SHARED * min(line.height, self.box.height)
        shared = min(line.right, self.box.right) - max(line.left, self.box.left)
        return shared > _SHARED * min(line.width, self.box.width)


def _units(place: WordPlace, span: Span) -> Iterator[int]:
    """Yield the code units of a word's characters that are in the span."""
    unit = place.unit
    if place.units:
        for at, unit in enumerate(place.units[: place.length], place.start):
            if span.start <= at < span.end:
                yield unit
        return
    for at, sign in enumerate(place.said[: place.length], place.start):
        if span.start <= at < span.end:
            yield unit
        unit += 2 if sign > _HALVES_FROM else 1


def _lines(drawn: Sequence[_Drawn]) -> Iterator[Box]:
    line: Box | None = None
    before: WordPlace | None = None
    for sign in drawn:
        goes_on = before is not None and sign.place.line == before.line
        if line is not None and goes_on and sign.is_beside(line):
            line = _around(line, sign.box)
        else:
            if line is not None:
                yield line
            line = sign.box
        before = sign.place
    if line is not None:
        yield line


def _around(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )
