"""Does a unit state anything, read alone? Pure.

Titles, labels, heads of tables, lines of contents, the head of a mail and bare numbers of articles
name things and state nothing. They are quoted beside what they belong to, never alone.
"""

import re

from cytat.grounding import Reading, Unit

LABEL_CHARACTERS = 60
"""A line so short that ends without a stop and gives no figure is a title or a label."""
FEWEST_RECORD_LINES = 2
"""Two lines such as "Total: 435.60" make a passage that is read as a whole."""

_NUMBERING = re.compile(
    r"(?:(?:art|artykuł|article|ust|pkt|lit|par|section|clause|rozdział|chapter|dział|annex|załącznik)\b"
    r"|§|\d{1,4}[¹²³⁰⁴-⁹]*[a-z]?\b|[.,()\s*_–-]|\b[ivxlc]+\b)+",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:§\s?)?(?:\d{1,3}[a-z]?(?:\.\d{1,3})*|[ivxlc]{1,6})[.)]?\s+", re.IGNORECASE
)
"""The number that a title or an item begins with."""
_EMPHASIS = re.compile(r"^[*_#\s]+|(?:[*_\s]|(?<=\s)[.…])+$")
_LEADERS = re.compile(r"(?:\.[ ]?){4,}\s*\d*\s*$|…\s?\d+\s*$")
"""Dots up to the number of a page: a line of a table of contents."""
_MAIL_LINE = re.compile(
    r"(?m)^(?:from|to|cc|date|sent|subject|od|do|dw|data|wysłano|temat)[ \t]*:", re.IGNORECASE
)
FEWEST_MAIL_LINES = 3
"""So many lines of sender, receiver, date and subject are the head of a mail."""
_FRONT_MATTER = re.compile(r"\+\+\+|---\s*\n\w+\s*:")
_STATES_VALUE = re.compile(r"[^\s:|]:\s+\S")
_RULE_BELOW = re.compile(r"\s*\n[|\s:]*-[-|\s:]*\n")
_FRONT_MATTER_TITLE = re.compile(r"title\s*:", re.IGNORECASE)
_FINAL = (".", "!", "?", ";", ":", "…")


def stands_alone(reading: Reading, unit: Unit) -> bool:
    """Say whether a unit states something without what stands around it."""
    return not (
        _NUMBERING.fullmatch(unit.text)
        or _LEADERS.search(unit.text)
        or _is_of_mail_head(reading, unit)
        or _FRONT_MATTER.match(unit.text)
        or is_label(reading, unit)
        or is_head_of_table(reading, unit)
        or _is_left_open(reading, unit)
    )


def _is_of_mail_head(reading: Reading, unit: Unit) -> bool:
    if not _MAIL_LINE.match(unit.text):
        return False
    return len(_MAIL_LINE.findall(reading.hit.text)) >= FEWEST_MAIL_LINES


def is_label(reading: Reading, unit: Unit) -> bool:
    """Say whether a unit is a title or label: the document's own, in capitals, or bare words."""
    words = _bare(unit.text)
    titles = {_bare(one) for one in (reading.hit.title, *reading.hit.heading_path)}
    if words in titles or _is_title_of_front(reading, unit):
        return True
    if unit.is_row or words.endswith(_FINAL):
        return False
    if words.isupper() or _opens_in_capitals(reading, unit):
        return True
    if unit.is_item and not _is_numbered_title(reading, unit):
        return False
    words = _NUMBERED.sub("", words, count=1)
    states = any(sign.isdigit() for sign in words) or _STATES_VALUE.search(words)
    return len(words) < LABEL_CHARACTERS and not states


def _bare(text: str) -> str:
    """Return the words of a line without emphasis and breaks."""
    return " ".join(_EMPHASIS.sub("", text).split())


def _opens_in_capitals(reading: Reading, unit: Unit) -> bool:
    """Say whether a passage's first unit begins with a line in capitals, as a document's title."""
    if unit is not reading.units[0]:
        return False
    first, *others = unit.text.strip().splitlines()
    words = [word for word in first.split() if word.isalpha()]
    return bool(others) and len(words) > 1 and all(word.isupper() for word in words)


def _is_numbered_title(reading: Reading, unit: Unit) -> bool:
    """Say whether a numbered line is the title of what follows: no item stands next to it."""
    at = reading.units.index(unit)
    follows = reading.units[at + 1 : at + 2]
    is_among_items = any(one.is_item for one in reading.units[max(0, at - 1) : at] + follows)
    return bool(_NUMBERED.match(unit.text) and follows) and not is_among_items


def is_head_of_table(reading: Reading, unit: Unit) -> bool:
    """Say whether a row names the columns: a rule follows, or it is the first and has no figure."""
    if not unit.is_row:
        return False
    at = reading.units.index(unit)
    if at and reading.units[at - 1].is_row:
        return False
    if _RULE_BELOW.match(reading.hit.text, unit.span.end - reading.hit.span.start):
        return True
    follows = reading.units[at + 1 : at + 2]
    has_figure = any(sign.isdigit() for sign in unit.text)
    return bool(follows and follows[0].is_row) and not has_figure


def is_record(reading: Reading) -> bool:
    """Say whether a passage is a list of names and values, such as an invoice or its entry."""
    lines = sum(_STATES_VALUE.search(unit.text) is not None for unit in reading.units)
    return lines >= FEWEST_RECORD_LINES and 2 * lines >= len(reading.units)


def _is_title_of_front(reading: Reading, unit: Unit) -> bool:
    is_front = reading.hit.text.startswith("---") and not reading.hit.span.start
    return is_front and _FRONT_MATTER_TITLE.match(unit.text) is not None


def _is_left_open(reading: Reading, unit: Unit) -> bool:
    """Say whether a unit introduces a list of which its passage has nothing."""
    return unit.text.endswith(":") and reading.units[-1] is unit
