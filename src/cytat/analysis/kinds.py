"""What a token is, and the signs that tokens are made of."""

from dataclasses import dataclass
from enum import Enum, auto

MAX_TERM_CHARACTERS = 64
"""Longer runs are cut here, in texts and questions alike: no word is that long, bytes are."""
MAX_PARTS = 64

MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff"
W = rf"(?:[^\W_]|[{MARKS}])"
"""One sign of a word."""
RUN = rf"[^\W_]{W}*"
HUMP = "\ue000"
"""Stands between the words of "getUserName", whose capitals are gone; for private use, so that it
means nothing in a text."""
JOINTS = rf"[-/._:@&\\+{HUMP}]"


class TokenKind(Enum):
    """What a token is, as far as matching cares."""

    WORD = auto()
    COMPOUND = auto()
    """Words joined by signs: "multi-agent", "km/h"."""
    NUMBER = auto()
    IDENTIFIER = auto()
    IDEOGRAPHS = auto()
    """A run in a script without blanks between words."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its characters, its wholes (none for a plain word), its parts."""

    kind: TokenKind
    surface: str
    wholes: tuple[str, ...]
    parts: tuple[str, ...]
