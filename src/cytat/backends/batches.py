"""Lengths -> batches of positions. Pure: near lengths together, for little padding."""

from collections.abc import Iterator, Sequence

LEAST_FILLED = 0.75
"""A text this much shorter than the longest of a batch opens the next one: padding is computed."""


def batches_by_length(lengths: Sequence[int], *, most: int) -> Iterator[list[int]]:
    """Yield positions in `lengths`, each once, at most `most` at a time, longest first.

    Longest first, so that memory is at its peak at the start and a run that would not fit fails
    early.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda at: -lengths[at]):
        if batch and (len(batch) == most or lengths[position] < LEAST_FILLED * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
