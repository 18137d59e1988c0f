"""Text -> how many tokens any span of it holds, and where it may be cut between characters. Pure.

Characters as seen are extended grapheme clusters, approximated with the standard library alone:
combining marks, joiners, variation selectors, skin tones, flags, Hangul syllables, and CR before
LF.

Source:
    Unicode Standard Annex 29, section 3.1.

The count of tokens is an estimate: a span tokenised alone may differ by a token or two at its
edges. It is what cutting plans with; the chunker then counts each assembled passage exactly.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

LONGEST_CLUSTER = 64
"""Code points looked back at. Longer piles of marks are noise and may be cut."""

_JOINER = "\u200d"
_TIES_TO_THE_LEFT = frozenset({"Mn", "Me", "Mc"})


def cluster_start(text: str, position: int) -> int:
    """Return the last place at or before `position` that lies in no cluster.

    `position` itself comes back when a cluster is longer than `LONGEST_CLUSTER`.
    """
    for at in range(position, max(position - LONGEST_CLUSTER, 0), -1):
        if at >= len(text) or not _joined(text, at):
            return at
    return 0 if position <= LONGEST_CLUSTER else position


def _joined(text: str, at: int) -> bool:
    """Say whether the characters before and at `at` belong to one cluster."""
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return before == "\r" and after == "\n"
    return (
        _JOINER in {before, after}
        or unicodedata.category(after) in _TIES_TO_THE_LEFT
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or _within_hangul_syllable(before, after)
        or _within_flag(text, at)
    )


def _within_hangul_syllable(before: str, after: str) -> bool:
    """Leading jamo and syllables go on with vowels and trailing jamo."""
    continues = "\u1100" <= after <= "\u11ff"
    return continues and ("\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3")


def _within_flag(text: str, at: int) -> bool:
    """A flag is a pair of regional indicators; pairs are counted from the start of their run."""
    run = at
    floor = max(at - LONGEST_CLUSTER, 0)
    while run > floor and _is_regional(text[run - 1]):
        run -= 1
    return _is_regional(text[at]) and (at - run) % 2 == 1


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


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
