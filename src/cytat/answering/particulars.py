"""Which year, name or number does a question ask about, and is the evidence about it? Pure.

"Revenue of Olcha in 2021" is not answered by Olcha's revenue of 2023, nor by Brzoza's of 2021. The
question's particulars are looked for in what is quoted, in its passage, headings and title, and in
the other passages found of the same document.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cytat.answering.identifiers import year_in
from cytat.answering.scoring import is_about
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.grounding import index_terms, read_passage
from cytat.records import Hit, TermGroup
from cytat.text.folding import clean

_YEAR = re.compile(r"(?<![\d.,/-])(?:1[89]|20)\d\d(?![\d,]|\.\d)")
_NUMBERED = re.compile(r"\b(?:nr|no\.?|number|numer)\s(\d{1,4})\b(?![/.-]\d)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"(?<![\w/.-])[^\W\d_]{1,2}\d{1,3}(?![\w/-]|\.\w)")
"""A site, a room, a quarter: "K12", "Q2"."""
SHORTEST_NAME = 3
_PLACES = """
    polska polski polsce polskę polską unia unii europa europie europy europejskiej
    poland europe european union britain england kingdom united states america
"""
EVERYWHERE = frozenset(_PLACES.split())
"""Places that a document is about without saying so."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """What of a question the evidence does not hold, and whether it is about another."""

    words: tuple[str, ...]
    is_about_another: bool
    """It gives another year or number, or the corpus knows all names asked for from elsewhere."""


def lacking(survey: Survey, quotes: Sequence[tuple[Hit, str]], hits: Sequence[Hit]) -> Lacking:
    """Return the particulars of the question that no quote's document is seen to hold.

    `quotes`: passage and quoted words; `hits`: all that was found.
    """
    years = asked_years(survey)
    lacks_year = [year for year in years if not any(_holds_year(year, *one) for one in quotes)]
    other_year = [year for year in lacks_year if all(_says_other_year(*one) for one in quotes)]
    named = [group for group in asked_names(survey) if not _is_named(group, quotes, hits)]
    is_known = any(survey.frequencies.get(group.surface, 0) for group in named)
    other_name = is_known and len(named) == len(asked_names(survey))
    numbers = [one for one in _NUMBERED.findall(survey.query.text) if not _holds(one, quotes)]
    other_number = numbers and all(
        _NUMBERED.search(f"{quote} {_about(hit)}") for hit, quote in quotes
    )
    codes = [code for code in _CODE.findall(survey.query.text) if not _holds_code(code, quotes)]
    other_code = any(_of_one_shape(code, quote) for code in codes for _, quote in quotes)
    words = (*lacks_year, *(_written(survey, group) for group in named), *numbers, *codes)
    is_another = other_year or other_name or other_number or other_code
    return Lacking(words, bool(is_another))


def asked_years(survey: Survey) -> list[str]:
    """Return the years that a question asks about."""
    found = [*_YEAR.findall(survey.query.text)]
    joined = (year_in(group.surface) for group in survey.query.content)
    return list(dict.fromkeys((*found, *filter(None, joined))))


def asked_names(survey: Survey) -> list[TermGroup]:
    """Return the words that are written as names: with a capital, and not at the beginning."""
    written = _WORD.findall(survey.query.text)[1:]
    names = {
        clean(word)
        for word in written
        if word[0].isupper() and not word.isupper() and len(word) >= SHORTEST_NAME
    }
    return [
        group
        for group in survey.query.content
        if group.surface in names and group.surface not in GENERIC_WORDS | EVERYWHERE
    ]


def _written(survey: Survey, group: TermGroup) -> str:
    """Return a word as the question has it."""
    words = _WORD.findall(survey.query.text)
    return next((word for word in words if clean(word) == group.surface), group.surface)


def _about(hit: Hit) -> str:
    """Return what says what a passage is about: its headings, its title, its file's name."""
    return " ".join((hit.title, *hit.heading_path, hit.source.rsplit("/", 1)[-1]))


def _holds_year(year: str, hit: Hit, quote: str) -> bool:
    return any(year in text for text in (quote, hit.text, _about(hit)))


def _says_other_year(hit: Hit, quote: str) -> bool:
    """Say whether what is quoted, or the document's name, gives a year."""
    return bool(_YEAR.search(quote) or _YEAR.search(_about(hit)))


def _holds(number: str, quotes: Iterable[tuple[Hit, str]]) -> bool:
    whole = re.compile(rf"(?<![\d.,/]){number}(?![\d,/]|\.\d)")
    return any(
        whole.search(text) for hit, quote in quotes for text in (quote, hit.text, _about(hit))
    )


def _holds_code(code: str, quotes: Iterable[tuple[Hit, str]]) -> bool:
    whole = re.compile(rf"\b{code}\b", re.IGNORECASE)
    return any(
        whole.search(text) for hit, quote in quotes for text in (quote, hit.text, _about(hit))
    )


def _of_one_shape(code: str, quote: str) -> bool:
    """Say whether a quote has another code with the same letters: K05 where K12 is asked for."""
    letters = code.rstrip("0123456789")
    return re.search(rf"\b{letters}\d{{1,3}}\b", quote, re.IGNORECASE) is not None


def _is_named(group: TermGroup, quotes: Sequence[tuple[Hit, str]], hits: Sequence[Hit]) -> bool:
    """Say whether a passage that is quoted, or another of its document, holds a name."""
    documents = {hit.document_id for hit, _ in quotes}
    return any(is_about(group, _terms(hit)) for hit in hits if hit.document_id in documents) or any(
        is_about(group, index_terms(quote, read_passage(hit).language)) for hit, quote in quotes
    )


def _terms(hit: Hit) -> frozenset[str]:
    reading = read_passage(hit)
    about = index_terms(_about(hit), reading.language)
    return about.union(reading.heading_terms, *(unit.terms for unit in reading.units))
