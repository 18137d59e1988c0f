"""Pieces and cells of HTML in reading order -> canonical text with block spans. Knows no parser.

White space is HTML's: runs of ASCII blanks are one blank, everything else (no-break spaces, soft
hyphens) stays. Two pieces are glued only where the page glues them.

A row says what it is about only if the cell that spans it is read with it: "2025 | March | 12"
below "2025 | February | 9", where the page shows 2025 once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cytat.records import BlockKind, Span

_BLANKS = re.compile(r"[ \t\n\r\f]+")
_ROW_WITHOUT_WORDS = re.compile(r"[\s|]*\Z")
CELL_BORDER = " | "
TERM_BORDER = " – "
"""Between a term and its definition, and between an item's title and its text."""


@dataclass(frozen=True, slots=True)
class HtmlPiece:
    """A block as it stands in the text; `level` is that of a heading and 0 otherwise."""

    kind: BlockKind
    span: Span
    level: int
    anchor: str | None


class HtmlText:
    """The text of one page while it is written, block by block."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._length = 0
        self._line: list[str] = []
        self._lines: list[str] = []
        self._ends_blank = True
        self._join = ""
        self._last_anchor: str | None = None
        self._anchor: str | None = None
        self.pieces: list[HtmlPiece] = []

    @property
    def text(self) -> str:
        """What was written so far, without the block that is still open."""
        return "".join(self._written)

    @property
    def length(self) -> int:
        """Characters written so far."""
        return self._length

    def anchor(self, name: str) -> None:
        """Note an id; it is that of the block that begins next."""
        self._last_anchor = name
        if not self._lines and not "".join(self._line).strip():
            self._anchor = name

    def words(self, raw: str) -> None:
        """Add running text to the current line."""
        said = _BLANKS.sub(" ", raw)
        if self._ends_blank and said.startswith(" "):
            said = said[1:]
        if said:
            self._line.append(said)
            self._ends_blank = said.endswith(" ")

    def verbatim(self, raw: str) -> None:
        """Add text whose white space counts."""
        self._line.append(raw.replace("\r\n", "\n").replace("\r", "\n"))
        self._ends_blank = False

    @property
    def is_inside_line(self) -> bool:
        """Whether the current block has words."""
        return bool(self._lines) or bool("".join(self._line).strip())

    @property
    def line_count(self) -> int:
        """Lines of the current block, without the one being written."""
        return len(self._lines)

    @property
    def line_length(self) -> int:
        """Pieces of the current line, for `line_since`."""
        return len(self._line)

    def line_since(self, place: int) -> str:
        """Return what was added to the current line since it had `place` pieces."""
        return "".join(self._line[place:])

    def mark(self, sign: str) -> None:
        """Begin a line with the mark of a list item; breaks right after it are ignored."""
        self.new_line()
        self._join = ""
        if self._lines and self._lines[-1] == sign:
            return  # of an item without words
        self._lines.append(sign)

    def join(self, border: str) -> None:
        """Put the next words on the line before them; not if a mark or another block comes first.

        After a colon a blank is enough.
        """
        if self._lines and self._lines[-1].endswith("\n"):
            self._join = border if self._lines[-1][-2:-1] != ":" else " "

    def blank(self) -> None:
        """Keep what follows apart from what is there."""
        self.words(" ")

    def new_line(self) -> None:
        """End the current line if it has words."""
        line = "".join(self._line)
        self._line.clear()
        self._ends_blank = True
        if not line.strip():
            return
        if self._join:
            line = self._lines.pop()[:-1] + self._join + line
            self._join = ""
        self._lines.append(line.rstrip(" ") + "\n")

    def border(self) -> None:
        """End a table cell."""
        line = "".join(self._line).rstrip(" ")
        self._line[:] = [line + CELL_BORDER]
        self._ends_blank = True

    def end_row(self) -> None:
        """End a table row; a row without words is not written."""
        if _ROW_WITHOUT_WORDS.match("".join(self._line)):
            self._line.clear()
        self.new_line()

    def close(self, kind: BlockKind, *, level: int = 0) -> None:
        """End the current block, if it has words."""
        self.new_line()
        self._join = ""
        while self._lines and not self._lines[-1].endswith("\n"):
            self._lines.pop()  # the mark of an item without words
        block = "".join(self._lines).strip("\n").rstrip()
        self._lines.clear()
        words = block.lstrip()
        anchor, self._anchor = self._anchor, self._last_anchor
        if not words:
            return
        if self._written:
            self._write("\n\n")
        indent = len(block) - len(words)
        start = self._length + indent
        self._write(block)
        self.pieces.append(HtmlPiece(kind, Span(start, start + len(words)), level, anchor))

    def _write(self, said: str) -> None:
        self._written.append(said)
        self._length += len(said)


_MOST_COLUMNS = 50
_MOST_ROWS = 500
_MOST_CHARACTERS = 200
"""Longer words are no label: where they would be repeated, the cell is empty."""


class TableCells:
    """Writes the cells of one table, those that reach in from above and the left among them."""

    def __init__(self, page: HtmlText) -> None:
        self._page = page
        self._column = 0
        self._place = 0
        self._columns = 1
        self._rows = 1
        self._from_above: dict[int, tuple[str, int]] = {}
        """Column -> words and the rows they still stand for."""

    def open(self, attributes: Mapping[str, str | None], *, is_alone: bool) -> None:
        """Begin a cell; one that is alone in its row is a title and stands for no other column."""
        self._write_from_above()
        self._border()
        self._place = self._page.line_length
        columns = _count(attributes.get("colspan"), most=_MOST_COLUMNS)
        self._columns = 1 if is_alone else columns
        self._rows = _count(attributes.get("rowspan"), most=_MOST_ROWS)

    def close(self) -> None:
        """End the cell and write it again for each further column it spans."""
        words = self._page.line_since(self._place).strip()
        label = words if len(words) <= _MOST_CHARACTERS else ""
        for number in range(self._columns):
            if number:
                self._border()
                self._page.words(label)
            if self._rows > 1:
                self._from_above[self._column] = (label, self._rows - 1)
            self._column += 1

    def end_row(self) -> None:
        """End a row with what reaches into it at its end."""
        if self._column:
            self._write_from_above()
        self._page.end_row()
        self._column = 0

    def _write_from_above(self) -> None:
        while self._column in self._from_above:
            words, rows = self._from_above.pop(self._column)
            if rows > 1:
                self._from_above[self._column] = (words, rows - 1)
            self._border()
            self._page.words(words)
            self._column += 1

    def _border(self) -> None:
        if self._column:
            self._page.border()


def _count(said: str | None, *, most: int) -> int:
    digits = (said or "").strip()
    return min(max(int(digits), 1), most) if digits.isdecimal() and len(digits) < most else 1
