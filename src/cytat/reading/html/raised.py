"""A raised or lowered element -> the signs its words are written in. Pure.

"m2" for m² and "25" for 2⁵ read wrongly, "Art. 183a" is not Art. 18³ᵃ, and the number of a
footnote would join the figure before it: "1501 zł" for 150¹ zł.
"""

import re

from selectolax.lexbor import LexborNode

_DIGITS = "0123456789"
_SIGNS = "+-−=()"
_LETTERS = "abcdefghijklmnoprstuvwxyz"
Signs = dict[int, int | str]

_UP: Signs = {**str.maketrans(_DIGITS + _SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")}
_UP_WITH_N: Signs = {**_UP, ord("n"): "ⁿ"}
_UP_WITH_LETTERS: Signs = {**_UP, **str.maketrans(_LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")}
_DOWN: Signs = {**str.maketrans(_DIGITS + _SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")}

_LONGEST = 40
"""Characters; longer stretches are no index and no reference to a note."""
_INDEX = re.compile(r"\d{1,3}[a-z]?(?:[,;–-]\s?\d{1,3}[a-z]?)*[,;.*)]?")
"""The index of an article ("3a") or the numbers of notes ("1,2", "1)"); "1st" is none."""
_RAISING_STYLE = re.compile(r"vertical-align\s*:\s*(super|text-top|sub)\b", re.IGNORECASE)


def raised_signs(node: LexborNode, tag: str) -> Signs | None:
    """Return the signs for all words in a raised element; none for one that is not raised.

    Empty where its words have no such signs and cannot be taken for part of a number: "th", "[1]".
    """
    place = _place(node, tag)
    if place is None:
        return None
    words = node.text(deep=True).strip()
    if len(words) > _LONGEST:
        return {}
    if place == "sub":
        return _DOWN if _has_all(words, _DOWN) else {}
    if _has_all(words, _UP_WITH_N):
        return _UP_WITH_N
    return _UP_WITH_LETTERS if _INDEX.fullmatch(words) else {}


def _place(node: LexborNode, tag: str) -> str | None:
    if tag in {"sup", "sub"}:
        return tag
    if tag != "span":
        return None
    found = _RAISING_STYLE.search(node.attributes.get("style") or "")
    if found is None:
        return None
    return "sub" if found[1].lower() == "sub" else "sup"


def _has_all(words: str, signs: Signs) -> bool:
    return all(sign.isspace() or ord(sign) in signs for sign in words)
