"""An ordered list and its items -> the number in front of each, as a browser shows it."""

from collections.abc import Mapping

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST = 3999
"""Of a Roman number; letters and Roman numbers beyond it are shown as digits."""
_LETTERS = 26

Attributes = Mapping[str, str | None]


class Numbering:
    """The numbers of one list: `start`, `type` and the items' own `value` count."""

    def __init__(self, attributes: Attributes) -> None:
        self._next = _whole(attributes.get("start"), otherwise=1)
        self._type = attributes.get("type") or "1"

    def sign(self, item: Attributes) -> str:
        """Return the sign of the next item."""
        number = _whole(item.get("value"), otherwise=self._next)
        self._next = number + 1
        return f"{_shown(number, self._type)}."


def _whole(said: str | None, *, otherwise: int) -> int:
    digits = (said or "").strip()
    return int(digits) if digits.lstrip("-").isdecimal() and len(digits) < _LETTERS else otherwise


def _shown(number: int, form: str) -> str:
    if not 1 <= number <= _LARGEST or form not in {"a", "A", "i", "I"}:
        return str(number)
    small = _roman(number) if form in "iI" else _letters(number)
    return small.upper() if form.isupper() else small


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, place = divmod(number - 1, _LETTERS)
        letters = chr(ord("a") + place) + letters
    return letters


def _roman(number: int) -> str:
    signs = ""
    for value, sign in _ROMAN:
        signs += sign * (number // value)
        number %= value
    return signs
