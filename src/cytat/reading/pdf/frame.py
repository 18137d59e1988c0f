"""Rectangles of the file -> boxes on a page as it is shown. PDFium's lock is held by the caller."""

from dataclasses import dataclass
from typing import Self

import pypdfium2

from cytat.reading.pdf.model import Box

_QUARTER = 90


@dataclass(frozen=True, slots=True)
class PageFrame:
    """A page as it is shown: its size, and what part of the file's plane it shows, how turned."""

    left: float
    bottom: float
    right: float
    top: float
    turn: int
    """Quarters of a turn with the clock."""

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> Self:
        """Return the frame of a page."""
        left, bottom, right, top = page.get_bbox()
        return cls(left, bottom, right, top, page.get_rotation() // _QUARTER)

    @property
    def width(self) -> float:
        """As shown."""
        return self.top - self.bottom if self.turn % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """As shown."""
        return self.right - self.left if self.turn % 2 else self.top - self.bottom

    def shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return where a rectangle of the file is on the page as it is shown."""
        if self.turn == 1:
            return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.turn == 2:  # noqa: PLR2004 - half a turn
            return Box(self.right - right, bottom - self.bottom, self.right - left,
                       top - self.bottom)  # fmt: skip
        if self.turn == 3:  # noqa: PLR2004 - three quarters
            return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)
        return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)

    def upright(self, box: Box, turn: int) -> Box:
        """Return a box in the frame in which words turned by so many degrees are upright."""
        if turn == _QUARTER:
            return Box(box.top, self.width - box.right, box.bottom, self.width - box.left)
        if turn == 2 * _QUARTER:
            return Box(self.width - box.right, self.height - box.bottom,
                       self.width - box.left, self.height - box.top)  # fmt: skip
        if turn == 3 * _QUARTER:
            return Box(self.height - box.bottom, box.left, self.height - box.top, box.right)
        return box
