"""References within a text -> tokens. Pure: "Art. 5 ust. 1 lit. b" and "Article 5(1)(b)" are one.

A unit is a word and its number: "art. 43", "rozdział IV", "tab. 2". A chain is an article or a
paragraph with what lies below it; it is a separate token, beside those of its units.
"""

import re
from collections.abc import Iterator

from cytat.analysis.kinds import Token, TokenKind, W

_NAMING: dict[str, str] = {
    "art.": r"art|artykuł(?:u|owi|em|y|ów|ach)?|artykule|articles?|artikel|artículo|articolo",
    "§": r"§§?|paragraf(?:u|ie|em|y|ów)?|paragraphs?|par|sections?|sec",
    "poz.": r"poz|pozycj[aięą]",
    "rozdz.": r"rozdz|rozdział(?:u|em|y)?|rozdziale|chapters?",
    "dział": r"dział(?:u|em)?|dziale",
    "zał.": r"zał|załącznik(?:u|iem|i|ów)?|annex|appendix",
    "tab.": r"tab|tabel[aięą]|tables?",
    "rys.": r"rys|rysun(?:ek|ku|kiem)|fig|figures?",
}
_SUBDIVISIONS: dict[str, str] = {
    "ust.": r"ust|ustęp(?:u|ie|em|y)?",
    "pkt": r"pkt|punk(?:t|tu|cie|tem|ty)|points?",
    "lit.": r"lit|litera|litery",
}
_VOLUMES: dict[str, str] = {
    "cz.": r"cz|część|części|częścią|parts?",
    "tom": r"tom(?:u|ie|em)?|volumes?|vol",
    "tyt.": r"tytuł(?:u|em)?|tytule|titles?",
    "ks.": r"księg[aięą]|books?",
}
"""Subdivisions and volumes are in every text of their kind: alone they name nothing."""
_UNITS = _NAMING | _SUBDIVISIONS | _VOLUMES
_ALL_WORDS = "|".join(_UNITS.values())
_WORDS = rf"(?:{_ALL_WORDS})(?![^\W\d_])"
_UNIT_OF = [(re.compile(rf"(?:{words})\Z"), unit) for unit, words in _UNITS.items()]
_BELOW = "|".join((*_SUBDIVISIONS.values(), "§"))
_ABOVE = "|".join((_NAMING["art."], _NAMING["§"]))

_END = rf"(?!{W}|[-/.,:]\d)"
_ROMAN_NUMBER = r"[ivxl]{2,7}|[vxl]|i(?=[.,;:)\n]|\s*\Z)"
"""A single "i" is a word in Polish, and "I" one in English: as a number it ends its phrase."""
_NUMBER = rf"\d{{1,6}}[a-z]{{0,3}} | {_ROMAN_NUMBER} | (?<=lit\.[ ])[a-z]"
_BRACKETS = r"(?:[ ]?\((?:\d{1,3}[a-z]?|[a-z]{1,2}|[ivx]{1,4})\)){1,4}"
_LINK = rf"""
    [ \t\n,.]{{1,3}} (?:{_BELOW})(?![^\W\d_]) \.?[ \t\n]{{0,3}}
    (?: \d{{1,4}}[a-z]{{0,3}} | (?<=lit[ ])[a-z]{{1,2}} | (?<=lit\.)[a-z]{{1,2}}
      | (?<=lit\.[ ])[a-z]{{1,2}} | (?<=litera[ ])[a-z]{{1,2}} | (?<=point[ ])[a-z] )
    {_END}
"""
CHAIN = rf"""
    (?<!{W}) (?:{_ABOVE})(?![^\W\d_]) \.?[ \t\n]{{0,3}} \d{{1,6}}[a-z]{{0,3}} {_END}
    (?: {_BRACKETS} (?:{_LINK}){{0,3}} | (?:{_LINK}){{1,4}} )
"""
UNIT = rf"(?<!{W}) {_WORDS} \.?[ \t\n]{{0,3}} (?:{_NUMBER}) {_END}"
FIRST_SIGNS = "§" + "".join(sorted({word[0] for word in _ALL_WORDS.split("|")} - {"§"}))

_PARSED = re.compile(
    rf"({_WORDS})\.?[ \t\n]{{0,3}}(\d{{1,6}}[a-z]{{0,3}}|[a-z]{{1,7}})|\((\w{{1,4}})\)"
)
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}


def unit_token(surface: str) -> Token:
    """Return "Art. 43" as one identifier, for every form of its word and its number."""
    match = _PARSED.match(surface)
    assert match is not None  # noqa: S101 - `surface` matched UNIT
    word, number = match.group(1, 2)
    unit = _unit_of(word)
    kind = TokenKind.IDENTIFIER if unit in _NAMING else TokenKind.COMPOUND
    wholes = [f"{unit}{number}"]
    if number.isalpha() and unit != "lit.":
        value = roman_value(number)
        wholes += [f"{unit}{value}"] if value else []
    return Token(kind, surface, tuple(wholes), (word, number))


def chain_tokens(surface: str) -> Iterator[Token]:
    """Yield the units of a chain, and the chain with what it is part of as its parts."""
    chains: list[tuple[str, ...]] = []
    for match in _PARSED.finditer(surface):
        word, number, bracketed = match.groups()
        if bracketed is None:
            yield unit_token(match.group())
            names: tuple[str, ...] = (f"{_unit_of(word)}{number}",)
        else:
            yield _bracketed(bracketed)
            names = _names_of(bracketed, is_first=len(chains) == 1)
        above = chains[-1] if chains else ("",)
        chains.append(tuple(chain + name for chain in above for name in names))
    parts = tuple(chain for some in chains[1:-1] for chain in some)
    yield Token(TokenKind.IDENTIFIER, surface, chains[-1], parts)


def _bracketed(number: str) -> Token:
    if number.isdigit():
        return Token(TokenKind.NUMBER, number, (number,), ())
    return Token(TokenKind.WORD, number, (), (number,))


def _names_of(bracketed: str, *, is_first: bool) -> tuple[str, ...]:
    """Return what a bracket may mean: (1) is a paragraph or a point, (b) a letter."""
    if not bracketed[0].isdigit():
        return (f"lit.{bracketed}",)
    return (f"ust.{bracketed}", f"pkt{bracketed}") if is_first else (f"pkt{bracketed}",)


def _unit_of(word: str) -> str:
    return next(unit for pattern, unit in _UNIT_OF if pattern.match(word))


def roman_value(numeral: str) -> int | None:
    """Return the value of a well-formed numeral up to 89, in small letters; None for others."""
    if not set(numeral) <= _VALUES.keys():
        return None
    values = [_VALUES[sign] for sign in numeral]
    following = [*values[1:], 0]
    total = sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )
    return total if numeral == _roman(total) else None


def _roman(value: int) -> str:
    steps = ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    written = ""
    for step, sign in steps:
        while value >= step:
            written, value = written + sign, value - step
    return written
