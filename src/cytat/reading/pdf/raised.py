"""Words -> words with raised marks written as such: 150 and a small 1 above is "150¹", not 1501.

A mark is raised if it is set smaller than what it stands beside, on a higher line. Digits, signs
and letters become those that Unicode has for them, one for one. The ends of ordinals ("1st") and
marks in brackets stay.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cytat.reading.pdf.model import Word

_SMALLER = 0.86
"""Share of the size of the type beside it that a raised mark has at most."""
_LEAST_RISE = 0.12
_MOST_RISE = 0.9
"""Shares of that size by which its line is higher."""
_BESIDE = 0.35
"""Share of that size that lies between the mark and what it stands beside at most."""
_MAX_SIGNS = 8
_RAISED = str.maketrans(
    "0123456789+-−–=abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
)
_ORDINALS = {"st", "nd", "rd", "th", "er", "re", "ère", "ème", "os", "as"}


class SetType(NamedTuple):
    """Characters that are drawn at one size on one line."""

    said: str
    size: float
    base: float
    """Where that line is; grows downwards."""


def written_raised(said: str, before: str) -> str:
    """Return a raised mark as it is written after `before`."""
    if said.casefold() in _ORDINALS and before[-1:].isdecimal():
        return said
    if said[:1] in {"(", "["}:
        return said  # brackets keep it apart
    made = said.translate(_RAISED)
    if said == "o" and before in {"N", "n"}:
        return "º"
    is_whole = all(sign != old or not old.isalnum() for sign, old in zip(made, said, strict=True))
    return made if is_whole else said


def is_raised(mark: SetType, beside: SetType) -> bool:
    """Say whether a mark is smaller than what it stands beside, and on a higher line."""
    rise = beside.base - mark.base
    return (
        mark.size <= _SMALLER * beside.size
        and _LEAST_RISE * beside.size <= rise <= _MOST_RISE * beside.size
    )


def joined_marks(marks: Sequence[SetType]) -> str:
    """Return the characters of a word that is drawn in several parts."""
    main = max(marks, key=lambda mark: mark.size)
    said = ""
    for mark in marks:
        raised = mark is not main and is_raised(mark, main)
        said += written_raised(mark.said, said) if raised else mark.said
    return said


def with_raised_words(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return words with the raised marks among them that PDFium tells as words of their own."""
    sizes = [word.style.size for word in words]
    if not sizes or min(sizes) > _SMALLER * max(sizes):
        return tuple(words)
    made = list(words)
    beside: Word | None = None
    """What the marks before stand beside, if any do; else the word before."""
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else None
        if len(word.said) <= _MAX_SIGNS and (
            (is_behind := beside is not None and _stands_raised(word, words[place - 1], beside))
            or (after is not None and _stands_raised(word, after, after))
        ):
            before = made[place - 1].said if is_behind else ""
            made[place] = word._replace(said=written_raised(word.said, before))
        if made[place] is word or beside is None:
            beside = word
    return tuple(made)


def _stands_raised(word: Word, neighbour: Word, beside: Word) -> bool:
    """Say whether a word is a raised mark of `beside`, right before or behind its neighbour."""
    size = beside.style.size
    if word.style.size > _SMALLER * size or word.style.turn != beside.style.turn:
        return False
    apart = max(word.box.left - neighbour.box.right, neighbour.box.left - word.box.right)
    return abs(apart) <= _BESIDE * size and is_raised(
        SetType(word.said, word.style.size, word.base), SetType(beside.said, size, beside.base)
    )
