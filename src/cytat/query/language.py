"""Text -> language code or None. Pure, fast, no model: function words, letters, a few word shapes.

Made for documents, passages and short questions in the languages of `words`; anything else, or a
text of names and numbers alone, has no language here.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache

from cytat.query.words import LANGUAGES, stop_words
from cytat.text.folding import clean

_SAMPLE_CHARACTERS = 8_000
"""The beginning of a document tells its language; more only costs time."""

_WORD = re.compile(r"[^\W\d_]+")
_IDENTIFIER = re.compile(r"\S*[\d@\\_]\S*|\S+://\S+|\S+/\S+")
"""Codes and addresses have no language."""

_LETTERS: dict[str, str] = {
    "pl": "ąćęłńśźż", "cs": "ěřůťď", "sk": "ľĺŕôä", "de": "ßäöü", "fr": "œçèêâîû", "es": "ñ¿¡",
    "pt": "ãõ", "it": "òìù", "sv": "åäö", "da": "æøå", "uk": "іїєґ", "ru": "ыэъё",
}  # fmt: skip
_SHAPES: dict[str, str] = {
    "pl": r"sz|cz|rz|dz|(?:ego|emu|ach|ami|ych|ymi|owi|nia|nie|cja|cji|ow|osc|osci|esz|kiem|iej)$"
    r"|^(?:prz|wsp|nie)",
    "en": r"(?:ing|tion|tions|ness|ally|ght|ould|ously|ity)$|^(?:wh|th)",
    "de": r"sch|(?:ung|ungen|heit|keit|lich|lichen|isch|ischen)$|^(?:ver|ge)",
    "fr": r"eau|(?:eux|aux|ment|tion|ique|aire|ées?)$",
    "es": r"(?:ción|ciones|dad|miento|ar|ados?)$",
    "it": r"(?:zione|zioni|mente|etto|ità|are|ere)$|gli",
    "pt": r"(?:ção|ções|dade|mento|ões)$|nh|lh",
    "nl": r"ij|aa|(?:heid|lijk|lijke|atie)$",
    "cs": r"(?:ého|ých|ost|osti|ání|ení|ových?)$",
    "ru": r"(?:ого|ение|ения|ость|ться|ый|ая|ых)$",
    "uk": r"(?:ого|ення|ість|ться|ий|ості|их)$",
}

_FUNCTION_WORD, _LETTER, _SHAPE = 1.0, 0.6, 0.2
"""Evidence of one word, one telling letter, one shape: a shape alone, three times, is a hint only
when nothing speaks against it."""
_LEAST_EVIDENCE = 0.35
"""More than one shape: a single ending such as "-ment" is at home in several languages."""


@cache
def _shape(language: str) -> re.Pattern[str]:
    return re.compile(_SHAPES[language])


@cache
def _languages_of(word: str) -> tuple[str, ...]:
    """Return the languages that have `word` among their function words."""
    return tuple(sorted(code for code in LANGUAGES if word in stop_words(code)))


@lru_cache(maxsize=65_536)
def _evidence(word: str) -> tuple[tuple[str, float], ...]:
    """Return how much one word speaks for each language; a word shared by many says little."""
    evidence: dict[str, float] = defaultdict(float)
    owners = _languages_of(word)
    for code in owners:
        evidence[code] += _FUNCTION_WORD / len(owners) ** 0.5
    for code, letters in _LETTERS.items():
        evidence[code] += _LETTER * any(letter in letters for letter in word)
    if len(word) > 3 and not owners:  # noqa: PLR2004 - shorter words have no endings
        for code in _SHAPES:
            evidence[code] += _SHAPE * bool(_shape(code).search(word))
    return tuple((code, weight) for code, weight in evidence.items() if weight)


def evidence_of(words: Iterable[str]) -> dict[str, float]:
    """Return how much words in small letters speak for each language; what has none is absent."""
    total: dict[str, float] = defaultdict(float)
    for word, count in Counter(words).items():
        for code, weight in _evidence(word[:64]):
            total[code] += weight * count
    return total


def detect_language(text: str) -> str | None:
    """Return the language of `text` (ISO 639-1), or None when nothing in it tells."""
    sample = _IDENTIFIER.sub(" ", clean(text[:_SAMPLE_CHARACTERS]))
    total = evidence_of(_WORD.findall(sample))
    ranked = sorted(((weight, code) for code, weight in total.items()), reverse=True)
    if not ranked or ranked[0][0] < _LEAST_EVIDENCE:
        return None
    (best, code), (second, _) = ranked[0], ranked[1] if len(ranked) > 1 else (0.0, "")
    return code if best > second * 1.1 else None
