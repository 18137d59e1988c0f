"""A page of PDFium's text -> words with boxes and styles. PDFium's lock is held by the caller.

A line end that PDFium sees is no more than a hint of where words belong together: what is a line
on the page is decided from the boxes.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pypdfium2
import pypdfium2.raw as pdfium

from cytat.reading.pdf.composing import GONE, with_accents, with_words_closed_up
from cytat.reading.pdf.frame import PageFrame
from cytat.reading.pdf.looks import PLAIN, Doubt, DrawnLook, Looks
from cytat.reading.pdf.model import Box, Word
from cytat.reading.pdf.pdfium import Address, address_of, loose_box, text_object
from cytat.reading.pdf.raised import SetType, joined_marks, with_raised_words

HYPHEN_AT_LINE_END = "\ufffe"
"""What PDFium writes for a hyphen that ends a line, in place of the line end too."""
_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")
_WORD = re.compile(r"\S+")
_HALF = re.compile("[\ud800-\udfff]")
_SECOND_HALF = re.compile("[\udc00-\udfff]")
_DIGIT = re.compile(r"\d")
_FOUR = ctypes.c_float * 4


class PdfPageText:
    """One page's text, by code unit, with the boxes and styles of its characters."""

    def __init__(self, text: pypdfium2.PdfTextPage, frame: PageFrame) -> None:
        self._raw = text.raw
        self._text = address_of(text.raw)
        self._frame = frame
        count = pdfium.FPDFText_CountChars(self._raw)
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._raw, 0, count, buffer) if count > 0 else 0
        # One character a code unit, so that places in it are places in PDFium's text.
        self._units = "".join(map(chr, buffer[: max(0, written - 1)]))
        self._one_to_one = len(self._units) == count
        self._has_halves = _HALF.search(self._units) is not None
        self._nowhere = bytes(_FOUR(frame.left, frame.top, frame.left, frame.top))
        self._looks = Looks(self._text, frame)
        self._known: dict[Address, DrawnLook] = {}
        self.doubts: dict[int, Doubt] = {}
        """By their places, the words that may not be seen on the page; of those asked for."""

    def words(self) -> tuple[Word, ...]:
        """Return the words in PDFium's order."""
        self._units = with_words_closed_up(with_accents(self._units, self._box_of), self._box_of)
        return with_raised_words(list(self._words()))

    def box_at(self, unit: int) -> Box:
        """Return the box, on the page as shown, of the character that a code unit belongs to."""
        return self._boxes([(unit, unit + 1)])[0]

    def shown_box(self, word: Word) -> Box:
        """Return the box of a word on the page as shown, however its writing is turned."""
        if word.style.turn <= 0:
            return word.box
        units = word.units or (word.place, word.place + len(word.said.removesuffix("-")) - 1)
        boxes = self._box_of([units[0], units[-1]])
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return Box(min(lefts), min(tops), max(rights), max(bottoms))

    def _box_of(self, units: Sequence[int]) -> list[Box]:
        return self._boxes([(unit, unit + 1) for unit in units])

    def _words(self) -> Iterator[Word]:
        for run, line in enumerate(self._line_ranges()):
            spans = [found.span() for found in _WORD.finditer(self._units, line.start, line.end)]
            boxes = self._boxes(spans)
            for (start, end), box, (said, look) in zip(
                spans, boxes, self._looks_of(spans), strict=True
            ):
                hyphenated = line.hyphenated and end == line.end
                style, base, doubt = look
                if doubt is not None:
                    self.doubts[start] = doubt
                if style.turn > 0:
                    box = self._frame.upright(box, style.turn)  # noqa: PLW2901 - turned
                units: tuple[int, ...] = ()
                if GONE in said:
                    said, units = self._without_gone(said, start)  # noqa: PLW2901 - the same word
                if self._has_halves:
                    said = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # noqa: PLW2901 - whole
                yield Word(said + "-" * hyphenated, box, style, base, start, units, run, hyphenated)

    def _without_gone(self, said: str, start: int) -> tuple[str, tuple[int, ...]]:
        """Return a word without what belongs to other letters, and the unit of each character."""
        kept = [place for place, sign in enumerate(said) if sign != GONE]
        units = tuple(start + place for place in kept if not _SECOND_HALF.match(said[place]))
        return "".join(said[place] for place in kept), units

    def _looks_of(self, spans: Sequence[tuple[int, int]]) -> list[tuple[str, DrawnLook]]:
        """Return a line's words as they read, and how each is drawn; most lines are in one go."""
        if not spans:
            return []
        units = self._units
        first, last = self._look_at(spans[0][0]), self._look_at(spans[-1][1] - 1)
        if first is last:
            return [(units[start:end], first) for start, end in spans]
        return [self._look_of(start, end) for start, end in spans]

    def _look_of(self, start: int, end: int) -> tuple[str, DrawnLook]:
        first, last = self._look_at(start), self._look_at(end - 1)
        said = self._units[start:end]
        if first is last:
            return said, first
        is_level = first.base == last.base and first.style is last.style
        if is_level and (said.isalpha() or _DIGIT.search(said) is None):
            return said, first  # a mark between letters that stand on one line is a digit
        parts = [
            (look, "".join(self._units[unit] for unit in units))
            for look, units in groupby(range(start, end), self._look_at)
        ]
        main = max((look for look, _ in parts), key=lambda look: look.style.size)
        return joined_marks(
            [SetType(said, look.style.size, look.base) for look, said in parts]
        ), main

    def _line_ranges(self) -> Iterator["_Range"]:
        start = 0
        for found in _LINE_END.finditer(self._units):
            hyphenated = found.group() == HYPHEN_AT_LINE_END
            if hyphenated and not self._is_hyphen(found.start()):
                # A glyph without a meaning looks the same; it ends no line.
                continue
            yield _Range(start, found.start(), hyphenated)
            start = found.end()
        yield _Range(start, len(self._units), hyphenated=False)

    def _is_hyphen(self, unit: int) -> bool:
        return bool(pdfium.FPDFText_IsHyphen(self._raw, self._index(unit)) == 1)

    def _index(self, unit: int) -> int:
        """Return PDFium's number of the character at a code unit."""
        if self._one_to_one:
            return unit
        return int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._raw, unit))

    def _boxes(self, spans: Sequence[tuple[int, int]]) -> list[Box]:
        """Return the box of each word, from its first and its last character."""
        edges = (ctypes.c_float * (8 * len(spans)))()
        at = ctypes.addressof(edges)
        for start, end in spans:
            for unit in (start, end - 1):
                index = unit if self._one_to_one else self._index(unit)
                if not loose_box(self._text, index, at):
                    ctypes.memmove(at, self._nowhere, len(self._nowhere))
                at += 16
        reals = iter(memoryview(edges).cast("B").cast("f").tolist())
        corners = zip(*[reals] * 8, strict=True)
        frame = self._frame
        if frame.turn == 0:
            x, y = frame.left, frame.top
            return [
                Box(min(left, left_2) - x, y - max(top, top_2),
                    max(right, right_2) - x, y - min(bottom, bottom_2))
                for left, top, right, bottom, left_2, top_2, right_2, bottom_2 in corners
            ]  # fmt: skip
        return [
            frame.shown(
                min(left, left_2), min(bottom, bottom_2), max(right, right_2), max(top, top_2)
            )
            for left, top, right, bottom, left_2, top_2, right_2, bottom_2 in corners
        ]

    def _look_at(self, unit: int) -> DrawnLook:
        index = unit if self._one_to_one else self._index(unit)
        drawn = text_object(self._text, index)
        # Most characters are drawn by what drew some before; this is asked for each word twice.
        look = self._known.get(drawn)
        if look is None:
            look = self._known[drawn] = PLAIN if drawn is None else self._looks.made(drawn, index)
        return look


@dataclass(frozen=True, slots=True)
class _Range:
    """Where a line stands among the code units of a page."""

    start: int
    end: int
    hyphenated: bool
