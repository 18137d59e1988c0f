"""A block -> atoms: parts that fit a room, cut at the least harmful seam that makes them fit."""

from collections.abc import Iterator, Sequence

from cytat.chunking.ruler import TokenRuler
from cytat.chunking.seams import Seam
from cytat.records import Span

CRUMBS_IN_A_ROOM = 64
"""A text that falls into more parts than this is no prose ("a\\n" a million times). Finer parts are
joined first: where a chunk of it ends to the letter matters to nobody, and each part costs time."""


def atoms(ruler: TokenRuler, span: Span, *, seams: Sequence[Seam], room: int) -> Iterator[Span]:
    """Yield the parts of `span` in order; each holds at most `room` tokens by the ruler.

    A part that fits is left whole, whatever its neighbours need. Seams that find nothing to cut
    are passed over; a word that does not fit alone is cut hard.
    """
    tokens = ruler.count(span.start, span.end)
    if tokens <= room:
        yield span
        return
    if not seams:
        yield from _hard_cuts(ruler, span, room=room)
        return
    seam, *harder = seams
    for part in _without_crumbs(seam(ruler.text, span), tokens=tokens, room=room):
        if ruler.count(part.start, part.end) <= room:
            yield part
        else:
            yield from atoms(ruler, part, seams=harder, room=room)


def _without_crumbs(parts: Sequence[Span], *, tokens: int, room: int) -> Sequence[Span]:
    """Return the parts, joined to one in `CRUMBS_IN_A_ROOM` of a room where they are smaller."""
    if len(parts) * room <= CRUMBS_IN_A_ROOM * tokens or room <= CRUMBS_IN_A_ROOM:
        return parts
    first, last = parts[0].start, parts[-1].end
    least = (last - first) * room // (CRUMBS_IN_A_ROOM * tokens)
    joined: list[Span] = []
    start, end = first, first
    for part in parts:
        if part.end - start > least and end > start:
            joined.append(Span(start, end))
            start = part.start
        end = part.end
    joined.append(Span(start, end))
    return joined


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
