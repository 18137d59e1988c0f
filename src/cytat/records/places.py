"""Where something stands: ids, spans, locators, pages."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType, Self

DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
Version = NewType("Version", str)
"""SHA-256 of the bytes read, in hexadecimal."""
TraceId = NewType("TraceId", str)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range `[start, end)` of code points in one document's canonical text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}:{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters of `text` in this span; they must all be there."""
        if self.end > len(text):
            raise ValueError(f"span {self.start}:{self.end} ends past {len(text)} characters")
        return text[self.start : self.end]

    def overlaps(self, other: Self) -> bool:
        """Say whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def holds(self, other: Self) -> bool:
        """Say whether `other` lies within this span."""
        return self.start <= other.start and other.end <= self.end


class LocatorKind(StrEnum):
    """The honest unit of place of a format."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"
    TIME = "time"
    HEADING = "heading"
    LINE = "line"
    PART = "part"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Locator:
    """A span said for people (`label`) and for programs (`fragment`, with its leading `#`)."""

    kind: LocatorKind
    label: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a document's text with a number (from 1) and the printed label, if any."""

    number: int
    label: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class PageBox:
    """A rectangle on a page (from 1) as it is shown, in points from its upper left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
