"""Pages -> pages without their footnotes, and the footnotes. Pure.

A footnote stands at the foot, in smaller type than the body, and begins with a mark.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cytat.reading.pdf_model import Line, LineKind, PdfPage
from cytat.reading.pdf_paragraphs import is_caption, opens_note

_SMALLER = 0.93
"""Share of the body's size that a note's type has at most."""
_FOOT_FROM = 0.4
"""Share of the page's height below which notes may begin."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Pages without their notes, and the lines of the notes of each."""

    pages: tuple[PdfPage, ...]
    notes: tuple[tuple[Line, ...], ...]


def body_size(pages: Sequence[PdfPage]) -> float:
    """Return the size of type that most characters outside tables have."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if line.kind is LineKind.TEXT:
                sizes[round(line.size, 1)] += len(line.said)
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0


def without_notes(pages: Sequence[PdfPage]) -> Noted:
    """Return the pages and their notes apart."""
    size = body_size(pages)
    bodies, notes = [], []
    for page in pages:
        at_foot = _notes(page, _SMALLER * size)
        taken = set(map(id, at_foot))
        body = tuple(line for line in page.lines if id(line) not in taken)
        # A page of nothing but small type is no note.
        is_noted = bool(at_foot) and bool(body)
        bodies.append(replace(page, lines=body) if is_noted else page)
        notes.append(tuple(at_foot) if is_noted else ())
    return Noted(tuple(bodies), tuple(notes))


def _notes(page: PdfPage, most: float) -> list[Line]:
    found: list[Line] = []
    above: Line | None = None
    for line in page.lines:
        is_small = line.kind is LineKind.TEXT and line.size <= most and not is_caption(line.said)
        opens = opens_note(line.said) and line.box.top > _FOOT_FROM * page.height
        runs_on = above is not None and line.box.top > above.box.top
        if is_small and (runs_on or opens):
            found.append(line)
            above = line
        else:
            above = None
    return found if _end_their_columns(page, found) else []


def _end_their_columns(page: PdfPage, notes: Sequence[Line]) -> bool:
    """Say whether no line of the body stands below a note in its column."""
    taken = set(map(id, notes))
    return not any(
        line.box.top > note.box.top and line.box.left < note.box.right
        and note.box.left < line.box.right
        for note in notes
        for line in page.lines
        if id(line) not in taken
    )  # fmt: skip
