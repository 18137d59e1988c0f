"""Does a question ask for all of something, or how many there are? Pure.

What is found are passages, not all there are: such an answer gives the rows and items that are like
the best, and says that it may not be complete.
"""

import re
from dataclasses import replace

from cytat.answering.scoring import ScoredUnit, is_about
from cytat.answering.survey import GENERIC_WORDS, Survey

_THINGS = (
    r"(?:faktur|rachunk|umów|umow|uchwał|uchwal|dokument|pism|wnios|paragon|przelew|zamówie|zamowie"
    r"|skarg|protoko|pozycj|wpis|zakup|invoice|contract|document|letter|resolution|payment|order"
    r"|receipt|error code|code|entr|record|purchase)"
)
_ASKS_FOR_ALL = re.compile(
    rf"\b(?:które|ktore|których|ktorych|wszystkie|wszystkich|which|all(?: the)?) {_THINGS}"
    rf"|\b(?:ile|ilu|how many)(?: (?:jest|było|bylo|mamy|open|new|unpaid))? {_THINGS}"
    r"|\bile razy\b|\bhow many times\b|^\W*(?:wymień|wymien|wypisz|wylicz"
    r"|podaj (?:wszystkie|listę|liste)|list all|name all|lista\b)",
    re.IGNORECASE,
)
MOST_LISTED = 12
"""Rows or items of an answer that may not be complete."""


def asks_for_all(question: str) -> bool:
    """Say whether a question asks for every one of some things, or for their number.

    Papers and entries are counted; days and money are measured, and their figure is stated.
    """
    return _ASKS_FOR_ALL.search(question) is not None


def alike(survey: Survey, best: ScoredUnit) -> list[ScoredUnit]:
    """Return the rows or items of the best one's passage that hold its words of the question.

    The best alone, where it is a sentence.
    """
    if not (best.unit.is_row or best.unit.is_item):
        return [best]
    shared = [
        group
        for group in survey.query.content
        if group.surface not in GENERIC_WORDS and is_about(group, best.unit.terms)
    ]
    form = (best.unit.is_row, best.unit.is_item)
    return [
        replace(best, unit=unit)
        for unit in best.reading.units
        if (unit.is_row, unit.is_item) == form and all(is_about(one, unit.terms) for one in shared)
    ][:MOST_LISTED]
