"""Text -> pieces -> tokens. Pure: what is one word, number or identifier; no language, no stem.

An identifier is kept whole and in parts. Its whole is written in several ways, so that
"ERR_POMPA_STOP" meets "ERR-POMPA-STOP", "PHD07" meets "PHD-07" and a tax number meets its spelling
without signs; the exact writing comes first.

A text is cut into pieces first, at blanks and brackets. What a piece comes down to depends on
nothing around it, so that it is worked out once and remembered; only the few tokens that reach over
a blank ("art. 43", "1 230,00 zł", "12 marca 2025") are looked for in the text itself.
"""

import re
from collections.abc import Iterator

from cytat.analysis.kinds import (
    HUMP,
    JOINTS,
    MAX_PARTS,
    MAX_TERM_CHARACTERS,
    RUN,
    Token,
    TokenKind,
    W,
)
from cytat.analysis.legal import CHAIN, FIRST_SIGNS, UNIT, chain_tokens, unit_token
from cytat.analysis.quantities import (
    CASED_UNITS,
    DAY,
    DAY_FIRST,
    DECIMAL,
    GROUPED,
    MONTH_FIRST,
    QUANTITY,
    QUANTITY_STARTS,
    day_of,
    day_token,
    number_token,
    quantity_tokens,
    value_of,
)
from cytat.text.folding import clean

ACCOUNT = rf"""
    (?<!{W}) (?:[a-z]{{2}}\d{{2}}(?:[ ][a-z]{{4}})?|\d{{2}}) (?:[ ]\d{{4}}){{3,7}} (?:[ ]\d{{1,3}})?
    (?!{W})
"""
PHONE = rf"""
    (?<![\w+]) (?:\+|0048[ -]) \d{{1,4}} (?:[ -]?\(?\d{{2,4}}\)?){{2,5}} (?!{W}|[-/.,:]\w)
"""
SPACED = rf"""
    (?<![\w.,/-]) (?: \d{{3}}[ ]\d{{3}}[ ]\d{{2}}[ ]\d{{2}} | \d{{3}}[ ]\d{{2}}[ ]\d{{2}}[ ]\d{{3}}
      | \(?\d{{2}}\)?[ ]\d{{3}}[ -]\d{{2}}[ -]\d{{2}} | \d{{2}}[ ]\d{{2}}[ ]\d{{2}}[ ]\d{{5}}
      | \d{{6}}[ ]\d{{5}} | \d{{9}}[ ]\d{{5}} )
    (?!{W}|[-/.,:]\w|[ ]\d)
"""
"""NIP, telephone, PESEL and REGON numbers as they are written with blanks."""
TAGGED = r"(?<![\w&/.]) [#@] [^\W_][\w-]* (?![\w@-])"

_WEB = "www."
_JOINT = re.compile(JOINTS)
_COARSE = re.compile(r"[/\\:@&+]")
"""Between the names of a path, a user and a host, a host and its path."""
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")
_POLISH_NUMBER = re.compile(r"pl(?:\d{10}|\d{26})")
_POLISH_PHONE = re.compile(r"(?:\+|00)48(\d{9})")
_VERSION = re.compile(r"v\d+")
_VERSIONS = re.compile(r"v?\d+(?:\.\d+)+(?:-v?\d+(?:\.\d+)+)+")
_LETTERS_THEN_DIGITS = re.compile(r"([^\W\d_]{1,16})(\d{1,16})")
_DIGITS_THEN_UNIT = re.compile(rf"(\d{{1,9}})([{''.join(sorted(CASED_UNITS))}])")


def account_token(surface: str) -> Token:
    """Return an account number that is written in groups."""
    squeezed = surface.replace(" ", "")
    wholes = (squeezed, *_without_country(squeezed))
    return Token(TokenKind.IDENTIFIER, surface, wholes, tuple(surface.split()))


def phone_token(surface: str) -> Token:
    """Return a number by its digits: a telephone number, a NIP, a PESEL; +48 may be left out."""
    squeezed = re.sub(r"[^\d+]", "", surface)
    polish = _POLISH_PHONE.fullmatch(squeezed)
    wholes = (polish[1], f"+48{polish[1]}") if polish else (squeezed,)
    return Token(TokenKind.IDENTIFIER, surface, wholes, tuple(re.findall(r"\d+", surface)))


def tagged_token(surface: str) -> Token:
    """Return "#budget" or "@anna", whose word is looked for, too."""
    name = surface[1:]
    parts = tuple(dict.fromkeys((name, *filter(None, _JOINT.split(name)[:MAX_PARTS]))))
    return Token(TokenKind.COMPOUND, surface, (surface[:MAX_TERM_CHARACTERS],), parts)


