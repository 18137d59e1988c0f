"""Code units of a page -> the same with accents set on their letters and spaced words closed up.

TeX's older fonts have no "ż": the accent is drawn beside or above its letter and comes as a sign
of its own. Headings in spaced letters come as words of one letter. Both are told by the boxes.
What goes away leaves `GONE` in its place, so that every other unit keeps its number.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from cytat.reading.pdf.model import Box

GONE = "\uffff"
"""Stands for a unit that belongs to a letter before or after it; no character has this number."""

Boxes = Callable[[Sequence[int]], list[Box]]
"""Numbers of units -> the box of each, on the page as shown."""

_COMBINING = {
    "`": "\u0300", "\u00b4": "\u0301", "\u02c6": "\u0302", "^": "\u0302", "\u02dc": "\u0303",
    "\u00af": "\u0304", "\u02d8": "\u0306", "\u02d9": "\u0307", "\u00a8": "\u0308",
    "\u02da": "\u030a", "\u02dd": "\u030b", "\u02c7": "\u030c", "\u00b8": "\u0327",
    "\u02db": "\u0328", "\u02ca": "\u0301", "\u02cb": "\u0300",
}  # fmt: skip
"""Accents that stand alone, and what they are over or under a letter."""
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_ACCENT = re.compile(f"[{''.join(map(re.escape, _COMBINING))}]")
_NEAR = 2
"""Units on each side among which the letter of an accent is: a blank may stand between them."""
_OVER = 0.5
"""Share of the narrower box by which an accent lies over or under its letter."""


def with_accents(units: str, boxes: Boxes) -> str:
    """Return units with each accent that is drawn over or under a letter set on it."""
    made = list(units)
    for found in _ACCENT.finditer(units):
        place = found.start()
        letter = _letter_of(place, made, boxes)
        if letter is None:
            continue
        low, high = sorted((place, letter))
        composed = _composed(made[letter], found.group())
        made[low : high + 1] = [GONE] * (high + 1 - low)
        made[letter] = composed
    return "".join(made)


def _letter_of(place: int, made: Sequence[str], boxes: Boxes) -> int | None:
    """Return which unit an accent is drawn on; None if on none that takes it."""
    near = [
        at
        for at in range(max(0, place - _NEAR), min(len(made), place + _NEAR + 1))
        if at != place
        and len(_composed(made[at], made[place])) == 1
        and all(
            made[between] in (" ", GONE) for between in range(min(at, place) + 1, max(at, place))
        )
    ]
    if not near:
        return None
    accent, *letters = boxes([place, *near])
    shares = [(_shared(accent, box), -at) for at, box in zip(near, letters, strict=True)]
    share, at = max(shares)
    return -at if share >= _OVER else None


def _composed(letter: str, accent: str) -> str:
    """Return a letter with an accent: one character if there is such a letter."""
    if not letter.isalpha():
        return letter + accent
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _COMBINING[accent])


def _shared(one: Box, other: Box) -> float:
    """Return how much of the narrower box's width lies over or under the other; 0 if apart."""
    if one.top > other.bottom or other.top > one.bottom:
        return 0.0
    width = min(one.width, other.width)
    return (min(one.right, other.right) - max(one.left, other.left)) / width if width > 0 else 0.0


_SPACED = re.compile(r"(?<!\S)\S(?: \S){3,}(?!\S)")
_MIN_LETTERS = 4
_MOST_GAP = 0.75
"""Share of the height of type that lies between spaced letters at most; cells stand wider apart."""
_WORD_GAP = 1.6
"""A gap this many times as wide as the usual one parts words."""


def with_words_closed_up(units: str, boxes: Boxes) -> str:
    """Return units without the blanks between the letters of a spaced word."""
    if _SPACED.search(units) is None:
        return units
    return _SPACED.sub(lambda found: _closed_up(found.group(), found.start(), boxes), units)


def _closed_up(spaced: str, start: int, boxes: Boxes) -> str:
    signs = spaced[::2]
    told = boxes(range(start, start + len(spaced), 2))
    gaps = [after.left - before.right for before, after in pairwise(told)]
    usual = median(gaps)
    if not 0 < usual <= _MOST_GAP * median(box.height for box in told):
        return spaced
    words = [[signs[0]]]
    for gap, sign in zip(gaps, signs[1:], strict=True):
        if gap > _WORD_GAP * usual:
            words.append([])
        words[-1].append(sign)
    if not _is_spaced_word(max(map("".join, words), key=len)):
        return spaced
    return " ".join(GONE.join(word) for word in words)


def _is_spaced_word(word: str) -> bool:
    """Say whether letters are a word rather than a row of labels or answers: "A B C D"."""
    if len(word) < _MIN_LETTERS or sum(map(str.isalpha, word)) < _MIN_LETTERS:
        return False
    if not (word.isupper() or word[1:].islower()):
        return False
    in_order = sum(ord(after) - ord(before) == 1 for before, after in pairwise(word))
    return 2 * in_order < len(word) - 1 and 2 * len(set(word.casefold())) > len(word)
