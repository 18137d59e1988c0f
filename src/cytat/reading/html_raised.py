"""Words in `<sup>` or `<sub>` -> the same as raised or lowered signs, where Unicode has them.

"m2" for m² and "25" for 2⁵ read wrongly, and a footnote's number would join the figure before it.
"""

SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raised(words: str, signs: dict[int, int]) -> str:
    """Return the words in such signs; as they are if one of them has none ("th", "ref")."""
    is_whole = all(sign.isspace() or ord(sign) in signs for sign in words)
    return words.translate(signs) if is_whole else words
