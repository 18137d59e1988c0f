"""Sizes of neighbouring pieces -> groups that fit a room, as few as possible and balanced. Pure.

Filling each group to the brim leaves a crumb at the end: sizes 30, 30, 1 in a room of 60 would
give 60 and 1. Among all ways with the fewest groups the one with the smallest largest group is
taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to pack: `[first, after)` in a count that grows along the text, such as tokens."""

    first: int
    after: int


def pack(pieces: Sequence[Piece], *, room: int, room_first: int) -> list[range]:
    """Return index ranges of `pieces`, in order; a piece larger than the room stands alone.

    `room_first` is the room of the first group, which has nothing to repeat from elsewhere.
    """
    if not pieces:
        return []
    extra = room_first - room
    fewest = len(_fill(pieces, room, extra))
    total = pieces[-1].after - pieces[0].first - extra
    low, high = max(total // fewest, 1), room
    while low < high:
        middle = (low + high) // 2
        if len(_fill(pieces, middle, extra)) > fewest:
            low = middle + 1
        else:
            high = middle
    return _fill(pieces, low, extra)


def _fill(pieces: Sequence[Piece], room: int, extra: int) -> list[range]:
    """Put as many pieces as fit into each group, from the left."""
    groups: list[range] = []
    start = 0
    limit = pieces[0].first + room + extra
    for index, piece in enumerate(pieces):
        if piece.after > limit and index > start:
            groups.append(range(start, index))
            start = index
            limit = piece.first + room
    groups.append(range(start, len(pieces)))
    return groups
