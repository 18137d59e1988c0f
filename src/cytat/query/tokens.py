"""Cleaned text -> tokens. Pure: what is one word, one number, one identifier; no language, no stem.

An identifier is kept whole and in parts. Its whole is written in up to two ways, so that
"ERR_POMPA_STOP" meets "ERR-POMPA-STOP" and a tax number meets its spelling without signs; the
exact writing comes first.

A text is cut into pieces first, at blanks and brackets. What a piece comes down to depends on
nothing around it, so that it is worked out once and remembered; only the few tokens that reach over
a blank ("art. 43", "1 230,00", "12 marca 2025") are looked for in the text itself.
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
FIRST_IDEOGRAPH = "\u0e00"
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

_MONTHS: dict[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "stycznia january", "lutego february", "marca march", "kwietnia april", "maja may",
            "czerwca june", "lipca july", "sierpnia august", "września september",
            "października october", "listopada november", "grudnia december",
        ),
        start=1,
    )
    for word in words.split()
}  # fmt: skip


def _bare(pattern: str) -> str:
    """Return a pattern without the names of its groups."""
    return re.sub(r"\?P<\w+>", "?:", pattern)


_ACCOUNT = rf"""
    (?<!{_W}) (?:[a-z]{{2}}\d{{2}}|\d{{2}}) (?:[ ]\d{{4}}){{3,7}} (?:[ ]\d{{1,3}})? (?!{_W})
"""
_UNIT = rf"""
    (?<!{_W}) (?P<unit_word>{_UNIT_WORDS}) \.?[ \t\n]{{0,3}}
    (?P<unit_number> \d{{1,6}}[a-z]{{0,3}} | [ivxl]{{1,7}} | (?<=lit\.[ ])[a-z] )
    (?!{_W}|[-/.,:]\d)
"""
_GROUPED = r"(?<![\w.,/-]) \d{1,3}(?:[ ']\d{3})+ (?:[.,]\d+)? (?!\w|[-/.,:]\w)"
_DATE = rf"""
    (?P<day>\d{{1,2}}) \.? [ \n] (?P<month>{"|".join(_MONTHS)}) [ \n] (?P<year>[12]\d{{3}}) (?!{_W})
