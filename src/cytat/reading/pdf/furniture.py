"""Pages -> pages without running headers, footers and footnotes, and these apart. Pure.

Furniture is what stands at the same edge of several pages with nothing but its numbers changed,
on all of them, on every other, or on those of a chapter; and what is written across pages at an
angle. A heading at the top of one page is none.

A footnote stands at the foot, in smaller type than the body, and begins with a mark.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from cytat.reading.pdf.model import LineKind, PdfLine, PdfPage
from cytat.reading.pdf.paragraphs import is_caption, opens_note

_MIN_PAGES = 3
_FEW_PAGES = 4
_MIN_OF_FEW = 2
"""Pages of a short file that have to say the same at the same height of the outermost margin."""
_OUTER_SHARE = 0.07
_SAME_HEIGHT_POINTS = 2.0
_EDGE_SHARE = 0.12
"""Share of the page's height that its upper and its lower margin take at most."""
_EDGE_LINES = 3
"""Lines of an edge that are looked at: headers of more lines are rare."""
_NUMBER = re.compile(r"\d{1,5}|\b[ivxlc]{1,7}\b")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ONLY_NUMBERS = re.compile(r"[\W\d_]*(?:(?:page|strona|str|p|s|of|z|seite|von)\b[\W\d_]*)*")


@dataclass(frozen=True, slots=True)
class Furnished:
    """Pages without their furniture."""

    pages: tuple[PdfPage, ...]
    kept: dict[int, tuple[PdfLine, ...]]
    """Page number -> the furniture that stands there first; bare page numbers are not."""
    left_out: int
    """Lines left out of the text: further copies, and page numbers."""


def without_furniture(pages: Sequence[PdfPage]) -> Furnished:
    """Return the pages without what repeats at the same edge of at least three of them."""
    offsets = _page_number_offsets(pages)
    edges = {page.number: dict(_edge_lines(page, offsets)) for page in pages}
    found = Counter(
        key for lines in edges.values() for key in {key for keys in lines.values() for key in keys}
    )
    repeated = {key for key, count in found.items() if count >= _MIN_PAGES}
    if len(pages) <= _FEW_PAGES:
        repeated |= _at_one_height(pages, edges)
    return _taken_out(pages, edges, repeated)


def _at_one_height(
    pages: Sequence[PdfPage], edges: Mapping[int, Mapping[int, "Keys"]]
) -> set["Key"]:
    """Return what pages of a short file say at the same height, to the point."""
    heights: dict[Key, list[float]] = defaultdict(list)
    for page in pages:
        outer = _OUTER_SHARE * page.height
        for place, (_, key) in edges[page.number].items():
            box = page.lines[place].box
            if box.bottom <= outer or box.top >= page.height - outer:
                heights[key].append(box.top)
    return {
        key
        for key, tops in heights.items()
        if len(tops) >= _MIN_OF_FEW and max(tops) - min(tops) <= _SAME_HEIGHT_POINTS
    }


Key: TypeAlias = tuple[str, str]
"""An edge and the words there."""
Keys: TypeAlias = tuple[Key, Key]
"""A line as it stands, and with the number that may be its page's as "#"."""


def _taken_out(
    pages: Sequence[PdfPage], edges: Mapping[int, Mapping[int, Keys]], repeated: AbstractSet[Key]
) -> Furnished:
    kept: dict[int, tuple[PdfLine, ...]] = {}
    seen: set[Key] = set()
    bare: list[PdfPage] = []
    left_out = 0
    for page in pages:
        furniture = dict(_furniture(page, edges[page.number], repeated))
        for place, key in furniture.items():
            if key in seen or _ONLY_NUMBERS.fullmatch(key[1]):
                left_out += 1
                continue
            seen.add(key)
            kept[page.number] = (*kept.get(page.number, ()), page.lines[place])
        lines = tuple(line for place, line in enumerate(page.lines) if place not in furniture)
        bare.append(replace(page, lines=lines))
    return Furnished(tuple(bare), kept, left_out)


def _is_own_number(page: PdfPage, line: PdfLine) -> bool:
    """Say whether a line is nothing but the page's number, at the very foot of the page."""
    is_number = line.said.strip("-–— ") in {str(page.number), page.label}
    return is_number and line.box.top >= (1 - _OUTER_SHARE) * page.height


