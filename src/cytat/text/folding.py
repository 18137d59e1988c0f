"""Text -> text as the indexes compare it. Pure: case, diacritics, ligatures and invisible signs go.

Folding changes lengths, so nothing here may be used to compute an offset. The canonical text is
never folded; only the analyser's terms are.

The result is the same on every Python: a character that Unicode 14.0 did not assign is replaced by
U+FFFD, whatever later versions say (see docs/decisions/0011-terms-by-unicode-14.md).

Source:
    Unicode Character Database 14.0.0, the one of Python 3.11: code points of category Cn are in
    `unassigned-14.0.txt`. Case folding and normal forms of those assigned never change (Unicode
    Character Encoding Stability Policies).
"""

import re
import unicodedata
from bisect import bisect_right
from functools import cache
from pathlib import Path

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Control signs and lone surrogates: SQLite ends a string at NUL and cannot store a surrogate."""

_UNASSIGNED_FILE = Path(__file__).with_name("unassigned-14.0.txt")
_LAST_OF_PLANE_0 = 0xFFFF
_UNKNOWN = "\ufffd"
"""Replaces a character that Unicode 14.0 did not assign; not a letter in any version."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
)
_STACKED_MARKS = re.compile(f"([{_MARKS}]{{30}})[{_MARKS}]+")
"""Normalisation sorts a run of combining marks in quadratic time; Unicode's stream-safe format
allows 30 of them (UAX 15, section 13)."""

_COMBINING = re.compile("[\u0300-\u036f]+")
_LETTERS_WITHOUT_DECOMPOSITION = str.maketrans(
    {
        "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i", "ŋ": "n",
        "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss",
    }
)  # fmt: skip
_SIGNS = {
        "\u2010": "-", "\u2011": "-", "\u2212": "-",              # hyphens, minus
        "\u2012": " ", "\u2013": " ", "\u2014": " ", "\u2015": " ",  # dashes part words
        "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201b": "'", "\u2044": "/",
}  # fmt: skip
_SIGN = re.compile(f"[{''.join(_SIGNS)}]")


_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u02b0-\u02b8\u02e1-\u02e3\u1d43-\u1dbb\u2071\u207f"
"""Digits and letters."""
_FRACTIONS = "\u00bc-\u00be\u2150-\u215e"
_APART = re.compile(
    rf"(?<=[\w.,;:!?)\]])(?<![{_RAISED}])(?<!(?<![^\W\d_])m)(?<!(?<![^\W\d_])[cdkm]m)(?=[{_RAISED}])"
    rf"|(?<=\d)(?=[{_FRACTIONS}])"
)
"""Before a footnote's number, an exponent, a fraction: NFKC would make "umowa1" of a word with a
note, 102 of ten squared and 21/2 of two and a half. Square and cubic metres stay whole."""
_NO_LETTERS = str.maketrans({"\u2122": " ", "\u2120": " ", "\u00b4": "'"})
"""Which NFKC would make letters of, or a blank: trade marks, an accent that stands alone."""
_SPECIAL = re.compile(f"[{_RAISED}{_FRACTIONS}\u2122\u2120\u00b4]")
_TYPED_POWER = re.compile(r"(?<![^\W\d_])([cdkm]?m)\^(?=[23](?!\d))", re.IGNORECASE)


def clean(text: str) -> str:
    """Return `text` in one case and one normal form, without signs that nobody sees.

    Diacritics stay, since stemmers know words by them; see `fold`.
    """
    text = _UNSTORABLE.sub(" ", text)
    text = only_assigned(text)
    if "^" in text:
        text = _TYPED_POWER.sub(r"\1", text)
    if text.isascii():  # all the rest is about other signs
        return text.lower()
    text = _INVISIBLE.sub("", text)
    if _SPECIAL.search(text):
        text = _APART.sub("^", text.translate(_NO_LETTERS))
    text = _STACKED_MARKS.sub(r"\1", text)
    # Twice: case folding can leave a form that is no longer normal ("ǰ" falls apart).
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SIGN.sub(lambda match: _SIGNS[match[0]], text)


def only_assigned(text: str) -> str:
    """Return `text` with U+FFFD in place of each character that Unicode 14.0 did not assign."""
    return text if text.isascii() else _perhaps_unassigned().sub(_assigned_or_unknown, text)


def _assigned_or_unknown(found: re.Match[str]) -> str:
    code_point = ord(found[0])
    first, last = _unassigned()
    at = bisect_right(first, code_point) - 1
    return _UNKNOWN if code_point <= last[at] else found[0]


@cache
def _unassigned() -> tuple[list[int], list[int]]:
    """Return the first and the last code points of the unassigned ranges, in rising order."""
    ranges = [line.split("-") for line in _UNASSIGNED_FILE.read_text("ascii").splitlines()]
    return [int(ends[0], 16) for ends in ranges], [int(ends[-1], 16) for ends in ranges]


@cache
def _perhaps_unassigned() -> re.Pattern[str]:
    """Return a class of the unassigned characters below U+10000 and of all characters above.

    `re` looks up a character below U+10000 in one step; ranges above it are searched one by one.
    """
    below = [ends for ends in zip(*_unassigned(), strict=True) if ends[0] <= _LAST_OF_PLANE_0]
    written = "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in below)
    return re.compile(rf"[{written}\U00010000-\U0010ffff]")


def visible(text: str) -> str:
    """Return `text` composed, without signs that nobody sees; case and everything else stay."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _STACKED_MARKS.sub(r"\1", _INVISIBLE.sub("", text)))


def fold(word: str) -> str:
    """Return a cleaned word without diacritics: "żółw" and "zolw" are one word."""
    if word.isascii():
        return word
    bare = _COMBINING.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS_WITHOUT_DECOMPOSITION)
