"""Ranking -> ranking in which equal words stand once. Pure."""

from collections.abc import Mapping, Sequence

from cytat.store import ChunkKey


def collapse_copies(
    ranked: Sequence[tuple[int, float]], keys: Mapping[int, ChunkKey]
) -> tuple[list[tuple[int, float]], dict[int, int]]:
    """Keep the best of the chunks that have the same words, so that other sources get in.

    Returns:
        The ranking without the copies, and for each row kept how many were taken out. Of copies
        with equal scores the first by chunk id stays, as the ranking has it.
    """
    kept: list[tuple[int, float]] = []
    first: dict[bytes, int] = {}
    copies: dict[int, int] = {}
    for row, score in ranked:
        words_hash = keys[row].words_hash
        if words_hash in first:
            copies[first[words_hash]] += 1
            continue
        first[words_hash] = row
        copies[row] = 0
        kept.append((row, score))
    return kept, copies
