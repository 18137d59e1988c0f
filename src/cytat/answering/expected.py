"""What kind of thing does a question ask for, and does a text hold one? Pure.

Only shapes are known: a number, a date, a name, a reason. A question of no known shape expects
nothing, and every sentence is as good.
"""

import re
from collections.abc import Iterable
from enum import StrEnum


class Expected(StrEnum):
    """What kind of thing a question asks for."""

    AMOUNT = "amount"
    """Of money, or a rate."""
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    REASON = "reason"
    EMAIL = "email"
    PHONE = "phone"
    TAX_NUMBER = "tax number"
    REGISTER_NUMBER = "register number"
    ACCOUNT = "account"
    ADDRESS = "address"
    TIME = "time"
    """Of day."""
    ANYTHING = "anything"


_WHICH = (
    r"^\W*(?:jak(?:i|a|ie|ą)|podaj|what(?:'s| is| are)?|give me)?\s*(?:jest|są|the|ma|nasz\w*)?\s*"
)
"""How a question for a line of contact begins, or nothing of it."""
_ASKED: tuple[tuple[Expected, re.Pattern[str]], ...] = (
    (Expected.EMAIL, re.compile(
        _WHICH + r"(?:adres\w*\s)?(?:e-?mail|mail)\w*", re.IGNORECASE)),
    (Expected.PHONE, re.compile(
        _WHICH + r"(?:numer\w*\s)?(?:telefon\w*|tel\b|infolini\w+|(?:tele)?phone|fax)"
        r"|\bnumer\w* telefonu\b|\bphone number\b", re.IGNORECASE)),
    (Expected.TAX_NUMBER, re.compile(
        _WHICH + r"(?:numer\w*\s)?(?:nip\b|vat (?:id|number)|tax (?:id|number))", re.IGNORECASE)),
    (Expected.REGISTER_NUMBER, re.compile(
        _WHICH + r"(?:numer\w*\s)?(?:regon|krs|pesel)\b", re.IGNORECASE)),
    (Expected.ACCOUNT, re.compile(
        _WHICH + r"(?:(?:numer\w*|nr)\s)?(?:kont[aoe]|rachun\w+ bankow\w+|iban"
        r"|(?:bank )?account number)\b|\b(?:numer|nr) (?:konta|rachunku)\b", re.IGNORECASE)),
    (Expected.ADDRESS, re.compile(
        _WHICH + r"(?:adres(?! e-?mail)|siedzib|(?:postal )?address)\w*", re.IGNORECASE)),
    (Expected.TIME, re.compile(
        r"\bo kt[óo]rej(?: godzinie)?\b|\b(?:w jakich|jakie są) godzin\w+|\bod kt[óo]rej\b"
        r"|\bdo kt[óo]rej\b|^\W*godziny\b|\bwhat time\b|\bopening hours\b", re.IGNORECASE)),
    (Expected.DATE, re.compile(
        r"\bkiedy\b|\bod kiedy\b|\bdo kiedy\b|\bw (?:którym|jakim) (?:roku|dniu|wieku|miesiącu)"
        r"|\bktórego dnia\b|\bw (?:jakich|których) latach\b|\bdata\b|\bwhen\b"
        r"|\b(?:what|which) (?:year|date|day|month|century)\b|\bsince when\b", re.IGNORECASE)),
    (Expected.AMOUNT, re.compile(
        r"\bile (?:\w+ )?(?:do zapłaty|do zaplaty|vat|netto|brutto)\b"
        r"|\bile (?:\w+ )?(?:kosztuj\w+|kosztowa\w+|płac\w+|zapłac\w+|dopłac\w+|zarabia\w*)"
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
    r"\b(?:jed(?:en|n[aey]\w*)|dw(?:a|ie|óch|u|oma)|dwukrotn\w+|trz(?:y|ech|ema)|trzykrotn\w+"
    r"|czter(?:y|ech|ema)|pię(?:ć|ciu)|sześ(?:ć|ciu)|siedem|siedmiu|osiem|ośmiu|dziewię(?:ć|ciu)"
    r"|dziesię(?:ć|ciu)|\w+na(?:ście|stu)|dwadzieścia|\w+dziesi(?:ąt|ęciu)|\w+dzie(?:ści"
    r"|stu)\w*|stu?"
    r"|dwieście|dwustu|trzy(?:sta|stu)|czter(?:ysta|ystu)|(?:pięć|sześć|siedem|osiem|dziewięć)set"
    r"|(?:pięciu|sześciu|siedmiu|ośmiu|dziewięciu)set|tysi[ąę]c\w*|milion\w*|miliard\w*"
    r"|kilka\w*|kilku\w*|pół|półtor\w+|połow\w+|raz|żad\w+|one|two|three|four|five|six"
    r"|seven|eight|nine"
    r"|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?"
    r"|thousands?|millions?|billions?|dozen|once|twice|half|none)\b"
)
_HELD: dict[Expected, re.Pattern[str]] = {
    Expected.AMOUNT: re.compile(
        r"\d[¹²³⁰⁴-⁹]{0,2}\s?(?:zł|złot\w+|pln|eur|euros?|usd|gbp|chf|€|\$|£|zlot\w+|pounds?|pence"
        r"|dollars?|cents?"
        r"|%|proc\w*|per ?cent)|[$€£]\s?\d|(?<!\d)(?<!\d[.,])\d[\d \u00a0]*[.,]\d\d(?![\d.])(?!,\d)"
        rf"|\d (?:million|billion|tys\.|mln|mld|tysi|milion|miliard)"
        rf"|{_NUMBER_WORD}\s(?:złot\w+|zł|euro|proc\w*|per ?cent|pounds?|dollars?)"
        r"|bezpłatn|darmow|free of charge|no charge",
        re.IGNORECASE),
    Expected.NUMBER: re.compile(rf"\d|{_NUMBER_WORD}", re.IGNORECASE),
    Expected.DATE: re.compile(
        r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}\b|\b(?:stycz\w+|lut(?:y|ego|ym)"
        r"|mar(?:zec|ca|cu)"
        r"|kwie(?:cień|tnia|tniu)|maj[au]?|czerw(?:iec|ca|cu)|lip(?:iec|ca|cu)|sierp\w+|wrześ\w+"
        r"|październik\w*|listopad\w*|grud(?:zień|nia|niu))\b|\b(?:January|February|March"
        r"|April|May|June|July|August|September|October"
        r"|November|December)\b|\b(?:roku|wieku|dniu|dni|century|year|day|month|semester)s?\b"
        r"|\b[XVI]+ w\.",
        re.IGNORECASE),
    Expected.EMAIL: re.compile(r"\w@\w"),
    Expected.PHONE: re.compile(
        r"(?<![\w,/-])(?<!\d )(?:\+\d\d[ -]?)?(?:\(?\d{2,5}\)?[ -])?\d{2,4}[ -]\d{2,4}"
        r"(?:[ -]\d{2,4})?(?![\w/-]| \d)|(?<![\w,/-])\d{9}(?![\w/-])"),
    Expected.TAX_NUMBER: re.compile(
        r"(?<!\d)(?:\d{3}-\d{3}-\d\d-\d\d|\d{3}-\d\d-\d\d-\d{3}|\d{10}|\d{3} \d{4} \d\d)(?!\d)"),
    Expected.REGISTER_NUMBER: re.compile(r"(?<!\d)\d{9,14}(?!\d)"),
    Expected.ACCOUNT: re.compile(
        r"(?:\d{4}[ -]?){4,7}|(?<!\d)\d{8}(?!\d)|[A-Z]{2}\d\d (?:\w{4} ?){3}"),
    Expected.ADDRESS: re.compile(
        r"\b(?:ul|al|pl|os)\.\s|\b\d\d-\d{3}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b"
        r"|\d+[a-z]? (?:[A-Z]\w+ ){1,3}(?:Street|Road|Lane|Avenue)"),
    Expected.TIME: re.compile(
        r"(?<!\d)[012]?\d[.:][0-5]\d(?![.\d])|\bgodz\w*\.? |\d ?[ap]\.?m\b|o'clock|\bnoon\b",
        re.IGNORECASE),
    Expected.NAME: re.compile(r"(?<=[\w,)„\"] )[„\"(]?[^\W\d_a-ząćęłńóśźż]\w+"),
    Expected.REASON: re.compile(
        r"\b(?:ponieważ|gdyż|bowiem|bo|dlatego|wskutek|powod\w+|przyczyn\w+|z uwagi|ze względu|aby"
        r"|żeby|w wyniku|because|since|due to|therefore|so that|in order|caused?|reason)\b",
        re.IGNORECASE),
}  # fmt: skip


_ASKS_OTHERWISE = re.compile(
    r"^\W*(?:(?:a|i|od|do|z|za|na|w|o|po|dla|and|in|on|for|at|to|by|from|of)\s+)?"
    r"(?:(?P<name>kto|kogo|komu|kim|czyj\w*|gdzie|who|whom|whose|where)"
    r"|(?P<reason>dlaczego|czemu|why)"
    r"|(?P<other>czy|co|czego|czemu|czym"
    r"|jak(?! (?:długo|często|wiele|daleko|wysok\w+|duż\w+|star\w+)\b)|can|could|may"
    r"|do (?:i|we|you|they|the|all|any)"
    r"|must|should|does|did|is|are|was|were|has|have|will|would"
    r"|how(?! (?:much|many|long|often|far|old|tall|high|big|large)\b)"
    r"|what (?:does|do|did|happens|if)))\b",
    re.IGNORECASE,
)
"""Questions for a person, a place, a way or a yes, whatever else their words are about."""
_ASKS_HOW_MUCH = re.compile(r"\b(?:ile|ilu|iloma|how (?:much|many))\b", re.IGNORECASE)


def expected_of(question: str) -> Expected:
    """Return what kind of thing the question asks for."""
    otherwise = _ASKS_OTHERWISE.match(question)
    if otherwise and not _ASKS_HOW_MUCH.search(question):
        kinds = {"name": Expected.NAME, "reason": Expected.REASON, "other": Expected.ANYTHING}
        return kinds[otherwise.lastgroup or "other"]
    for expected, asked in _ASKED:
        if asked.search(question):
            return expected
    return Expected.ANYTHING


def holds_expected(expected: Expected, sentence: str) -> bool:
    """Say whether a sentence holds a thing of that kind."""
    pattern = _HELD.get(expected)
    if expected is Expected.NUMBER:
        sentence = _NAMED_FIGURES.sub(" ", sentence)
    return pattern is None or pattern.search(sentence) is not None


CONTACTS = frozenset({
    Expected.EMAIL, Expected.PHONE, Expected.TAX_NUMBER, Expected.REGISTER_NUMBER, Expected.ACCOUNT,
    Expected.ADDRESS,
})  # fmt: skip
"""Lines of a letterhead or a contact page: short, and about whom the lines around them name."""
_ONE_SHAPE = CONTACTS - {Expected.ADDRESS}
"""Numbers and addresses that are written in one way, so that a text without one cannot answer."""
_NAMED_FIGURES = re.compile(
    r"\b(?:w|rok\w*|in|year|z dnia|nr|no\.?|§|art\.?|ust\.?|pkt|poz\.)"
    r"\s(?:1[89]|20)?\d{1,4}\b(?!,\d|\s\d{3})"
    r"|\b(?:1[89]|20)\d\d(?= (?:r\.|rok))|\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b"
    r"|(?:[^\W\d_]{1,6}[-/ ])?\b\d{1,6}(?:/\d{1,6})+|\b\d\d-\d{3}\b|\b\d{3}-\d{2,3}-\d\d-\d{2,3}\b"
    r"|(?:\d{2,4} ){3,6}\d{2,4}|\b\d{9,}\b"
    r"|^(?:§\s?)?\d{1,3}(?:\.\d{1,3})*[.)]\s",
    re.IGNORECASE,
)
"""Figures that count nothing: of years, dates, articles, invoices and items."""
CERTAIN = frozenset({*CONTACTS, Expected.AMOUNT, Expected.DATE, Expected.TIME, Expected.NUMBER})
"""Kinds whose shape tells: of two sentences, the one that holds it is nearer to an answer."""


def lacks_figure(question: str, quotes: Iterable[str]) -> bool:
    """Say whether a question asks how much or how many, or for a number, and no quote holds one.

    Digits, words and "free of charge" all count. Other questions may be answered without a figure,
    even where they name a price or a date.
    """
    expected = expected_of(question)
    if expected in _ONE_SHAPE:
        kinds: tuple[Expected, ...] = (expected,)
    elif _ASKS_HOW_MUCH.search(question):
        kinds = (expected,) if expected is Expected.AMOUNT else (Expected.AMOUNT, Expected.NUMBER)
    else:
        return False
    return not any(holds_expected(kind, quote) for quote in quotes for kind in kinds)
