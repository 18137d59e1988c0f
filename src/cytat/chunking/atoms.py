"""A block -> atoms: parts that fit a room, cut at the least harmful seam that makes them fit."""

from collections.abc import Iterator, Sequence

from cytat.chunking.ruler import TokenRuler
from cytat.chunking.seams import Seam
from cytat.records import Span


def atoms(ruler: TokenRuler, span: Span, *, seams: Sequence[Seam], room: int) -> Iterator[Span]:
    """Yield the parts of `span` in order; each holds at most `room` tokens by the ruler.

    A part that fits is left whole, whatever its neighbours need. Seams that find nothing to cut
    are passed over; a word that does not fit alone is cut hard.
    """
    if ruler.count(span.start, span.end) <= room:
        yield span
        return
    if not seams:
        yield from _hard_cuts(ruler, span, room=room)
        return
    seam, *harder = seams
    for part in seam(ruler.text, span):
        yield from atoms(ruler, part, seams=harder, room=room)


def _hard_cuts(ruler: TokenRuler, span: Span, *, room: int) -> Iterator[Span]:
    """Yield pieces of nearly equal size, so that no crumb is left at the end."""
    tokens = ruler.count(span.start, span.end)
    pieces = -(-tokens // room)
    size = -(-tokens // pieces)
    start = span.start
    while start < span.end:
        end = ruler.place_after(start, span.end, tokens=size)
        yield Span(start, end)
        start = end
