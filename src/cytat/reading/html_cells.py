"""Cells of one table that span columns or rows -> their words in each place they stand for.

A row says what it is about only if the cell that spans it is read with it: "2025 | March | 12"
below "2025 | February | 9", where the page shows 2025 once.
"""

from collections.abc import Mapping

from cytat.reading.html_text import PageText

_MOST_COLUMNS = 50
_MOST_ROWS = 500
_MOST_CHARACTERS = 200
"""Longer words are no label: where they would be repeated, the cell is empty."""


class TableCells:
    """Writes the cells of one table, those that reach in from above and the left among them."""

    def __init__(self, page: PageText) -> None:
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
