"""Text -> pieces -> tokens. Pure: what is one word, number or identifier; no language, no stem.

A text is cut into pieces first, at blanks and brackets. What a piece comes down to depends on
nothing around it, so that it is worked out once and remembered; only the few tokens that reach over
a blank ("art. 43", "1 230,00 zł", "12 marca 2025") are looked for in the text itself.
"""

import re
from collections.abc import Iterator

from cytat.query.dates import DAY, DAY_FIRST, MONTH_FIRST, day_token
from cytat.query.identifiers import (
    ACCOUNT,
    PHONE,
    SPACED,
    TAGGED,
    account_token,
    joined_token,
    phone_token,
    plain_token,
    signed_token,
    tagged_token,
)
from cytat.query.kinds import HUMP, JOINTS, RUN, Token, TokenKind, W
from cytat.query.legal import CHAIN, FIRST_SIGNS, UNIT, chain_tokens, unit_token
from cytat.query.numbers import (
    DECIMAL,
    GROUPED,
    QUANTITY,
    QUANTITY_STARTS,
    number_token,
    quantity_tokens,
)
from cytat.text.folding import clean

FIRST_IDEOGRAPH = "\u0e00"
_IDEOGRAPHS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_INSIDE = r"[^\s()\[\]{}<>\"„“”«»;!?=|*]"
"""What stands in no token parts pieces."""
# First of all the words that another follows, which is most of a text: no token of several words
# holds two such, but for those with a Roman number.
_PIECE = re.compile(
    rf"""
      [^\W\d_]++ (?=[,:]?[ ][^\W\d_ivxl])
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
