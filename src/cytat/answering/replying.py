"""Question + passages found -> the language of the reply: the asker's. Pure.

A few words may be of no language that can be told, and Polish typed without its letters looks like
others. What the nearest passages are written in is a strong hint then.
"""

from collections import Counter
from collections.abc import Sequence

from cytat.analysis.language import stop_words
from cytat.grounding import read_passage
from cytat.records import Hit, Query
from cytat.text.folding import clean, fold
from cytat.text.notes import FALLBACK

MOST_PASSAGES = 5
TAKEN_FOR = frozenset(("cs", "sk"))
"""Languages that Polish without its letters is taken for."""


def reply_language(query: Query, hits: Sequence[Hit]) -> str:
    """Return the language of the question; where that is unsure, of the nearest passages."""
    nearest = _language_of(hits)
    told = query.language
    if told is None or (told in TAKEN_FOR and query.text.isascii() and nearest is not None):
        return nearest or told or FALLBACK
    if nearest not in {None, told} and _says_more(query.text, nearest, than=told):
        return nearest
    return told


def _language_of(hits: Sequence[Hit]) -> str | None:
    """Return the language of most of the nearest passages; None where none can be told."""
    told = Counter(read_passage(hit).language for hit in hits[:MOST_PASSAGES])
    told.pop(None, None)
    return told.most_common(1)[0][0] if told else None


def _says_more(question: str, one: str | None, *, than: str) -> bool:
    """Say whether a question without diacritics has more function words of one language."""
    words = {fold(word) for word in clean(question).split()}
    counts = [
        len(words & {fold(word) for word in stop_words(code)}) for code in (one or than, than)
    ]
    return question.isascii() and counts[0] > counts[1]
