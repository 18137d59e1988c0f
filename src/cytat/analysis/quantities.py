"""Words -> dates, numbers, amounts and quantities, each in one form. Pure.

A unit that is another one in capitals (12 m, 12 M; 5 g, 5 G; 3 mW, 3 MW) makes no quantity: case is
folded before, and what may differ is not made equal. Number and unit are still found apart.
"""

import re
from collections.abc import Iterable, Iterator

from cytat.analysis.kinds import MAX_TERM_CHARACTERS, Token, TokenKind, W
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
"""Roman months of one letter are only read between dots: "12 x 2000" multiplies."""
MONTH_FIRST = rf"(?<!{W}) (?:{_IN_ENGLISH}) \.? [ \n] \d{{1,2}} {_ORDINAL} ,? [ \n] {_YEAR}"
DAY = rf"(?<![\w/.,-]) (?:{DAY_FIRST}) | {MONTH_FIRST}"

_PIECES = re.compile(r"\d+|[^\W\d_]+")
_FULL_YEAR = re.compile(r"[12][0-9]{3}")


def day_token(surface: str) -> Token:
    """Return a day written with the name of its month: the ISO date, in parts as written."""
    words = [word for word in _PIECES.findall(surface) if word not in {"st", "nd", "rd", "th"}]
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


GROUPED = r"(?<![\w.,/-]) \d{1,3}(?:[ ']\d{3})+ (?:[.,]\d+)? (?!\w|[-/.,:]\w)"
DECIMAL = r"""
    (?<![\w.,/-]) (?: \d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)? | \d+,\d+ ) (?!\w|[-/,:]\w)
  | (?<![\w.,/-]) \d{1,3}(?:\.\d{3})+(?:,\d+)? (?!\w|[-/.,:]\w)
"""
_UNITS: dict[str, str] = {
    "%": r"%|proc\b|procent|percent",
    "pln": r"pln|zł|zl|złotych|złote|złoty",
    "eur": r"eur|euro|€",
    "gbp": r"gbp|£",
    "usd": r"usd",
    "$": r"\$",
    "chf": r"chf",
    "°c": r"°[ ]?c",
    "°f": r"°[ ]?f",
    "m2": r"m2",
    "m3": r"m3",
    "km/h": r"km/h",
} | {
    unit: unit
    for unit in (
        "kg", "dag", "mg", "μg", "km", "cm", "mm", "nm", "cm2", "cm3", "km2", "ha", "l", "ml", "cl",
        "dl", "hl", "h", "kwh", "gwh", "kw", "kv", "kva", "hz", "khz", "mhz", "ghz", "kb", "mb",
        "gb", "tb", "kcal", "szt",
    )
}  # fmt: skip
"""What each is written as. Bits and bytes differ in case alone; bits are nearly always a speed,
and "100 Mb/s" is not a quantity here."""

_NUMBER = r"""
    (?: \d{1,3}(?:[ ']\d{3})+(?![ ']\d{3})(?:[.,]\d+)?
      | (?!\d{1,3}[ ']\d{3}) \d+(?:[.,]\d{3}(?!\d))*(?:[.,]\d+)? ) (?![.,]?\d)
"""
"""In groups where it can be; whole, and not the beginning of a longer one."""
_UNIT = "|".join(sorted(_UNITS.values(), key=len, reverse=True))
_SIGN_BEFORE = r"pln|eur|usd|gbp|chf|zł|[€$£]"
QUANTITY = rf"""
    (?<![\w.,/+-]) {_NUMBER} [ ]? (?:{_UNIT}) (?!{W}|[-/]\w)
  | (?<![\w.,/-]) (?:{_SIGN_BEFORE}) [ ]? {_NUMBER} (?!{W}|[-/.,:]\w|[ ]?(?:{_UNIT})(?!{W}))
"""
QUANTITY_STARTS = r"(?:pln|eur|usd|gbp|chf|zł|[€$£])[ ]?\d"
_PARSED = re.compile(rf"({_NUMBER})[ ]?(.+)|({_SIGN_BEFORE})[ ]?(.+)", re.VERBOSE | re.DOTALL)
_UNIT_OF = {
    code: re.compile(rf"(?:{written})\Z".replace(r"\b", "")) for code, written in _UNITS.items()
}

CASED_UNITS = frozenset("mgtsvw")
"""Of "12m" number and letter are parts, though it is kept whole like any identifier."""


def quantity_tokens(surface: str) -> Iterator[Token]:
    """Yield the number, and the number with its unit in one writing."""
    match = _PARSED.fullmatch(surface)
    assert match is not None  # noqa: S101 - `surface` matched QUANTITY
    written, unit = match.group(1) or match.group(4), match.group(2) or match.group(3)
    number = number_token(written)
    yield number
    code = next(code for code, pattern in _UNIT_OF.items() if pattern.match(unit))
    wholes = tuple(dict.fromkeys(f"{_shortest(reading)}{code}" for reading in number.wholes))
    word = unit.replace(" ", "")
    yield Token(TokenKind.COMPOUND, surface, wholes, (word,) if word[-1:].isalnum() else ())


def _shortest(reading: str) -> str:
    """Return a number without zeros before it: "007" counts as 7."""
    return reading.lstrip("0") or "0" if reading.isdigit() else reading


def number_token(surface: str) -> Token:
    """Return a number by its value, in each reading its signs allow: "1.230,00" is 1230.

    A single group of three digits after a sign is both a fraction and a thousand ("1,230").
    """
    if surface.isdigit():
        value = value_of(surface, "") if surface.isascii() else surface
        short = surface[:MAX_TERM_CHARACTERS]
        return Token(TokenKind.NUMBER, surface, tuple(dict.fromkeys((short, value))), ())
    bare = surface.replace(" ", "").replace("'", "")
    last = max(bare.rfind(","), bare.rfind("."))
    readings: list[str] = []
    if last >= 0 and bare.count(bare[last]) == 1:
        readings.append(value_of(bare[:last], bare[last + 1 :]))
    if last < 0 or (len(bare) - last == 4 and len({*bare} & {",", "."}) == 1):  # noqa: PLR2004
        readings.append(value_of(bare, ""))
    if not readings:
        readings.append(value_of(bare, ""))
    # What looks like a thousand may be two columns of a table.
    groups = [number_token(group).wholes[0] for group in surface.split()] if " " in surface else []
    return Token(TokenKind.NUMBER, surface, tuple(dict.fromkeys(readings)), tuple(groups))


def value_of(whole: str, fraction: str) -> str:
    """Return a number in the one writing all its spellings share."""
    digits = whole.replace(",", "").replace(".", "").lstrip("0")[:MAX_TERM_CHARACTERS] or "0"
    decimals = fraction.rstrip("0")[:MAX_TERM_CHARACTERS]
    return f"{digits}.{decimals}" if decimals else digits
