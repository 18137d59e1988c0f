"""Paragraphs of pages -> those that are entries of a table of contents, set apart. Pure.

An entry says where something stands and nothing about it; it must not be quoted as an answer. It
ends with the number of a page, behind a row of dots or in a column of its own. Price lists look
the same: so the numbers must rise down the page, and titles must stand somewhere in the document.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cytat.reading.pdf.model import CELL_BORDER, LineKind, PdfLine
from cytat.reading.pdf.paragraphs import PageParagraphs, Paragraph, ParagraphKind

_PAGE = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7})$")
_LEADERS = ".·•…_\u2024\u2025"
_MIN_LEADERS = 4
_TITLED = re.compile(
    r"\s*(?:spis\s+(?:treści|tabel|rysunków|rycin|ilustracji|załączników)|treść|(?:table\s+of\s+)?"
    r"contents|index|inhalt(?:sverzeichnis)?|list\s+of\s+(?:tables|figures))\b[\s:.]*$",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^(?:(?:part|item|section|rozdział|dział|art\.|§)\s+)?[\dIVXA-Z]{0,4}[\d.)]*\s+", re.IGNORECASE
)
_BLANKS_AND_SIGNS = re.compile(r"[\W_]+")
_MIN_ENTRIES = 3
_MIN_TITLED_ENTRIES = 2
"""Entries of a page that say above them what they are."""
_MIN_FOUND = 0.34
"""Share of the entries whose titles stand elsewhere."""
_MIN_RISING = 0.85
_MOST_BEYOND = 30
"""Page numbers are not larger than the last page's by more: covers count from somewhere else."""


class ContentsEntry(NamedTuple):
    """A line that may be one of a table of contents."""

    title: str
    page: int | None
    """None for a Roman number."""


def with_contents_apart(pages: Sequence[PageParagraphs]) -> None:
    """Make entries of tables of contents a kind of their own, those of one page together."""
    found = [list(map(_entry, _lines(page))) for page in pages]
    if not any(entry is not None for entries in found for entry in entries):
        return
    titles = _titles(pages)
    last = max((page.page.number for page in pages), default=0)
    for page, entries in zip(pages, found, strict=True):
        told = [entry for entry in entries if entry is not None]
        if _are_contents(told, titles, last=last, is_titled=_is_titled(page)):
            page.paragraphs[:] = list(_joined(page.paragraphs))


def _lines(page: PageParagraphs) -> Iterator[PdfLine]:
    for paragraph in page.paragraphs:
        if paragraph.kind in _KINDS:
            yield from paragraph.lines


_KINDS = {ParagraphKind.TEXT, ParagraphKind.TABLE}


def _entry(line: PdfLine) -> ContentsEntry | None:
    said = line.said.rstrip()
    page = _PAGE.search(said)
    if page is None:
        return None
    before = said[: page.start()]
    title = before.rstrip(_LEADERS + " ")
    if line.kind is LineKind.ROW:
        title = before.removesuffix(CELL_BORDER).rstrip(_LEADERS + " |").replace("|", " ")
        is_entry = before.endswith(CELL_BORDER)
    else:
        dots = sum(3 if sign == "…" else sign in _LEADERS for sign in before[len(title) :])
        is_entry = dots >= _MIN_LEADERS
    if not is_entry or not any(map(str.isalpha, title)):
        return None
    return ContentsEntry(title, int(page[0]) if page[0].isdecimal() else None)


def _titles(pages: Sequence[PageParagraphs]) -> set[str]:
    """Return what stands alone in a line or a paragraph and is no entry, by its letters."""
    alone = {
        _letters(said)
        for page in pages
        for paragraph in page.paragraphs
        if len(paragraph.lines) <= _MAX_TITLE_LINES
        for said in (paragraph.said, *(line.said for line in paragraph.lines))
        if len(said) < _MAX_TITLE and _PAGE.search(said) is None
    }
    return alone - {""}


_MAX_TITLE = 200
_MAX_TITLE_LINES = 4


def _letters(said: str) -> str:
    return _BLANKS_AND_SIGNS.sub("", _NUMBERING.sub("", said)).casefold()


def _is_titled(page: PageParagraphs) -> bool:
    return any(
        _TITLED.match(paragraph.lines[0].said) is not None
        for paragraph in page.paragraphs
        if paragraph.kind in _KINDS
    )


def _are_contents(
    entries: Sequence[ContentsEntry], titles: set[str], *, last: int, is_titled: bool
) -> bool:
    numbers = [entry.page for entry in entries if entry.page is not None]
    rising = sum(before <= after for before, after in pairwise(numbers))
    if rising < _MIN_RISING * (len(numbers) - 1) or max(numbers, default=0) > last + _MOST_BEYOND:
        return False
    found = sum(_letters(entry.title) in titles for entry in entries)
    if is_titled and len(entries) >= _MIN_TITLED_ENTRIES:
        return True
    return len(entries) >= _MIN_ENTRIES and found >= _MIN_FOUND * len(entries)


def _joined(paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs of a page, neighbours that are mostly entries as one."""
    together: Paragraph | None = None
    for paragraph in paragraphs:
        entries = sum(_entry(line) is not None for line in paragraph.lines)
        if paragraph.kind in _KINDS and 2 * entries >= len(paragraph.lines):
            if together is None:
                together = Paragraph(ParagraphKind.CONTENTS, [])
            together.lines += paragraph.lines
            continue
        if together is not None:
            yield together
            together = None
        yield paragraph
    if together is not None:
        yield together
