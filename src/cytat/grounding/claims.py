"""Text -> the parts of it that code can check: numbers with units, dates, identifiers, negation.

Numbers are read in Polish and in English at once: "1 230,00", "1,230.00" and "1230" share a value,
and "1.230" may be either 1230 or 1.23. Two quantities agree when they share a value.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from cytat.grounding.numbers import SCALE_WORDS, roman_numbers, scale_of, spelt_numbers
from cytat.text.folding import clean, fold

_MONTHS = {
    number: names.split()
    for number, names in enumerate(
        (
            "january jan styczen stycznia styczniu",
            "february feb luty lutego lutym",
            "march mar marzec marca marcu",
            "april apr kwiecien kwietnia kwietniu",
            "may maj maja maju",
            "june jun czerwiec czerwca czerwcu",
            "july jul lipiec lipca lipcu",
            "august aug sierpien sierpnia sierpniu",
            "september sept sep wrzesien wrzesnia wrzesniu",
            "october oct pazdziernik pazdziernika pazdzierniku",
            "november nov listopad listopada listopadzie",
            "december dec grudzien grudnia grudniu",
        ),
        start=1,
    )
}
_MONTH_OF = {name: number for number, names in _MONTHS.items() for name in names}
MONTHS, LONGEST_MONTH = 12, 31
MONTH_NAMES = frozenset(_MONTH_OF)
_MONTH = "|".join(sorted(_MONTH_OF, key=len, reverse=True))

_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<d>\d{1,2})[./-](?P<m>\d{1,2})[./-](?P<y>\d{4})\b"),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?P<name>{_MONTH})\.?,?\s+(?P<y>\d{{4}})\b"
    ),
    re.compile(rf"\b(?P<name>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?P<name>{_MONTH})\b"),
)
_IDENTIFIER = re.compile(
    r"(?<![\w/.-])(?:[^\W\d_]+[\w]*(?:[-/_.][\w]+)+|\d+(?:\.\d+){2,}|[^\W\d_]{1,6}\d[\w]*|\w+/\w+/[\w/]+)",
)
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f\u2009']\d{3})+(?!\d)(?:[.,]\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)*"
_UNIT = (
    r"(?P<percent>%|procent\w*|per\s?cents?\b|proc\.)"
    r"|(?P<PLN>zl(?:ot\w+)?\b|pln\b)|(?P<EUR>€|eur\b|euro\w*)"
    r"|(?P<USD>\$|usd\b|dolar\w*|dollars?\b)|(?P<GBP>£|gbp\b|funt\w*|pounds?\b)|(?P<CHF>chf\b)"
)
_QUANTITY = re.compile(
    rf"(?P<minus>(?<![\w.,)%])-(?=[€$£\d])|\bminus )?(?P<sign>[€$£])?\s?"
    rf"(?P<number>{_GROUPED}|{_PLAIN})(?:\s?(?P<times>{SCALE_WORDS})\b\.?)?(?:\s?(?:{_UNIT}))?",
    re.IGNORECASE,
)
_UNIT_BESIDE = re.compile(rf"\s?(?:{_UNIT})", re.IGNORECASE)
_POLISH_NUMBER = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?")
_ENGLISH_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP"}
_NEGATION = re.compile(
    r"\b(?:nie|bez|brak|braku|nigdy|żad\w+|zad(?:en|na|ne|nego|nej|nych|nym)|ani|not|no|never|without|"
    r"none|neither|nor|cannot)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
SCOPE_WORDS, SCOPE_CHARACTERS = 2, 60
"""A negation governs the next two words: "nie może oddać", "is not refunded"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written, every value it may have, and its unit if one stands beside it."""

    written: str
    values: frozenset[Decimal]
    unit: str | None

    def agrees(self, other: "Quantity") -> bool:
        """Say whether both may mean the same amount; a missing unit contradicts none."""
        same_unit = self.unit == other.unit or other.unit is None
        return same_unit and bool(self.values & other.values)


@dataclass(frozen=True, slots=True)
class Claims:
    """What code can check of a text."""

    quantities: tuple[Quantity, ...]
    dates: frozenset[tuple[int, int, int]]
    """Year (0 where none is given), month, day; both readings where the order is unclear."""
    dated: tuple[str, ...]
    """The dates as written."""
    identifiers: frozenset[str]
    negated: frozenset[str]
    """Folded words that a negation governs."""
    has_negation: bool
    units: frozenset[str]
    free_units: frozenset[str]
    """Those that stand beside no number, as in the head of a table's column."""


@cache
def claims_of(text: str) -> Claims:
    """Return the claims of a text."""
    rest, identifiers = _take_identifiers(text)
    romans = [*roman_numbers(rest)]
    rest, dates, dated = _take_dates(rest)
    quantities = [*map(_quantity, _QUANTITY.finditer(rest)), *_spelt(_QUANTITY.sub(_blank, rest))]
    quantities += (
        Quantity(text[one.start : one.end], frozenset((one.value,)), None) for one in romans
    )
    units = Counter(unit for unit in _all_units(text) if unit)
    free = units - Counter(quantity.unit for quantity in quantities if quantity.unit)
    return Claims(
        tuple(quantities), frozenset(dates), tuple(dated), frozenset(identifiers),
        negated_words(text), _NEGATION.search(text) is not None,
        frozenset(units), frozenset(free),
    )  # fmt: skip


