"""Can a unit be an answer: is it of the kind that the question asks for, and a statement? Pure.

Only shapes are known: a number, a date, a name, a reason. A question of no known shape expects
nothing, and every sentence is as good.

Titles, labels, heads of tables and bare numbers of articles name things and state nothing. They
are quoted beside what they belong to, never alone.
"""

import re
from enum import StrEnum

from cytat.grounding import Reading, Unit


class Expected(StrEnum):
    """What kind of thing a question asks for."""

    AMOUNT = "amount"
    """Of money, or a rate."""
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    ANYTHING = "anything"


_ASKED: tuple[tuple[Expected, re.Pattern[str]], ...] = (
    (Expected.DATE, re.compile(
        r"\bkiedy\b|\bod kiedy\b|\bdo kiedy\b|\bw (?:którym|jakim) (?:roku|dniu|wieku|miesiącu)"
        r"|\bktórego dnia\b|\bw (?:jakich|których) latach\b|\bdata\b|\bwhen\b"
        r"|\b(?:what|which) (?:year|date|day|month|century)\b|\bsince when\b", re.IGNORECASE)),
    (Expected.AMOUNT, re.compile(
        r"\bile (?:\w+ )?(?:kosztuj\w+|kosztowa\w+|płac\w+|zapłac\w+|dopłac\w+|zarabia\w*)"
        r"|\b(?:stawk|kwot|opłat|dopłat|koszt|wynagrodzeni)\w*|\bcen[aęąy]?\b|\bza ile\b"
        r"|\bhow much (?:money|is|are|was|were|does|do|did|will|would)\b"
        r"|\b(?:rate|price|cost|amount|fee|salary|turnover|revenue)\b", re.IGNORECASE)),
    (Expected.NUMBER, re.compile(
        r"\bile\b|\bilu\b|\biloma\b|\bjak (?:długo|często|wiele|daleko|wysok\w+|duż\w+|star\w+)\b"
        r"|\bprocent\w*|\bliczb\w+"
        r"|\bhow (?:many|much|long|often|far|old|tall|high|big|large)\b"
        r"|\b(?:percentage|wattage|number)\b", re.IGNORECASE)),
    (Expected.NAME, re.compile(
        r"\bkto\b|\bkogo\b|\bkomu\b|\bkim\b|\bczyj\w*\b|\bgdzie\b|\bskąd\b|\bdokąd\b|\bsię nazywa"
        r"|\bjak nazywa\w*|\bw (?:jakim|którym) (?:mieście|kraju|państwie|miejscu)"
        r"|\bwho\b|\bwhom\b|\bwhose\b|\bwhere\b|\bwhat is the name\b", re.IGNORECASE)),
    (Expected.REASON, re.compile(
        r"\bdlaczego\b|\bczemu\b|\bz jakiego powodu\b|\bwhy\b|\bwhat caused\b", re.IGNORECASE)),
)  # fmt: skip

_NUMBER_WORD = (
    r"\b(?:jed(?:en|n[aey])|dw(?:a|ie|óch|oma)|trz(?:y|ech)|czter(?:y|ech)|pię(?:ć|ciu)"
    r"|sześ(?:ć|ciu)|siedmiu?|ośmiu|osiem|dziewię(?:ć|ciu)|dziesię(?:ć|ciu)|\w+naście|\w+dziesiąt|sto|kilka\w*"
    r"|pół|połow\w+|raz|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|hundred|thousand|million|once|twice|half)\b"
)
_HELD: dict[Expected, re.Pattern[str]] = {
    Expected.AMOUNT: re.compile(
        r"\d[¹²³⁰⁴-⁹]{0,2}\s?(?:zł|złot\w+|pln|eur|euros?|usd|gbp|chf|€|\$|£|zlot\w+|pounds?|pence|dollars?|cents?"
        r"|%|proc\w*|per ?cent)|[$€£]\s?\d|(?<![\d.,])\d[\d \u00a0]*[.,]\d\d(?![\d.,])"
        r"|\d (?:million|billion|tys\.|mln|mld)|bezpłatn|darmow|free of charge|no charge",
        re.IGNORECASE),
    Expected.NUMBER: re.compile(rf"\d|{_NUMBER_WORD}", re.IGNORECASE),
    Expected.DATE: re.compile(
        r"\b\d{4}\b|\b\d{1,2}[./-]\d{1,2}|\b(?:stycz|lut|mar|kwie|maj|czerw|lip|sierp|wrze|paźdz"
        r"|listop|grud)\w*|\b(?:January|February|March|April|May|June|July|August|September|October"
        r"|November|December)\b|\b(?:roku|wieku|dniu|dni|century|year|day|month|semester)s?\b"
        r"|\b[XVI]+ w\.",
        re.IGNORECASE),
    Expected.NAME: re.compile(r"(?<=[\w,)„\"] )[„\"(]?[^\W\d_a-ząćęłńóśźż]\w+"),
    Expected.REASON: re.compile(
        r"\b(?:ponieważ|gdyż|bowiem|bo|dlatego|wskutek|powod\w+|przyczyn\w+|z uwagi|ze względu|aby"
        r"|żeby|w wyniku|because|since|due to|therefore|so that|in order|caused?|reason)\b",
        re.IGNORECASE),
}  # fmt: skip


def expected_of(question: str) -> Expected:
    """Return what kind of thing the question asks for."""
    for expected, asked in _ASKED:
        if asked.search(question):
            return expected
    return Expected.ANYTHING


def holds_expected(expected: Expected, sentence: str) -> bool:
    """Say whether a sentence holds a thing of that kind."""
    pattern = _HELD.get(expected)
    return pattern is None or pattern.search(sentence) is not None


LABEL_CHARACTERS = 60
"""A line so short that ends without a stop and gives no figure is a title or a label."""
FEWEST_RECORD_LINES = 2
"""Two lines such as "Total: 435.60" make a passage that is read as a whole."""

_NUMBERING = re.compile(
    r"(?:(?:art|artykuł|article|ust|pkt|lit|par|section|rozdział|chapter|dział|annex|załącznik)\b"
    r"|§|[\d.,()\s–-]|\b[ivxlc]+\b)+",
    re.IGNORECASE,
)
_STATES_VALUE = re.compile(r"[^\s:|]:\s+\S")
_RULE_BELOW = re.compile(r"\s*\n[|\s:]*-[-|\s:]*\n")
_FRONT_MATTER_TITLE = re.compile(r"title\s*:", re.IGNORECASE)
_FINAL = (".", "!", "?", ";", ":", "…")


def stands_alone(reading: Reading, unit: Unit) -> bool:
    """Say whether a unit states something without what stands around it."""
    return not (
        _NUMBERING.fullmatch(unit.text)
        or is_label(reading, unit)
        or is_head_of_table(reading, unit)
        or _is_left_open(reading, unit)
    )


def is_label(reading: Reading, unit: Unit) -> bool:
    """Say whether a unit is a title or label: the document's own, in capitals, or bare words."""
    words = " ".join(unit.text.split())
    if words in {reading.hit.title, *reading.hit.heading_path} or _is_title_of_front(reading, unit):
        return True
    if unit.is_row or unit.is_item or words.endswith(_FINAL):
        return False
    if words.isupper():
        return True
    states = any(sign.isdigit() for sign in words) or _STATES_VALUE.search(words)
    return len(words) < LABEL_CHARACTERS and not states


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
