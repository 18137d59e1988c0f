"""Word -> its stem, folded. Snowball's stemmers through PyStemmer, one per thread and language.

A PyStemmer object is not safe to share between threads, so each thread makes its own.
"""

import re
import threading
from functools import lru_cache

from cytat.text.folding import fold

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hu": "hungarian", "hy": "armenian",
    "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip

_NOT_A_WORD = re.compile(r"[\d_./:@&\\+#-]")
"""Digits and signs: codes, addresses, names of files."""
_stemmers = threading.local()


def _snowball(word: str, language: str) -> str:
    import Stemmer  # noqa: PLC0415 - only a program that searches pays for loading it

    own: dict[str, Stemmer.Stemmer] = _stemmers.__dict__
    if language not in own:
        own[language] = Stemmer.Stemmer(_ALGORITHMS[language])
        own[language].maxCacheSize = 0  # `stems_of` remembers, and better
    stem: str = own[language].stemWord(word)
    return stem


@lru_cache(maxsize=262_144)
def stems_of(word: str, language: str | None) -> tuple[str, ...]:
    """Return the folded stems of a cleaned word, that of its own spelling first.

    There are two when the stem of the folded word differs ("książkami", "ksiazkami"): a text
    keeps both, so that a question typed without diacritics meets it.
    """
    folded = fold(word)
    if language not in _ALGORITHMS or _NOT_A_WORD.search(word):
        return (folded,)
    own = fold(_snowball(word, language)) or folded
    bare = fold(_snowball(folded, language)) or folded
    return (own,) if own == bare else (own, bare)