def number_values(text: str) -> frozenset[Decimal]:
    """Return every value that a number in `text` may have: parts of dates and words too."""
    folded = fold(clean(text))
    found = [*map(_quantity, _QUANTITY.finditer(folded)), *_spelt(_QUANTITY.sub(_blank, folded))]
    romans = (one.value for one in roman_numbers(text))
    return frozenset(romans).union(*(quantity.values for quantity in found))


def _blank(match: re.Match[str]) -> str:
    return "." * len(match[0])


def _spelt(folded: str) -> Iterator[Quantity]:
    """Yield the quantities in words, each with the unit beside it."""
    for one in spelt_numbers(folded):
        beside = _UNIT_BESIDE.match(folded, one.end)
        unit = beside.lastgroup if beside else None
        before = folded[max(0, one.start - len("minus ")) : one.start]
        value = -one.value if before == "minus " else one.value
        yield Quantity(folded[one.start : one.end], frozenset((value,)), unit)


def identifier_key(identifier: str) -> str:
    """Return an identifier in the form in which two are compared."""
    return re.sub(r"[\s\-_.]+", "-", fold(clean(identifier))).strip("-")


def _take_identifiers(text: str) -> tuple[str, list[str]]:
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        written = match[0]
        is_date = any(pattern.fullmatch(written) for pattern in _DATES[:2])
        if is_date or not any(sign.isdigit() for sign in written):
            return written
        found.append(identifier_key(written))
        return " " * len(written)

    return _IDENTIFIER.sub(take, text), found


def _take_dates(text: str) -> tuple[str, set[tuple[int, int, int]], list[str]]:
    dates: set[tuple[int, int, int]] = set()
    written: list[str] = []

    def take(match: re.Match[str]) -> str:
        readings = _readings(match)
        if not readings:
            return match[0]
        dates.update(readings)
        written.append(match[0])
        return " " * len(match[0])

    # Folding a composed letter keeps its length here; where it does not, dates still read right.
    folded = fold(clean(text))
    for pattern in _DATES:
        folded = pattern.sub(take, folded)
    return folded, dates, written


def _readings(match: re.Match[str]) -> set[tuple[int, int, int]]:
    parts = match.groupdict()
    year, day = int(parts.get("y") or 0), int(parts["d"])
    named = parts.get("name")
    month = _MONTH_OF[named] if named else int(parts["m"])
    orders = {(month, day)} if named or match.re is _DATES[0] else {(month, day), (day, month)}
    return {(year, m, d) for m, d in orders if 1 <= m <= MONTHS and 1 <= d <= LONGEST_MONTH}


def _quantity(match: re.Match[str]) -> Quantity:
    unit = _SIGNS.get(match["sign"] or "") or match.lastgroup
    known = unit if unit in {"percent", "PLN", "EUR", "USD", "GBP", "CHF"} else None
    times = scale_of(match["times"].lower()) if match["times"] else 1
    factor = -times if match["minus"] else times
    values = frozenset((value * factor).normalize() for value in _values(match["number"]))
    written = match[0].strip() if match["times"] or match["minus"] else match["number"]
    return Quantity(written, values, known)


def _all_units(text: str) -> list[str | None]:
    return [match.lastgroup for match in re.finditer(_UNIT, fold(clean(text)), re.IGNORECASE)]


def _values(written: str) -> frozenset[Decimal]:
    """Return every value the digits may stand for in Polish or in English usage."""
    digits = re.sub(r"[ \u00a0\u202f\u2009']", "", written)
    readings: set[str] = set()
    if _POLISH_NUMBER.fullmatch(digits):
        readings.add(digits.replace(".", "").replace(",", "."))
    if _ENGLISH_NUMBER.fullmatch(digits):
        readings.add(digits.replace(",", ""))
    readings = readings or set(re.findall(r"\d+", digits))
    return frozenset(Decimal(reading).normalize() for reading in readings)


def negated_words(text: str) -> frozenset[str]:
    """Return the folded words that follow a negation closely."""
    return frozenset(
        fold(clean(word)) for scope in _scopes(text) for word in _WORD.findall(text, *scope)
    )


def plain_words(text: str) -> frozenset[str]:
    """Return the folded words of a text that no negation governs."""
    for start, end in reversed(_scopes(text)):
        text = text[:start] + " " + text[end:]
    return frozenset(fold(clean(word)) for word in _WORD.findall(text))


def _scopes(text: str) -> list[tuple[int, int]]:
    """Return where the words stand that each negation governs."""
    scopes = []
    for match in _NEGATION.finditer(text):
        end = match.end()
        for word in list(_WORD.finditer(text, end, end + SCOPE_CHARACTERS))[:SCOPE_WORDS]:
            end = word.end()
        scopes.append((match.end(), end))
    return scopes
