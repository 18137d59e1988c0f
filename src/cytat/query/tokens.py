"""Cleaned text -> tokens. Pure: what is one word, one number, one identifier; no language, no stem.

An identifier is kept whole and in parts. Its whole is written in up to two ways, so that
"ERR_POMPA_STOP" meets "ERR-POMPA-STOP" and a tax number meets its spelling without signs; the
exact writing comes first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

MAX_TERM_CHARACTERS = 64
"""Longer runs are cut here, in texts and questions alike: no word is that long, bytes are."""
_MAX_PARTS = 64


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


_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff"
_W = rf"(?:[^\W_]|[{_MARKS}])"
_RUN = rf"[^\W_]{_W}*"
_IDEOGRAPHS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_JOINTS = r"[-/._:@&\\+]"
_UNITS: dict[str, str] = {
    "art.": r"art|artykuł(?:u|owi|em|y|ów|ach)?|artykule|articles?|artikel|artículo|articolo",
    "§": r"§§?|paragraf(?:u|ie|em|y|ów)?|paragraphs?|par|sections?|sec",
    "ust.": r"ust|ustęp(?:u|ie|em|y)?",
    "pkt": r"pkt|punk(?:t|tu|cie|tem|ty)|points?",
    "lit.": r"lit|litera|litery",
    "poz.": r"poz|pozycj[aięą]",
    "rozdz.": r"rozdz|rozdział(?:u|em|y)?|rozdziale|chapters?",
    "dział": r"dział(?:u|em)?|dziale",
    "zał.": r"zał|załącznik(?:u|iem|i|ów)?|annex|appendix",
    "tab.": r"tab|tabel[aięą]|tables?",
    "rys.": r"rys|rysun(?:ek|ku|kiem)|fig|figures?",
}
_SUBDIVISIONS = frozenset({"ust.", "pkt", "lit."})
"""Every article has them: alone they name nothing."""
_UNIT_WORDS = "|".join(_UNITS.values())
_UNIT_OF = [(re.compile(rf"(?:{words})\Z"), unit) for unit, words in _UNITS.items()]

_TOKEN = re.compile(
    rf"""
      (?P<account> (?<!{_W}) (?:[a-z]{{2}}\d{{2}}|\d{{2}})
                   (?:[ ]\d{{4}}){{3,7}} (?:[ ]\d{{1,3}})? (?!{_W}) )
    | (?P<unit> (?<!{_W}) (?P<unit_word>{_UNIT_WORDS}) \.?[ \t\n]{{0,3}}
                (?P<unit_number> \d{{1,6}}[a-z]{{0,3}} | [ivxl]{{1,7}} | (?<=lit\.[ ])[a-z] )
                (?!{_W}|[-/.,:]\d) )
    | (?P<grouped> (?<![\w.,/-]) \d{{1,3}}(?:[ ']\d{{3}})+ (?:[.,]\d+)? (?!\w|[-/.,:]\w) )
    | (?P<decimal> (?<![\w.,/-]) \d+(?:,\d+)+(?:\.\d+)? (?!\w|[-/,:]\w)
                 | (?<![\w.,/-]) \d{{1,3}}(?:\.\d{{3}})+(?:,\d+)? (?!\w|[-/.,:]\w) )
    | (?P<signed> (?<!{_W}) [a-z]{{1,2}}(?:\+\+|\#) (?!\w) | (?<![\w.]) \.[a-z][a-z0-9]+ (?!\w) )
    | (?P<ideographs> [{_IDEOGRAPHS}]+ )
    | (?P<joined> {_RUN} (?:{_JOINTS}{_RUN})+ )
    | (?P<plain> {_RUN} )
    """,
    re.VERBOSE,
)
_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])-[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_BLANK = re.compile(r"[^\S\n]")
_JOINT = re.compile(_JOINTS)
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")


def tokens_of(cleaned: str) -> Iterator[Token]:
    """Yield the tokens of a cleaned text in order. Nothing is an error; signs alone yield none."""
    text = _POSSESSIVE.sub("", _LINE_END_HYPHEN.sub("-", _BLANK.sub(" ", cleaned)))
    for match in _TOKEN.finditer(text):
        yield _token(match)


def _token(match: re.Match[str]) -> Token:  # noqa: PLR0911 - one return for each kind
    surface = match.group()
    match match.lastgroup:
        case "account":
            squeezed = surface.replace(" ", "")
            return Token(TokenKind.IDENTIFIER, surface, (squeezed,), tuple(surface.split()))
        case "grouped" | "decimal":
            return _number(surface)
        case "signed":
            return Token(TokenKind.IDENTIFIER, surface, (surface,), (surface.strip(".+#"),))
        case "ideographs":
            return Token(TokenKind.IDEOGRAPHS, surface, (), _pairs(surface))
        case "joined":
            return _joined(surface)
        case "plain":
            return _plain(surface)
        case _:
            return _legal_unit(surface, match.group("unit_word"), match.group("unit_number"))


def _legal_unit(surface: str, word: str, number: str) -> Token:
    """Return "Art. 43" as one identifier, whatever form its word has."""
    unit = next(unit for pattern, unit in _UNIT_OF if pattern.match(word))
    kind = TokenKind.COMPOUND if unit in _SUBDIVISIONS else TokenKind.IDENTIFIER
    return Token(kind, surface, (f"{unit}{number}",), (word, number))


def _number(surface: str) -> Token:
    """Return a number by its value, in each reading its signs allow: "1.230,00" is 1230.

    A single group of three digits after a sign is both a fraction and a thousand ("1,230").
    """
    bare = surface.replace(" ", "").replace("'", "")
    last = max(bare.rfind(","), bare.rfind("."))
    readings: list[str] = []
    if last >= 0 and bare.count(bare[last]) == 1:
        readings.append(_value(bare[:last], bare[last + 1 :]))
    if last < 0 or (len(bare) - last == 4 and len({*bare} & {",", "."}) == 1):  # noqa: PLR2004
        readings.append(_value(bare, ""))
    if not readings:
        readings.append(_value(bare, ""))
    groups = tuple(surface.split()) if " " in surface else ()
    return Token(TokenKind.NUMBER, surface, tuple(dict.fromkeys(readings)), groups)


def _value(whole: str, fraction: str) -> str:
    """Return a number in the one writing all its spellings share."""
    digits = whole.replace(",", "").replace(".", "").lstrip("0")[:MAX_TERM_CHARACTERS] or "0"
    decimals = fraction.rstrip("0")[:MAX_TERM_CHARACTERS]
    return f"{digits}.{decimals}" if decimals else digits


def _pairs(run: str) -> tuple[str, ...]:
    """Return the single signs and the neighbouring pairs of a run without blanks."""
    return tuple(run) + tuple(run[at : at + 2] for at in range(len(run) - 1))


def _joined(surface: str) -> Token:
    parts = tuple(_JOINT.split(surface)[:_MAX_PARTS])
    exact = surface[:MAX_TERM_CHARACTERS]
    loose = _JOINT.sub("-", exact)
    wholes: tuple[str, ...]
    if not _DIGITS.search(surface):
        wholes = (exact, "".join(parts)[:MAX_TERM_CHARACTERS] if _hyphens_only(surface) else loose)
        kind = TokenKind.IDENTIFIER if _is_code(surface) else TokenKind.COMPOUND
        return Token(kind, surface, tuple(dict.fromkeys(wholes)), parts)
    if _LETTERS.search(surface):
        wholes = (exact, loose)
    elif surface.count(".") == 1 and len(parts) == 2:  # noqa: PLR2004 - "20.04", as a number too
        wholes = (exact, _value(*parts))
    else:
        squeezed = "".join(parts)
        is_long = _hyphens_only(surface) and len(squeezed) >= 9  # noqa: PLR2004 - a tax or phone number
        wholes = (exact, squeezed[:MAX_TERM_CHARACTERS]) if is_long else (exact,)
    return Token(TokenKind.IDENTIFIER, surface, tuple(dict.fromkeys(wholes)), parts)


def _hyphens_only(surface: str) -> bool:
    return {sign for sign in surface if _JOINT.match(sign)} == {"-"}


def _is_code(surface: str) -> bool:
    """Say whether letters joined by signs are a name for machines, such as an address."""
    return any(sign in surface for sign in "_@\\") or surface.count(".") > 1


def _plain(surface: str) -> Token:
    if surface.isdigit():
        value = _value(surface, "") if surface.isascii() else surface
        short = surface[:MAX_TERM_CHARACTERS]
        return Token(TokenKind.NUMBER, surface, tuple(dict.fromkeys((short, value))), ())
    if _DIGITS.search(surface):
        return Token(TokenKind.IDENTIFIER, surface, (surface[:MAX_TERM_CHARACTERS],), ())
    return Token(TokenKind.WORD, surface, (), (surface[:MAX_TERM_CHARACTERS],))
