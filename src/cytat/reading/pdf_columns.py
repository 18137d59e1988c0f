"""Pages of a PDF -> pages whose lines stand in reading order. Pure.

PDFium glues what stands at one height. Where many lines of a document have a gap at the same
place with running text on both sides, that gap is a gutter, and each band between full-width
lines is read down its left column first. A table has gaps too; its cells are short.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cytat.reading.pdf_pages import Box, PdfLine, PdfPage, Word, gaps_of

_MIN_LINES = 4
"""Lines that a gap must part before it counts as a gutter in a document."""
_MIN_SHARE = 0.3
"""Share of a page's lines that a gutter must part."""
_MIN_WORDS_A_CELL = 2.5
"""Mean words on each side of a gutter; cells of tables of figures have fewer."""
_BIN_POINTS = 4
"""Left edges this near are one edge."""


def in_reading_order(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Return the pages, those with columns read column by column."""
    gutters = _gutters(pages)
    if not gutters:
        return list(pages)
    return [_by_columns(page, gutters) if page.line_words else page for page in pages]


def _gutters(pages: Sequence[PdfPage]) -> list[float]:
    """Return where right columns begin: their lines share a left edge, unlike the gaps' middles."""
    votes: Counter[int] = Counter()
    for page in pages:
        for words in page.line_words:
            votes.update({round(words[at].box.left / _BIN_POINTS) for at in gaps_of(words)})
    return [
        (place - 1) * _BIN_POINTS
        for place, count in votes.most_common(4)
        if count + max(votes[place - 1], votes[place + 1]) >= _MIN_LINES
    ]


def _by_columns(page: PdfPage, gutters: Sequence[float]) -> PdfPage:
    for gutter in gutters:
        lines = _read_at(page, gutter)
        if lines is not None:
            return replace(page, lines=tuple(lines))
    return page


def _read_at(page: PdfPage, gutter: float) -> list[PdfLine] | None:
    """Return the page's lines column by column; None if the gutter does not part this page."""
    sides = [_sides(words, gutter) for words in page.line_words]
    if not _is_running_text(sides):
        return None
    read: list[PdfLine] = []
    left: list[PdfLine] = []
    right: list[PdfLine] = []
    for line, parts in zip(page.lines, sides, strict=True):
        if parts is None:
            # A line across both columns ends the band above it.
            read += [*left, *right, line]
            left, right = [], []
        elif parts[0] and parts[1]:
            left.append(_line_of(parts[0]))
            right.append(_line_of(parts[1]))
        else:
            (left if parts[0] else right).append(line)
    return [*read, *left, *right]


Sides = tuple[Sequence[Word], Sequence[Word]]
"""The words of one line left and right of a gutter."""


def _sides(words: Sequence[Word], gutter: float) -> Sides | None:
    """Return the words on each side; None for a line that runs across."""
    place = sum(word.box.left < gutter for word in words)
    on_left, on_right = words[:place], words[place:]
    if any(word.box.right > gutter + _BIN_POINTS for word in on_left):
        return None
    if on_left and on_right and place not in gaps_of(words):
        return None
    return on_left, on_right


def _is_running_text(sides: Sequence[Sides | None]) -> bool:
    """Say whether enough lines are parted, with words enough on both sides to be no table."""
    parted = [parts for parts in sides if parts is not None and parts[0] and parts[1]]
    if len(parted) < max(2, _MIN_SHARE * len(sides)):
        return False
    return all(
        sum(len(parts[side]) for parts in parted) >= _MIN_WORDS_A_CELL * len(parted)
        for side in (0, 1)
    )


def _line_of(words: Sequence[Word]) -> PdfLine:
    said = " ".join(word.words for word in words)
    box = Box(
        words[0].box.left,
        min(word.box.top for word in words),
        words[-1].box.right,
        max(word.box.bottom for word in words),
    )
    return PdfLine(said, box, hyphenated=said[-2:-1].isalpha() and said.endswith("-"))
