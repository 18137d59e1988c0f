"""A day in words -> its ISO 8601 date. Pure: "12 marca 2025", "March 12th, 2025", "12.III.2025"."""

import re
from collections.abc import Iterable

from cytat.query.kinds import Token, TokenKind, W
from cytat.text.folding import fold

_ENGLISH = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
    "august aug", "september sept sep", "october oct", "november nov", "december dec",
)  # fmt: skip
_POLISH = (
    "stycznia styczeń sty", "lutego luty lut", "marca marzec", "kwietnia kwiecień kwi", "maja maj",
    "czerwca czerwiec cze", "lipca lipiec lip", "sierpnia sierpień sie", "września wrzesień wrz",
    "października październik paź", "listopada listopad lis", "grudnia grudzień gru",
)  # fmt: skip
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_MONTHS: dict[str, int] = {
    form: number
    for words in (_ENGLISH, _POLISH, _ROMAN)
    for number, names in enumerate(words, start=1)
    for name in names.split()
    for form in (name, fold(name))
}


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern that takes the longest."""
    return "|".join(sorted(words, key=len, reverse=True))


_NAMED = _any_of(_MONTHS.keys() - set(_ROMAN))
_IN_ENGLISH = _any_of(" ".join(_ENGLISH).split())
_ORDINAL = r"(?:st|nd|rd|th)?"
_YEAR = rf"[12]\d{{3}} (?!{W}|[-/.,:]\d)"

DAY_FIRST = rf"""
    \d{{1,2}} {_ORDINAL} \.? [ \n] (?:{_NAMED}) \.? ,? [ \n] {_YEAR}
  | \d{{1,2}} \. (?:{_any_of(_ROMAN)}) \. {_YEAR}
  | \d{{1,2}} [ ] (?:{_any_of(set(_ROMAN) - set("ivx"))}) [ ] {_YEAR}
"""
"""Roman months of one letter stand between dots only: "12 x 2000" multiplies."""
MONTH_FIRST = rf"(?<!{W}) (?:{_IN_ENGLISH}) \.? [ \n] \d{{1,2}} {_ORDINAL} ,? [ \n] {_YEAR}"
DAY = rf"(?<![\w/.,-]) (?:{DAY_FIRST}) | {MONTH_FIRST}"

_PIECES = re.compile(r"\d+|[^\W\d_]+")
_FULL_YEAR = re.compile(r"[12][0-9]{3}")


def day_token(surface: str) -> Token:
    """Return a day written with the name of its month: the ISO date, in parts as written."""
    words = [one for one in _PIECES.findall(surface) if one not in {"st", "nd", "rd", "th"}]
    day, month = words[:2] if words[0].isdigit() else (words[1], words[0])
    whole = f"{words[2]}-{_MONTHS[month]:02}-{day:0>2}"
    return Token(TokenKind.COMPOUND, surface, (whole,), tuple(words))


def day_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the day that three numbers name, year first or last, as ISO 8601 writes it."""
    if len(parts) != 3:  # noqa: PLR2004
        return ()
    year, month, day = parts if len(parts[0]) == 4 else reversed(parts)  # noqa: PLR2004
    if not (
        _FULL_YEAR.fullmatch(year)
        and int(month[:3]) in range(1, 13)
        and int(day[:3]) in range(1, 32)
    ):
        return ()
    return (f"{year}-{month:0>2}-{day:0>2}",)
