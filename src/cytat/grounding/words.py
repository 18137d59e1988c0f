"""Text -> content words, compared by stem. Pure: what a statement and its evidence share.

Function words say nothing about support and are left out; numbers are `claims`' business.
"""

import re
from collections.abc import Collection

from cytat.analysis.language import stop_words
from cytat.analysis.stems import stems_of
from cytat.text.folding import clean, fold

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?:\n])(?<=\s)[„\"(]?([^\W\d_a-ząćęłńóśźż][a-ząćęłńóśźż]{2,})")
_BETWEEN = """
    wynosi wynoszą wynosić wynosiła wynosił stanowi równa równy amounts equals procent
    procenta percent zł złotych złote złoty pln eur euro usd gbp chf
"""
_IDLE = frozenset(_BETWEEN.split())
"""Words between a thing and its amount, and units: `claims` compares what they say."""
_KIN_LETTERS = 5
"""Words that agree in so many first letters count as one: "zwolnienie" and "zwolnionych"."""


def content_stems(text: str, language: str | None) -> list[str]:
    """Return the stems of the words of `text` that carry content, in order."""
    idle = stop_words(language) if language else stop_words("pl") | stop_words("en")
    return [
        stems_of(word, language)[0]
        for word in _WORD.findall(clean(text))
        if word not in idle and word not in _IDLE and (len(word) > 1 or not word.isascii())
    ]


def is_met(stem: str, by: Collection[str]) -> bool:
    """Say whether `stem` or a word of its kin is among `by`."""
    if stem in by:
        return True
    opening = stem[:_KIN_LETTERS]
    return len(opening) == _KIN_LETTERS and any(other.startswith(opening) for other in by)


def names(text: str) -> frozenset[str]:
    """Return the folded capitalised words that do not open a sentence."""
    return frozenset(fold(clean(word)) for word in _NAME.findall(text))
