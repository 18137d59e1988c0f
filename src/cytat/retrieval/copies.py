"""Ranking -> ranking in which a wording stands once. Reads only the passages it has to.

Two chunks are copies when they say the same, word for word, beside the same words and under
headings with the same numbers: "200 zł" under "2024" is not "200 zł" under "2025".
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cytat.store import ChunkKey, Excerpt, Passage
from cytat.text.wording import Wording, wording_of

_NUMBERS = re.compile(r"\d+")

Frame: TypeAlias = tuple[bytes, str, tuple[str, ...]]
"""The hash of what is said, the words beside it, the numbers of the headings."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """Rows that are kept, with their scores; for each, the rows of its copies, best first.

    `excerpts`: the words of all rows that were compared.
    """

    kept: tuple[tuple[int, float], ...]
    copies: Mapping[int, tuple[int, ...]]
    excerpts: Mapping[int, Excerpt]


@dataclass(slots=True)
class _Kept:
    """What is kept so far, by what it says."""

    ranked: list[tuple[int, float]] = field(default_factory=list)
    hashes: set[bytes] = field(default_factory=set)
    copies: dict[int, list[int]] = field(default_factory=dict)
    by_frame: defaultdict[Frame, list[tuple[int, Wording]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def original_of(self, frame: Frame, wording: Wording) -> int | None:
        """Return the first row kept that says the same."""
        said = self.by_frame[frame]
        return next((row for row, known in said if known.says_the_same_as(wording)), None)


def collapse_copies(
    ranked: Sequence[tuple[int, float]],
    keys: Mapping[int, ChunkKey],
    read: Callable[[Sequence[int]], Mapping[int, Passage]],
    *,
    depth: int,
) -> Distinct:
    """Keep the best `depth` wordings, so that copies leave room for other sources.

    Of copies with equal scores the first by chunk id stays, as the ranking has it. Below the last
    row kept only chunks with the very same words as a kept one are looked at.

    Args:
        ranked: rows and scores, best first.
        keys: of all of them.
        read: returns the passages at some rows.
        depth: rows wanted.
    """
    kept = _Kept()
    passages: dict[int, Passage] = {}
    for at, (row, score) in enumerate(ranked):
        is_full = len(kept.ranked) == depth
        if is_full and keys[row].words_hash not in kept.hashes:
            continue
        if row not in passages:
            block = [row] if is_full else [one for one, _ in ranked[at : at + depth]]
            passages.update(read(block))
        wording = wording_of(passages[row].excerpt.text)
        frame = _frame(passages[row], wording)
        original = kept.original_of(frame, wording)
        if original is not None:
            kept.copies[original].append(row)
        elif not is_full:
            kept.ranked.append((row, score))
            kept.hashes.add(keys[row].words_hash)
            kept.copies[row] = []
            kept.by_frame[frame].append((row, wording))
    return Distinct(
        tuple(kept.ranked),
        {row: tuple(copies) for row, copies in kept.copies.items()},
        {row: passage.excerpt for row, passage in passages.items()},
    )


def _frame(passage: Passage, wording: Wording) -> Frame:
    numbers = _NUMBERS.findall(" ".join(passage.place.heading_path))
    return wording.core, passage.context, tuple(numbers)
