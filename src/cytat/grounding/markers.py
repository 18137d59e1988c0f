"""Draft text -> markers in it. Pure: every way in which models write a citation.

Recognised: `[1]`, `[1, 2]`, `[1;3]`, `[1-3]`, `[^3]`, `[[1]]`, `[1](link)`, `[Source 2]`,
`[źródło 1]`, `(Source 1)`, `【2†source】`, `<sup>1</sup>` and superscript digits. A bare `(1)` is
text, and so is a number of four digits such as `[2024]`.
"""

import re
from dataclasses import dataclass

LONGEST_MARKER = 80
"""A bracket that has not closed after so many characters is text; real markers are far shorter."""

WIDEST_RANGE = 20
"""`[1-3]` names three passages; a wider range is a mistake, not a citation."""

_LABEL = (
    r"(?:sources?|src|docs?|documents?|passages?|refs?|references?|citations?|cite|notes?|excerpts?"
    r"|źród(?:ło|ła|le|eł)|zrodl[oa]|dokument(?:y|u|ów)?|fragment(?:y|u|ów)?|cytat|przypis|ustęp"
    r"|quellen?|fuentes?|pasaż)"
)
_NUMBER = r"[#^]?\d{1,3}(?!\d)"
_JOIN = r"\s*(?:,|;|-|–|—|&|\band\b|\bi\b|\boraz\b)\s*"
_LIST = rf"{_NUMBER}(?:{_JOIN}(?:{_LABEL}\.?\s*)?{_NUMBER})*"
_TAIL = r"(?:\s*[†|].{0,40}?|\s*[,:;]\s*[^\W\d][^\]】\n]{0,50})?"
_MARKER = re.compile(
    rf"\[\[\s*(?P<double>{_LIST})\s*\]\]"
    rf"|\[\s*(?:{_LABEL}\.?\s*:?\s*)?(?P<square>{_LIST}){_TAIL}\s*\](?:\([^)\s]{{1,200}}\))?"
    rf"|【\s*(?:{_LABEL}\.?\s*:?\s*)?(?P<lens>{_LIST}){_TAIL}\s*】"
    rf"|\(\s*{_LABEL}\.?\s*:?\s*(?P<round>{_LIST})\s*\)"
    r"|<sup>\s*\[?(?P<sup>\d{1,3}(?:\s*,\s*\d{1,3})*)\]?\s*</sup>"
    r"|(?P<raised>[¹²³⁴⁵⁶⁷⁸⁹](?:[,⁾]?\s?[¹²³⁴⁵⁶⁷⁸⁹])*)",
    re.IGNORECASE,
)
_RAISED = {sign: digit for digit, sign in enumerate("¹²³⁴⁵⁶⁷⁸⁹", start=1)}
_UNIT_BEFORE = re.compile(r"(?:\d|(?<![^\W\d_])(?:[cdkm]?m|ft|in|yd|mi|s))$")
_HALF = re.compile(
    rf"\s*(?:[\[【(]\[?\s*(?:{_LABEL}\.?\s*:?)?\s*(?:[#^]?\d{{1,3}}{_JOIN})*[#^]?\d{{0,3}}"
    r"(?:\s*[†|,:;]\s*[^\])】\n]{0,50})?|<(?:s(?:up?>?)?)?\d*)$",
    re.IGNORECASE,
)
OPENERS = "[【(<¹²³⁴⁵⁶⁷⁸⁹"
"""The characters a marker can begin with."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One written citation: where it stands in the draft and the passages it names, in order."""

    start: int
    end: int
    numbers: tuple[int, ...]


def _numbers(written: str) -> tuple[int, ...]:
    """Return the numbers of a list such as "1, 3-5", each once, in order."""
    found: list[int] = []
    parts = re.findall(r"(\d+)(\s*[-–—]\s*(?:[^\W\d]+\.?\s*)?[#^]?(?=\d))?", written)
    low: int | None = None
    for digits, dash in parts:
        number = int(digits)
        if low is not None and low < number <= low + WIDEST_RANGE:
            found.extend(range(low + 1, number))
        found.append(number)
        low = number if dash else None
    return tuple(dict.fromkeys(number for number in found if number > 0))


def _marker(match: re.Match[str]) -> Marker | None:
    raised = match["raised"]
    if raised:
        if _UNIT_BEFORE.search(match.string, 0, match.start()):
            return None  # m², 10³
        numbers = tuple(dict.fromkeys(_RAISED[sign] for sign in raised if sign in _RAISED))
    else:
        numbers = _numbers(next(group for group in match.groups() if group))
    return Marker(match.start(), match.end(), numbers) if numbers else None


def find_markers(text: str) -> list[Marker]:
    """Return the markers of `text`, in order; they do not overlap."""
    return [marker for match in _MARKER.finditer(text) if (marker := _marker(match))]


def marker_at(text: str, start: int) -> Marker | None:
    """Return the marker that begins exactly at `start`, if one does."""
    match = _MARKER.match(text, start)
    return _marker(match) if match else None


def may_open_marker(text: str, start: int) -> bool:
    """Say whether what begins at `start` could still become a marker when more text arrives."""
    rest = text[start:]
    if not rest or rest[0] not in OPENERS or "\n" in rest:
        return False
    return len(rest) <= LONGEST_MARKER


def without_half_marker(text: str) -> str:
    """Return `text` without the torn marker at its end that a cut stream leaves: "Dalej [2"."""
    return _HALF.sub("", text)
