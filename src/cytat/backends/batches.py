"""Lengths -> batches of positions. Pure: near lengths together, for little padding."""

from collections.abc import Iterator, Sequence


def batches_by_length(lengths: Sequence[int], *, most: int) -> Iterator[list[int]]:
    """Yield positions in `lengths`, each once, at most `most` at a time, longest first.

    Longest first, so that memory is at its peak at the start and a run that would not fit fails
    early.
    """
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    for start in range(0, len(order), most):
        yield order[start : start + most]
