"""Text -> its parts, each with the language it is in. Pure: lines and cells, told by their words.

A document has a language; a quote, an abstract or one column of a contract may be in another. A
part is taken for foreign only when it says so clearly: stems of the wrong language cost more than
those of a language that is merely not the best.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from cytat.query.language import evidence_of

FEWEST_WORDS = 6
LEAST_EVIDENCE = 3.0
"""Three function words that no other language has, or more that are shared."""
TIMES_THE_OTHERS = 3.0
"""Of the evidence for the document's own language; a neighbour of it shares its short words."""
AHEAD_OF_THE_NEXT = 1.5

_PIECE = re.compile(r"[^\n|]*+(?:[\n|]+|\Z)")
"""A line, or a cell of a table, with what ends it."""
_WORD = re.compile(r"[^\W\d_]+")


def parts_by_language(text: str, language: str | None) -> list[tuple[str, str | None]]:
    """Return a text in parts with their languages; joined they are the text.

    Args:
        text: of one chunk, or any other.
        language: of its document; what tells nothing is in it.
    """
    pieces = _told(filter(None, _PIECE.findall(text)), language)
    return [
        ("".join(piece for piece, _ in told), code)
        for code, told in groupby(pieces, key=itemgetter(1))
    ] or [(text, language)]


def passage_language(text: str, language: str | None) -> str | None:
    """Return the language of the most of a text: its document's, unless it is clearly foreign."""
    held: dict[str | None, int] = defaultdict(int)
    for part, code in parts_by_language(text, language):
        held[code] += len(part)
    return max(held, key=lambda code: held[code])


def _told(pieces: Iterable[str], language: str | None) -> Iterator[tuple[str, str | None]]:
    """Yield each piece with its language; one that tells nothing goes with the piece before."""
    code = language
    for piece in pieces:
        words = _WORD.findall(piece.lower())
        code = _language_of(words, language, before=code) if words else language
        yield piece, code


def _language_of(words: list[str], language: str | None, *, before: str | None) -> str | None:
    found = evidence_of(words)
    if not found:
        return before
    own = found.get(language, 0.0) if language else 0.0
    *_, second, (best, code) = (0.0, ""), *sorted((weight, one) for one, weight in found.items())
    if code == language:
        return language
    is_clear = best >= max(LEAST_EVIDENCE, TIMES_THE_OTHERS * own, AHEAD_OF_THE_NEXT * second[0])
    return code if is_clear and len(words) >= FEWEST_WORDS else before
