"""Text -> how many tokens any span of it holds, from one tokenisation of the whole. Pure.

The count is an estimate: a span tokenised alone may differ by a token or two at its edges. It is
what cutting plans with; the chunker then counts each assembled passage exactly.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cytat.text.graphemes import cluster_start

TokenEnds: TypeAlias = Callable[[str], Sequence[int]]
"""Where each token of a text ends, in code points, never falling; its length counts the tokens."""


@dataclass(frozen=True, slots=True)
class TokenRuler:
    """A text with the ends of its tokens."""

    text: str
    ends: Sequence[int]

    def first_token(self, position: int) -> int:
        """Return the index of the token that holds `position`."""
        return bisect_right(self.ends, position)

    def token_after(self, position: int) -> int:
        """Return the index after the last token with a character before `position`.

        Several tokens may end together (bytes of one sign); all of them count.
        """
        index = bisect_left(self.ends, position)
        if index == len(self.ends):
            return index
        return bisect_right(self.ends, self.ends[index])

    def count(self, start: int, end: int) -> int:
        """Return the tokens with a character in `[start, end)`."""
        return max(self.token_after(end) - self.first_token(start), 1 if end > start else 0)

    def place_after(self, start: int, end: int, *, tokens: int) -> int:
        """Return the last place in `(start, end]` with at most `tokens` tokens from `start`.

        It never lies within a character as people see it, and always moves on by one at least.
        """
        index = self.first_token(start) + tokens - 1
        if index >= len(self.ends) or self.ends[index] >= end:
            return end
        place = cluster_start(self.text, max(self.ends[index], start + 1))
        return place if place > start else _next_cluster(self.text, start, end)


def _next_cluster(text: str, start: int, end: int) -> int:
    place = start + 1
    while place < end and cluster_start(text, place) <= start:
        place += 1
    return place
