"""Text -> text as the indexes compare it. Pure: case, diacritics, ligatures and invisible signs go.

Folding changes lengths, so nothing here may be used to compute an offset. The canonical text is
never folded; only the analyser's terms are.
"""

import re
import unicodedata

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Control signs and lone surrogates: SQLite ends a string at NUL and cannot store a surrogate."""

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
