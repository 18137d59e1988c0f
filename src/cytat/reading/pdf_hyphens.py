"""The parts of a word broken over a line end -> what stands between them. Pure.

The document's own words decide: nothing where it writes the word whole elsewhere, a hyphen where
it writes one there or both parts stand alone, and a soft hyphen, which search passes over, where
the word was probably broken by whoever set it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from cytat.reading.pdf_model import Line

SOFT_HYPHEN = "\u00ad"

_LAST_PART = re.compile(r"([^\W\d_]+)-$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_KEEP = frozenset(
    [
        "ex",
        "eks",
        "quasi",
        "pseudo",
        "non",
        "self",
        "all",
        "cross",
        "post",
        "pro",
        "anty",
        "wice",
        "mini",
        "mega",
    ]
)
"""First parts whose hyphen belongs to the word more often than not."""
_AND = frozenset(["i", "lub", "oraz", "albo", "a", "czy", "and", "or", "to", "und"])
"""After a hanging hyphen: "dwu- i trzyosobowe"."""
_MIN_ALONE = 4


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that stand inside lines, whole and in lower case."""

    words: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Self:
        """Return the words of some lines, without those that are broken at their ends."""
        return cls(
            frozenset(
                word.lower()
                for line in lines
                for word in _WORD.findall(
                    line.said.rpartition(" ")[0] if line.hyphenated else line.said
                )
            )
        )


def between(before: str, after: str, vocabulary: Vocabulary) -> str:
    """Return what stands between `before`, which ends with a hyphen, and the next line."""
    last, first = _LAST_PART.search(before), _FIRST_PART.match(after)
    if first is not None and first[0] in _AND:
        return "- "
    if (
        last is None
        or first is None
        or not first[0].islower()
        or last[1][1:] != last[1][1:].lower()
    ):
        return "-"
    return _between_parts(last[1].lower(), first[0].lower(), vocabulary.words)


def _between_parts(left: str, right: str, words: frozenset[str]) -> str:
    if left + right in words:
        return ""
    # Polish compounds join by "o": "społeczno-gospodarczy". Search knows both spellings of these.
    if f"{left}-{right}" in words or left in _KEEP or left.endswith("o"):
        return "-"
    both_alone = min(len(left), len(right)) >= _MIN_ALONE and left in words and right in words
    return "-" if both_alone else SOFT_HYPHEN
