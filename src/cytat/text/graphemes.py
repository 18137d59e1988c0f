"""Position -> the nearest place before it where a text may be cut between characters as seen.

An approximation of extended grapheme clusters from the standard library alone: combining marks,
joiners, variation selectors, skin tones, flags, Hangul syllables, and CR before LF.

Source:
    Unicode Standard Annex 29, section 3.1.
"""

import unicodedata

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