def signed_token(surface: str) -> Token:
    """Return "C++", "C#" or ".NET": "C" alone is none of them, and they are not each other."""
    name = surface.strip(".+#")
    parts = (name,) if len(name) > 2 else ()  # noqa: PLR2004
    return Token(TokenKind.IDENTIFIER, surface, (surface,), parts)


def plain_token(surface: str) -> Token:
    """Return a run of letters and digits: a word, a number, or a code such as "PHD07"."""
    if surface.isdigit():
        return number_token(surface)
    if not _DIGITS.search(surface):
        return Token(TokenKind.WORD, surface, (), (surface[:MAX_TERM_CHARACTERS],))
    wholes = (surface[:MAX_TERM_CHARACTERS], *_without_country(surface))
    parts: tuple[str, ...] = ()
    if quantity := _DIGITS_THEN_UNIT.fullmatch(surface):
        parts = quantity[1], quantity[2]
    elif len(wholes) == 1 and (code := _LETTERS_THEN_DIGITS.fullmatch(surface)):
        wholes += (f"{code[1]}-{code[2]}",)
    return Token(TokenKind.IDENTIFIER, surface, wholes, parts)


def joined_token(surface: str) -> Token:
    """Return runs that are joined by signs."""
    parts = tuple(_JOINT.split(surface)[:MAX_PARTS])
    exact = surface.replace(HUMP, "")[:MAX_TERM_CHARACTERS]
    loose = _JOINT.sub("-", surface)[:MAX_TERM_CHARACTERS]
    segments = _segments(surface)
    if not _DIGITS.search(surface):
        return _joined_words(surface, exact, loose, (*parts, *segments))
    wholes: tuple[str, ...]
    if _LETTERS.search(surface):
        wholes = (exact, loose, *_without_country("".join(parts)))
        segments += _without_letters(parts)
    elif surface.count(".") == 1 and len(parts) == 2:  # noqa: PLR2004 - "20.04", as a number too
        wholes = (exact, value_of(*parts))
    else:
        squeezed = "".join(parts)
        is_long = _signs(surface) == {"-"} and len(squeezed) >= 9  # noqa: PLR2004 - a tax or phone number
        wholes = (exact, squeezed[:MAX_TERM_CHARACTERS]) if is_long else (exact,)
        wholes += day_of(parts) or ((loose,) if "/" in surface and len(parts) > 2 else ())  # noqa: PLR2004
    return Token(TokenKind.IDENTIFIER, exact, tuple(dict.fromkeys(wholes)), (*parts, *segments))


def _joined_words(surface: str, exact: str, loose: str, parts: tuple[str, ...]) -> Token:
    """Return a compound, or a name for machines; the last whole is the one that has stems."""
    signs = _signs(surface)
    wholes: tuple[str, ...]
    if signs == {"-"}:
        wholes = exact, "".join(_JOINT.split(surface)[:MAX_PARTS])[:MAX_TERM_CHARACTERS]
    elif HUMP in signs:
        wholes = (loose, exact)
    else:
        wholes = (exact, loose)
    if exact.startswith(_WEB):
        wholes = (exact, exact.removeprefix(_WEB), *wholes)
    is_code = bool(signs & {"_", "@", "\\"}) or surface.count(".") > 1
    kind = TokenKind.IDENTIFIER if is_code else TokenKind.COMPOUND
    return Token(kind, exact, tuple(dict.fromkeys(wholes)), parts)


def _segments(surface: str) -> tuple[str, ...]:
    """Return what is between coarse signs and joined by finer ones, as further parts.

    The file of a path, the host of an address, the ends of a range of versions: who searches for
    one of them means it whole.
    """
    if _VERSIONS.fullmatch(surface):
        return tuple(surface.split("-")[:MAX_PARTS])
    coarse = _COARSE.split(surface)[:MAX_PARTS]
    if len(coarse) == 1:
        return ()
    return tuple(
        part.replace(HUMP, "").removeprefix(_WEB)[:MAX_TERM_CHARACTERS]
        for part in coarse
        if _JOINT.search(part)
    )


def _without_country(squeezed: str) -> tuple[str, ...]:
    """Return the number that is the same with and without PL: of a taxpayer, of an account."""
    return (squeezed[2:],) if _POLISH_NUMBER.fullmatch(squeezed) else ()


