"""Pages -> pages without running headers and footers, and one copy of each. Pure.

Furniture is what stands at the same edge of several pages with nothing but its numbers changed.
A heading at the top of one page is none.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cytat.reading.pdf_pages import PdfLine, PdfPage

_MIN_PAGES = 3
_EDGE_SHARE = 0.12
"""Share of the page's height that its upper and its lower margin take at most."""
_EDGE_LINES = 3
"""Lines of an edge that are looked at: headers of more lines are rare."""
_NUMBERS = re.compile(r"\d+|\b[ivxlc]{1,6}\b")
_ONLY_NUMBERS = re.compile(r"[\W_#]*(?:(?:page|strona|str|p|s|of|z|seite|von)\b[\W_#]*)*")


@dataclass(frozen=True, slots=True)
class Furnished:
    """Pages without their furniture."""

    pages: tuple[PdfPage, ...]
    kept: dict[int, tuple[str, ...]]
    """Page number -> the words of furniture that stand there first; bare page numbers are not."""
    left_out: int
    """Lines left out of the text: further copies, and page numbers."""


def without_furniture(pages: Sequence[PdfPage]) -> Furnished:
    """Return the pages without lines that repeat at the same edge of at least three of them."""
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for page in pages:
        for _, key in _edge_lines(page):
            found[key].add(page.number)
    repeated = {key for key, numbers in found.items() if len(numbers) >= _MIN_PAGES}
    if not repeated:
        return Furnished(tuple(pages), {}, 0)
    return _taken_out(pages, repeated)


def _taken_out(pages: Sequence[PdfPage], repeated: set[tuple[str, str]]) -> Furnished:
    kept: dict[int, tuple[str, ...]] = {}
    seen: set[tuple[str, str]] = set()
    bare: list[PdfPage] = []
    left_out = 0
    for page in pages:
        furniture = {place: key for place, key in _edge_lines(page) if key in repeated}
        for place, key in furniture.items():
            if key in seen or _ONLY_NUMBERS.fullmatch(key[1]):
                left_out += 1
                continue
            seen.add(key)
            kept[page.number] = (*kept.get(page.number, ()), page.lines[place].words)
        lines = tuple(line for place, line in enumerate(page.lines) if place not in furniture)
        bare.append(replace(page, lines=lines, line_words=()))
    return Furnished(tuple(bare), kept, left_out)


def _edge_lines(page: PdfPage) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the place of each line in a margin and what it is compared by."""
    by_height = sorted(enumerate(page.lines), key=lambda item: item[1].box.top)
    margin = _EDGE_SHARE * page.height
    for place, line in by_height[:_EDGE_LINES]:
        if line.box.bottom <= margin:
            yield place, ("top", _key(line))
    for place, line in by_height[-_EDGE_LINES:]:
        key = _key(line)
        # The number of a page stands last on it, sometimes well above the edge.
        is_number = place == by_height[-1][0] and key == "#"
        if is_number or line.box.top >= page.height - margin:
            yield place, ("bottom", key)


def _key(line: PdfLine) -> str:
    return " ".join(_NUMBERS.sub("#", line.words.casefold()).split())
