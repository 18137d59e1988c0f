"""KEY=VALUE conditions -> which documents may be searched. Pure.

Several conditions all have to hold. `K=a,b` any of them; `K=` the key is absent; `K!=v`, and
`K>v`, `K>=v`, `K<v`, `K<=v` for numbers and dates. A document without the key matches `K=` alone.
Built-in keys: source (a path tail or a glob), folder, type, language, title, author, date.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from cytat.errors import UsageError
from cytat.records import Condition

_CONDITION = re.compile(r"\s*([^=!<>\s][^=!<>]*?)\s*(!=|>=|<=|=|>|<)(.*)", re.DOTALL)
_ISO_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2}([T ].*)?)?)?")
_YEAR = re.compile(r"\d{4}")
_LOCAL_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_NO_SIGN = "\0"
"""Stands in no file's name."""
_ORDERING = frozenset({">", ">=", "<", "<="})


Where = Sequence[str] | Mapping[str, str] | str | None
"""Conditions such as `["type=pdf", "date>=2025-01-01"]`, or keys with values; None: no filter."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a document a filter can ask for."""

    source: str
    title: str
    media_type: str
    language: str | None
    metadata: Mapping[str, str]


def parse_where(where: Where) -> tuple[Condition, ...]:
    """Return the conditions of a filter; raise `UsageError` for a malformed filter."""
    if where is None:
        return ()
    if isinstance(where, str):
        return (_condition(where),)
    if isinstance(where, Mapping):
        return tuple(_condition(f"{key}={value}") for key, value in where.items())
    return tuple(map(_condition, where))


def asked_of(key: str, facts: Facts) -> str | None:
    """Return what of a document a condition on `key` looks at."""
    match key:
        case "source":
            return facts.source
        case "folder":
            return str(PurePosixPath(facts.source).parent)
        case "type":
            suffix = PurePosixPath(facts.source).suffix.removeprefix(".")
            return f"{suffix}{_NO_SIGN}{facts.media_type}"
        case "title":
            return facts.title
        case "language":
            return facts.language
        case _:
            named = (value for name, value in facts.metadata.items() if name.casefold() == key)
            return next(named, None)


def holds(condition: Condition, value: str | None) -> bool:
    """Say whether a document satisfies a condition, by what `asked_of` returned for it."""
    if condition.key in _PLACES:
        is_named = _PLACES[condition.key]
        found = value is not None and any(is_named(value, wanted) for wanted in condition.values)
        return found if condition.sign == "=" else condition.sign == "!=" and not found
    if not value:
        return condition.sign == "=" and not condition.values
    if condition.sign in _ORDERING:
        return _compares(value, condition.sign, condition.values[0])
    parts = {value.casefold(), *(part.strip().casefold() for part in value.split(","))}
    found = any(wanted.casefold() in parts for wanted in condition.values)
    return found if condition.sign == "=" else not found


def _condition(text: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if not found:
        raise UsageError(
            f"{text!r} is not a filter", hint="write KEY=VALUE, KEY!=VALUE, KEY>=VALUE or KEY<VALUE"
        )
    key, sign, given = found[1].casefold(), found[2], found[3].strip()
    parts = [given] if sign in _ORDERING else given.split(",")  # 12,5 is one number
    values = tuple(part.strip() for part in parts if part.strip())
    if sign in _ORDERING and (not values or _order(values[0]) is None):
        raise UsageError(
            f"{text!r} compares with neither a number nor a date",
            hint="write dates as 2025-09-30 and numbers as 12.5",
        )
    if sign == "!=" and not values:
        raise UsageError(f"{text!r} names no value", hint=f"write {key}!=VALUE")
    return Condition(key, sign, values)


def _is_source(source: str, wanted: str) -> bool:
    if any(sign in wanted for sign in "*?["):
        return fnmatchcase(source, wanted) or fnmatchcase(PurePosixPath(source).name, wanted)
    return source == wanted or source.endswith("/" + wanted.lstrip("/"))


def _is_within(folder: str, wanted: str) -> bool:
    return f"/{wanted.strip('/')}/" in f"/{folder}/".replace("//", "/")


def _is_of_type(suffix_and_type: str, wanted: str) -> bool:
    return wanted.casefold().removeprefix(".") in suffix_and_type.casefold().split(_NO_SIGN)


_PLACES: dict[str, Callable[[str, str], bool]] = {
    "source": _is_source,
    "folder": _is_within,
    "type": _is_of_type,
}
"""Keys that every document has: where it lies, and what it is."""


def _compares(value: str, sign: str, wanted: str) -> bool:
    left, right = _order(value), _order(wanted)
    if isinstance(left, str) and _YEAR.fullmatch(wanted):
        right = wanted
    if left is None or right is None or type(left) is not type(right):
        return False
    if isinstance(left, str) and isinstance(right, str):
        # A shorter date means all of its days: 2025-09-30 <= 2025, and not > 2025.
        left = left[: len(right)]
    return {
        ">": left > right,  # type: ignore[operator] # both float or both str, see above
        ">=": left >= right,  # type: ignore[operator]
        "<": left < right,  # type: ignore[operator]
        "<=": left <= right,  # type: ignore[operator]
    }[sign]


def _order(text: str) -> float | str | None:
    """Return a number as float, a date as its ISO form, and None for anything else."""
    if (local := _LOCAL_DATE.fullmatch(text)) is not None:
        text = f"{local[3]}-{int(local[2]):02}-{int(local[1]):02}"
    if _ISO_DATE.fullmatch(text) and "-" in text:
        return text if _is_day(text) else None
    try:
        number = float(text.replace(" ", "").replace(",", "."))
    except ValueError:
        return None
    return number if number == number else None  # noqa: PLR0124 (not a number is no order)


def _is_day(text: str) -> bool:
    """Say whether the calendar has the day, or the month where no day is given."""
    try:
        date.fromisoformat(text[:10] if len(text) > len("2025-09") else f"{text}-01")
    except ValueError:
        return False
    return True