def _without_letters(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return what follows the letters an identifier begins with, as one more part of it.

    A text with "FV/2025/09/0143" or "v2.1" holds 2025/09/0143 and 2.1 whole, but who searches for
    FV/2025/09/0143 does not mean KOR/2025/09/0143.
    """
    if parts[0].isalpha() and len(parts) > 2 and all(map(str.isdigit, parts[1:])):  # noqa: PLR2004
        return ("-".join(parts[1:])[:MAX_TERM_CHARACTERS],)
    if _VERSION.fullmatch(parts[0]) and all(map(str.isdigit, parts[1:])):
        return (".".join((parts[0][1:], *parts[1:]))[:MAX_TERM_CHARACTERS],)
    return ()


def _signs(surface: str) -> set[str]:
    return {sign for sign in surface if _JOINT.match(sign)}


FIRST_IDEOGRAPH = "\u0e00"
_IDEOGRAPHS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_INSIDE = r"[^\s()\[\]{}<>\"„“”«»;!?=|*]"
"""What is in no token separates pieces."""
# First of all the words that another follows, which is most of a text: no token of several words
# holds two such, but for those with a Roman number.
_PIECE = re.compile(
    rf"""
      [^\W\d_]+ (?=[,:]?[ ][^\W\d_ivxl])
    | (?=[\d+(]|[a-z]{{2}}\d)
      (?: {ACCOUNT} | {PHONE} | {SPACED} | {QUANTITY} | {GROUPED} | (?<![\w/.,-]) (?:{DAY_FIRST}) )
    | (?={QUANTITY_STARTS}) (?:{QUANTITY})
    | (?=[{FIRST_SIGNS}]) (?:{CHAIN} | {UNIT})
    | (?=[jfmasond]) (?:{MONTH_FIRST})
    | [^\W\d_]+ (?=[,:.]? (?:\s|\Z))
    | {_INSIDE}* \w {_INSIDE}*
    """,
    re.VERBOSE,
)
_TOKEN = re.compile(
    rf"""
      (?P<account> {ACCOUNT} )
    | (?P<phone> {PHONE} | {SPACED} )
    | (?P<chain> {CHAIN} )
    | (?P<unit> {UNIT} )
    | (?P<day> {DAY} )
    | (?P<quantity> {QUANTITY} )
    | (?P<number> {GROUPED} | {DECIMAL} )
    | (?P<signed> (?<!{W}) [a-z]{{1,2}}(?:\+\+|\#) (?!\w) | (?<![\w.]) \.[a-z][a-z0-9]+ (?!\w) )
    | (?P<tagged> {TAGGED} )
    | (?P<ideographs> [{_IDEOGRAPHS}]+ )
    | (?P<joined> {RUN} (?:{JOINTS}{RUN})+ )
    | (?P<plain> {RUN} )
    """,
    re.VERBOSE,
)
_LINE_END_HYPHEN = re.compile(r"-(?<=[^\W\d_]-)[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
_SMALL, _CAPITAL = "a-zß-öø-ÿąćęłńśźż", "A-ZÀ-ÖØ-ÞĄĆĘŁŃŚŹŻ"
_HUMPS = re.compile(
    rf"[{_CAPITAL}](?:(?<=[{_SMALL}]{{2}}[{_CAPITAL}])(?=[{_SMALL}{_CAPITAL}])"
    r"|(?<=[A-Z]{3})(?=[a-z]{2}))"
)
"""Where a word begins inside another: at least two letters on either side, so that "iPhone" and
"VATu" are one word."""


def prepared(text: str) -> str:
    """Return a text as it is cut: in one case and form, with the humps of camel case marked."""
    return clean(_HUMPS.sub(HUMP + r"\g<0>", text))


def tokens_of(cleaned: str) -> Iterator[Token]:
    """Yield the tokens of a prepared text in order. Nothing is an error; signs alone yield none."""
    for piece in pieces_of(cleaned):
        yield from tokens_in(piece)


def pieces_of(cleaned: str) -> list[str]:
    """Return the pieces of a prepared text in order; what each comes down to is its own."""
    return _PIECE.findall(_LINE_END_HYPHEN.sub("-", cleaned))


def tokens_in(piece: str) -> Iterator[Token]:
    """Yield the tokens of one piece in order."""
    for match in _TOKEN.finditer(_POSSESSIVE.sub("", piece)):
        yield from _tokens(match.lastgroup, match.group())


def _tokens(kind: str | None, surface: str) -> Iterator[Token]:
    match kind:
        case "chain":
            yield from chain_tokens(surface)
        case "quantity":
            yield from quantity_tokens(surface)
        case "ideographs":
            yield Token(TokenKind.IDEOGRAPHS, surface, (), _pairs(surface))
        case _:
            yield _MAKERS[kind or "plain"](surface)


_MAKERS = {
    "account": account_token,
    "phone": phone_token,
    "unit": unit_token,
    "day": day_token,
    "number": number_token,
    "signed": signed_token,
    "tagged": tagged_token,
    "joined": joined_token,
    "plain": plain_token,
}


def _pairs(run: str) -> tuple[str, ...]:
    """Return the single signs and the neighbouring pairs of a run without blanks."""
    return tuple(run) + tuple(run[at : at + 2] for at in range(len(run) - 1))
