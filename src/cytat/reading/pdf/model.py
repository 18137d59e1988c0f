"""What a PDF shows, in records: words with boxes, the lines they make, pages. Knows no library.

Coordinates are points; `top` grows downwards. The box of a word lies in the frame in which its
writing is upright: for most that is the page as it is shown. What there is one of for each word
is a named tuple: a report has a hundred thousand, and a frozen dataclass takes thrice the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

CELL_BORDER = " | "
RAISED_DIGITS = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
"""Marks of notes and exponents, as a part of a set in a regular expression."""


class Box(NamedTuple):
    """A rectangle, in points."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Its extent downwards."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """Its extent to the right."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """Half way down."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Style:
    """How words are set."""

    size: float
    """Of the type, in points on the page."""
    is_bold: bool
    turn: int
    """Degrees with the clock from upright, a multiple of 90; -1 for any other angle."""
    has_meaning: bool
    """Whether the file says which characters its glyphs are."""


class Word(NamedTuple):
    """A word: its characters, and where the first of them is among the page's code units.

    A `hyphenated` word ends with the hyphen that breaks it over a line end.
    """

    said: str
    box: Box
    style: Style
    base: float
    """Where the line it stands on is."""
    place: int
    units: tuple[int, ...]
    """The code unit of each character where they do not follow one another; else empty."""
    run: int
    """Number of the line it stands in, as PDFium tells lines apart."""
    hyphenated: bool


class LineKind(StrEnum):
    """What a line is by its place; what a paragraph is shows later."""

    TEXT = "text"
    ROW = "row"
    """A row of a table: its cells stand between borders."""
    ASIDE = "aside"
    """Writing across the page: a stamp, a watermark."""


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line, or what of it stands in one column; of a table's row, all its cells."""

    said: str
    words: tuple[Word, ...]
    box: Box
    kind: LineKind
    cells: tuple[tuple[Word, ...], ...]
    """The words of each cell of a row; empty for other lines."""
    starts_table: bool
    reach: float
    """How far to the right the lines of its column go."""
    size: float
    """Of the type of its longest word."""
    is_bold: bool
    """Whether all its words are bold."""

    @property
    def hyphenated(self) -> bool:
        """Whether its last word goes on in the next line."""
        if self.kind is not LineKind.TEXT:
            return False
        # PDFium does not know where a column ends whose lines it glued to those of the next.
        return self.words[-1].hyphenated or (self.said.endswith("-") and self.said[-2:-1].isalpha())


@dataclass(frozen=True, slots=True)
class PdfPage:
    """What PDFium tells of a page; `lines` are in reading order once it is laid out."""

    number: int
    label: str | None
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Box, ...]
    """Thin lines drawn on it, upright or level."""
    lines: tuple[PdfLine, ...]
    failure: str | None
    hidden: int
    """Words left out because nobody can see them on it."""
    is_blank: bool
    """Whether nothing at all is drawn on it."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, how deep it lies (from 1) and the page it leads to."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class PdfFile:
    """All pages and the file's own words about itself."""

    pages: tuple[PdfPage, ...]
    metadata: dict[str, str]
    outline: tuple[OutlineEntry, ...]
    is_sound: bool
    """Whether the table of the file's parts is as it should be, and was not made up anew."""


def line_of(
    words: Sequence[Word], *, kind: LineKind = LineKind.TEXT, reach: float | None = None
) -> PdfLine:
    """Return a line of words that stand beside one another; `reach` is its own end by default."""
    box = box_around(words)
    return PdfLine(
        said=joined(words),
        words=tuple(words),
        box=box,
        kind=kind,
        cells=(),
        starts_table=False,
        reach=box.right if reach is None else reach,
        size=_size(words),
        is_bold=all(word.style.is_bold for word in words),
    )


def row_of(cells: Sequence[Sequence[Word]], *, starts_table: bool) -> PdfLine:
    """Return a row of a table; a cell may be empty, but not all."""
    told = [tuple(cell) for cell in cells]
    while not told[-1]:
        told.pop()
    words = tuple(word for cell in told for word in cell)
    box = box_around(words)
    return PdfLine(
        said=_bordered(told),
        words=words,
        box=box,
        kind=LineKind.ROW,
        cells=tuple(told),
        starts_table=starts_table,
        reach=box.right,
        size=_size(words),
        is_bold=all(word.style.is_bold for word in words),
    )


def _size(words: Sequence[Word]) -> float:
    return max(words, key=lambda word: len(word.said)).style.size


def _bordered(cells: Sequence[Sequence[Word]]) -> str:
    """Return a row's words; borders of empty cells share the blank between them."""
    said = joined(cells[0])
    for cell in cells[1:]:
        said = (said if said.endswith(" ") else said + " ") + CELL_BORDER[1:] + joined(cell)
    return said.lstrip()


class Boxed(Protocol):
    """What has a place on a page."""

    @property
    def box(self) -> Box:
        """Where it lies."""
        ...


def box_around(parts: Sequence[Boxed]) -> Box:
    """Return the smallest box that holds some parts."""
    if len(parts) == 1:
        return parts[0].box
    lefts, tops, rights, bottoms = zip(*[part.box for part in parts], strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def joined(words: Sequence[Word]) -> str:
    """Return words as they read beside one another."""
    said = [word.said for word in words]
    for place in range(len(words) - 1, 0, -1):
        if is_glued(words[place - 1], words[place]):
            said[place - 1 : place + 1] = [said[place - 1] + said[place]]
    return " ".join(said)


def is_glued(before: Word, word: Word) -> bool:
    """Say whether no blank stands between two words: a part of one that was placed by itself."""
    if before.hyphenated:
        return True
    if before.run == word.run:
        return False
    gap = word.box.left - before.box.right
    return abs(gap) < _GLUE_PER_SIZE * max(word.style.size, 1.0) and _overlap(before, word)


_GLUE_PER_SIZE = 0.12
"""Gaps below this share of the type's size are within a word."""


def _overlap(before: Word, word: Word) -> bool:
    return before.box.top < word.box.middle < before.box.bottom