def _furniture(
    page: PdfPage, at_edges: Mapping[int, Keys], repeated: AbstractSet[Key]
) -> Iterator[tuple[int, Key]]:
    """Yield the places of a page's furniture, and what makes two pieces of it the same."""
    for place, line in enumerate(page.lines):
        if line.kind is LineKind.ASIDE:
            yield place, ("across", line.said.casefold())
        elif _is_own_number(page, line):
            yield place, ("bottom", "#")
        elif place in at_edges and line.kind is not LineKind.ROW:
            # The head of a table that goes on overleaf belongs to its rows.
            key = next((key for key in at_edges[place] if key in repeated), None)
            if key is not None:
                yield place, key


def _page_number_offsets(pages: Sequence[PdfPage]) -> frozenset[int]:
    """Return by how much printed page numbers differ from those of the file, as several pages say.

    "Exhibit 21" and "Exhibit 23" are two things; only numbers that count pages make no difference.
    """
    votes = Counter(
        offset
        for page in pages
        for offset in {
            _value(number) - page.number
            for _, _, line in _at_edges(page)
            for number in _NUMBER.findall(line.said.casefold())
        }
    )
    return frozenset(offset for offset, count in votes.items() if count >= _MIN_PAGES)


def _edge_lines(page: PdfPage, offsets: AbstractSet[int]) -> Iterator[tuple[int, Keys]]:
    """Yield the place of each line in a margin and what it is compared by."""
    margin = _EDGE_SHARE * page.height
    last = max((line.box.top for line in page.lines), default=0.0)
    for place, edge, line in _at_edges(page):
        words = " ".join(line.said.casefold().split())
        key = _with_page_number_marked(words, page.number, offsets)
        # The number of a page stands last on it, sometimes well above the edge.
        is_number = key == "#" and line.box.top == last
        in_margin = (
            line.box.bottom <= margin if edge == "top" else line.box.top >= page.height - margin
        )
        if in_margin or is_number:
            yield place, ((edge, words), (edge, key))


def _at_edges(page: PdfPage) -> Iterator[tuple[int, str, PdfLine]]:
    upright = [
        (place, line) for place, line in enumerate(page.lines) if line.words[0].style.turn == 0
    ]
    by_height = sorted(upright, key=lambda item: item[1].box.top)
    for place, line in by_height[:_EDGE_LINES]:
        yield place, "top", line
    for place, line in by_height[-_EDGE_LINES:]:
        yield place, "bottom", line


def _with_page_number_marked(words: str, page_number: int, offsets: AbstractSet[int]) -> str:
    """Return the words with the first number that counts pages as "#"; the total stays."""
    for found in _NUMBER.finditer(words):
        if _value(found[0]) - page_number in offsets:
            return words[: found.start()] + "#" + words[found.end() :]
    return words


def _value(number: str) -> int:
    """Return the value of digits or of a Roman numeral in small letters."""
    if number.isdecimal():
        return int(number)
    values = [_ROMAN[sign] for sign in number]
    return sum(
        -value if value < following else value for value, following in pairwise([*values, 0])
    )


_SMALLER = 0.93
"""Share of the body's size that a note's type has at most."""
_FOOT_FROM = 0.4
"""Share of the page's height below which notes may begin."""


@dataclass(frozen=True, slots=True)
class PagesWithoutNotes:
    """Pages without their notes, and the lines of the notes of each."""

    pages: tuple[PdfPage, ...]
    notes: tuple[tuple[PdfLine, ...], ...]


def body_size(pages: Sequence[PdfPage]) -> float:
    """Return the size of type that most characters outside tables have."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if line.kind is LineKind.TEXT:
                sizes[round(line.size, 1)] += len(line.said)
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0


def without_notes(pages: Sequence[PdfPage]) -> PagesWithoutNotes:
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
    return PagesWithoutNotes(tuple(bodies), tuple(notes))


def _notes(page: PdfPage, most: float) -> list[PdfLine]:
    found: list[PdfLine] = []
    above: PdfLine | None = None
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


def _end_their_columns(page: PdfPage, notes: Sequence[PdfLine]) -> bool:
    """Say whether no line of the body stands below a note in its column."""
    taken = set(map(id, notes))
    return not any(
        line.box.top > note.box.top and line.box.left < note.box.right
        and note.box.left < line.box.right
        for note in notes
        for line in page.lines
        if id(line) not in taken
    )  # fmt: skip