"""
_INSIDE = r"[^\s()\[\]{}<>\"„“”«»;!?=|*]"
"""What stands in no token parts pieces."""
_PIECE = re.compile(
    rf"""
      (?=\d|[a-z]{{2}}\d) (?:{_ACCOUNT}|{_GROUPED}|{_bare(_DATE)})
    | (?=[§{"".join(sorted({word[0] for word in _UNIT_WORDS.split("|")}))}])
      {_bare(_UNIT)}
    | [^\W\d_]+ (?=[,:.]? (?:\s|\Z))
    | {_INSIDE}* \w {_INSIDE}*
    """,
    re.VERBOSE,
)
_TOKEN = re.compile(
    rf"""
      (?P<account> {_ACCOUNT} )
    | (?P<unit> {_UNIT} )
    | (?P<date> {_DATE} )
    | (?P<grouped> {_GROUPED} )
    | (?P<decimal> (?<![\w.,/-]) \d+(?:,\d+)+(?:\.\d+)? (?!\w|[-/,:]\w)
                 | (?<![\w.,/-]) \d{{1,3}}(?:\.\d{{3}})+(?:,\d+)? (?!\w|[-/.,:]\w) )
    | (?P<signed> (?<!{_W}) [a-z]{{1,2}}(?:\+\+|\#) (?!\w) | (?<![\w.]) \.[a-z][a-z0-9]+ (?!\w) )
    | (?P<ideographs> [{_IDEOGRAPHS}]+ )
    | (?P<joined> {_RUN} (?:{_JOINTS}{_RUN})+ )
    | (?P<plain> {_RUN} )
    """,
    re.VERBOSE,
)
_LINE_END_HYPHEN = re.compile(r"-(?<=[^\W\d_]-)[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_JOINT = re.compile(_JOINTS)
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
_POLISH_NUMBER = re.compile(r"pl(?:\d{10}|\d{26})")
_YEAR = re.compile(r"[12][0-9]{3}")
_VERSION = re.compile(r"v\d+")
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")


def tokens_of(cleaned: str) -> Iterator[Token]:
    """Yield the tokens of a cleaned text in order. Nothing is an error; signs alone yield none."""
    for piece in pieces_of(cleaned):
        yield from tokens_in(piece)


def pieces_of(cleaned: str) -> list[str]:
    """Return the pieces of a cleaned text in order; what `tokens_in` makes of each is its own."""
    return _PIECE.findall(_LINE_END_HYPHEN.sub("-", cleaned))


def tokens_in(piece: str) -> Iterator[Token]:
    """Yield the tokens of one piece in order."""
    for match in _TOKEN.finditer(_POSSESSIVE.sub("", piece)):
        yield _token(match)


def _token(match: re.Match[str]) -> Token:  # noqa: PLR0911 - one return for each kind
    surface = match.group()
    match match.lastgroup:
        case "account":
            squeezed = surface.replace(" ", "")
            wholes = (squeezed, *_without_country(squeezed))
            return Token(TokenKind.IDENTIFIER, surface, wholes, tuple(surface.split()))
        case "date":
            day, month, year = match.group("day", "month", "year")
            whole = f"{year}-{_MONTHS[month]:02}-{day:0>2}"
            return Token(TokenKind.COMPOUND, surface, (whole,), (day, month, year))
        case "grouped" | "decimal":
            return _number(surface)
        case "signed":
            name = surface.strip(".+#")
            # "C" alone is neither C++ nor C#, and these are not each other.
            parts = (name,) if len(name) > 2 else ()  # noqa: PLR2004
            return Token(TokenKind.IDENTIFIER, surface, (surface,), parts)
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
        wholes = (exact, loose, *_without_country("".join(parts)))
        parts += _without_letters(parts)
    elif surface.count(".") == 1 and len(parts) == 2:  # noqa: PLR2004 - "20.04", as a number too
        wholes = (exact, _value(*parts))
    else:
        squeezed = "".join(parts)
        is_long = _hyphens_only(surface) and len(squeezed) >= 9  # noqa: PLR2004 - a tax or phone number
        wholes = (exact, squeezed[:MAX_TERM_CHARACTERS]) if is_long else (exact,)
        wholes += _day(parts) or ((loose,) if "/" in surface and len(parts) > 2 else ())  # noqa: PLR2004
    return Token(TokenKind.IDENTIFIER, surface, tuple(dict.fromkeys(wholes)), parts)


def _without_country(squeezed: str) -> tuple[str, ...]:
    """Return the number that is the same with and without PL: of a taxpayer, of an account."""
    return (squeezed[2:],) if _POLISH_NUMBER.fullmatch(squeezed) else ()


def _day(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the day that three numbers name, year first or last, as ISO 8601 writes it."""
    if len(parts) != 3:  # noqa: PLR2004
        return ()
    year, month, day = parts if len(parts[0]) == 4 else reversed(parts)  # noqa: PLR2004
    if not (
        _YEAR.fullmatch(year) and int(month[:3]) in range(1, 13) and int(day[:3]) in range(1, 32)
    ):
        return ()
    return (f"{year}-{month:0>2}-{day:0>2}",)


def _without_letters(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return what stands behind the letters an identifier begins with, as one more part of it.

    A text with "FV/2025/09/0143" or "v2.1" holds 2025/09/0143 and 2.1 whole, but whoever asks for
    FV/2025/09/0143 does not mean KOR/2025/09/0143.
    """
    if parts[0].isalpha() and len(parts) > 2 and all(map(str.isdigit, parts[1:])):  # noqa: PLR2004
        return ("-".join(parts[1:])[:MAX_TERM_CHARACTERS],)
    if _VERSION.fullmatch(parts[0]) and all(map(str.isdigit, parts[1:])):
        return (".".join((parts[0][1:], *parts[1:]))[:MAX_TERM_CHARACTERS],)
    return ()


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
        wholes = (surface[:MAX_TERM_CHARACTERS], *_without_country(surface))
        return Token(TokenKind.IDENTIFIER, surface, wholes, ())
    return Token(TokenKind.WORD, surface, (), (surface[:MAX_TERM_CHARACTERS],))
