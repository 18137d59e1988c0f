"""What models print beside their answer: markers of citations, and reasoning between tags. Pure.

Recognised: `[1]`, `[1, 2]`, `[1;3]`, `[1-3]`, `[^3]`, `[[1]]`, `[1](link)`, `[Source 2]`,
`[źródło 1]`, `(Source 1)`, `【2†source】`, `<sup>1</sup>` and superscript digits. A bare `(1)` is
text, and so is a number of four digits such as `[2024]`.

Tags may be nested, of any case, opened only (the rest is reasoning) or closed only (what came
before was reasoning: a `Restart`). A tag between quotation marks or back-ticks is text, so a
document that is about such tags can be quoted.
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


_TAG = re.compile(r"<(/?)\s*(?:think(?:ing)?|thoughts?|reasoning)\s*>", re.IGNORECASE)
_LONGEST_TAG = 16
_QUOTES = frozenset("\"'`„”“«»‘’‚")


@dataclass(frozen=True, slots=True)
class Restart:
    """Everything the draft has said so far was reasoning and is not part of it."""


class ReasoningFilter:
    """Takes a draft in pieces of any size; gives the same text whatever the pieces were."""

    def __init__(self) -> None:
        self._held = ""
        self._before = ""
        self._depth = 0

    def feed(self, piece: str) -> list[str | Restart]:
        """Return what is certain now: visible text, and restarts."""
        self._held += piece
        return self._release(at_end=False)

    def finish(self) -> list[str | Restart]:
        """Return what was held back; the draft has ended."""
        return self._release(at_end=True)

    def _release(self, *, at_end: bool) -> list[str | Restart]:
        events: list[str | Restart] = []
        while match := _TAG.search(self._held):
            if match.end() == len(self._held) and not at_end:
                break  # the character after it decides whether it is quoted
            events.extend(self._pass_tag(match))
        match = _TAG.search(self._held)
        certain = match.start() if match else self._certain(at_end=at_end)
        events.extend(self._visible(self._held[:certain]))
        self._held = self._held[certain:]
        return events

    def _pass_tag(self, match: re.Match[str]) -> list[str | Restart]:
        """Take the text up to and with one tag."""
        text, tag, rest = self._held[: match.start()], match[0], self._held[match.end() :]
        before = (self._before + text)[-1:]
        self._held = rest
        if before in _QUOTES and rest[:1] in _QUOTES and before and rest:
            return self._visible(text + tag)
        events = self._visible(text)
        self._before = ""
        if not match[1]:
            self._depth += 1
        elif self._depth:
            self._depth -= 1
        else:
            events = [Restart()]
        return events

    def _visible(self, text: str) -> list[str | Restart]:
        if not text:
            return []
        self._before = text[-1]
        return [] if self._depth else [text]

    def _certain(self, *, at_end: bool) -> int:
        """Return how many held characters cannot belong to a tag that is still arriving."""
        if at_end:
            return len(self._held)
        start = self._held.rfind("<")
        torn = (
            start >= 0 and len(self._held) - start < _LONGEST_TAG and ">" not in self._held[start:]
        )
        return start if torn else len(self._held)
