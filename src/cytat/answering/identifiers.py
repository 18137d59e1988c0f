"""Words with digits -> do they name one document, or a time? Pure.

"FV/2025/09/0143" is one invoice, and what another says is no answer. "FY2023", "Q2", "5b" and
"in1905" are words like any other, which the documents may well write in another way.
"""

import re

_TIME = re.compile(r"(?:fy|cy|r|w|in|rok)?[-/' ]?((?:1[89]|20)\d\d)(?:r|s|/\d\d)?")
_SHORT_YEAR = re.compile(r"fy[-/' ]?(\d\d)")
_QUARTER = re.compile(r"(?:q[1-4]|[1-4]q|h[12]|[12]h|[1-4]kw)[-/' ]?(?:\d\d|\d{4})?")
_DAY = re.compile(
    r"\d{1,2}([-./])(?:0?\d|1[0-2])\1\d{2,4}|\d{4}([-./])(?:0?\d|1[0-2])\2(?:[0-2]?\d|3[01])"
)
_SIGNS = re.compile(r"[-/_@\\:]")
_NUMBERS = re.compile(r"\d+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
_UNITS_BELOW = re.compile(r"[^\d\s]*\s?\d+\w?(?:\s|\().*\d")
"""An article with what lies below it: "art. 5 § 2"."""
FEWEST_DIGITS, FEWEST_LETTERS = 4, 2
"""Of a code without signs, such as a serial number: "PHD07" and "5b" have fewer."""
LONG_NUMBER_DIGITS = 7
"""A tax number, a telephone number, an account; a price has seldom so many."""


def names_a_document(surface: str) -> bool:
    """Say whether an identifier is plainly one thing's own: an invoice, a form, a file number."""
    if _is_time(surface) or _VERSION.fullmatch(surface) or _UNITS_BELOW.fullmatch(surface):
        return False
    digits = sum(sign.isdigit() for sign in surface)
    letters = sum(sign.isalpha() for sign in surface)
    if _SIGNS.search(surface) or not letters:
        return bool(letters) or digits >= LONG_NUMBER_DIGITS or len(_NUMBERS.findall(surface)) > 1
    return (
        " " in surface or "§" in surface or (digits >= FEWEST_DIGITS and letters >= FEWEST_LETTERS)
    )


def _is_time(surface: str) -> bool:
    return any(one.fullmatch(surface) for one in (_TIME, _SHORT_YEAR, _QUARTER, _DAY))


def year_in(surface: str) -> str | None:
    """Return the year that a word such as "FY2023", "FY23" or "in1905" gives; None without one."""
    if short := _SHORT_YEAR.fullmatch(surface):
        return f"20{short[1]}"
    found = _TIME.fullmatch(surface)
    return found[1] if found else None
