"""Hit -> the units of it that can be quoted: sentences, table rows, list items, with their spans.

Function words say nothing about support and are left out; numbers are `claims`' business.

Spans point into the document's canonical text and slice to the unit, without surrounding blanks.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from cytat.analysis.analyser import terms_of
from cytat.analysis.language import detect_language, stop_words
from cytat.analysis.stems import stems_of
from cytat.grounding.claims import Claims, claims_of
from cytat.records import Hit, Span
from cytat.text.folding import clean, fold
from cytat.text.sentences import sentence_spans

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?:\n])(?<=\s)[„\"(]?([^\W\d_a-ząćęłńóśźż][a-ząćęłńóśźż]{2,})")
_BETWEEN = """
    wynosi wynoszą wynosić wynosiła wynosił stanowi równa równy amounts equals procent
    procenta percent zł złotych złote złoty pln eur euro usd gbp chf
"""
_IDLE = frozenset(_BETWEEN.split())
"""Words between a thing and its amount, and units: `claims` compares what they say."""
_KIN_LETTERS = 5
"""Words that agree in so many first letters count as one: "zwolnienie" and "zwolnionych"."""


def content_stems(text: str, language: str | None) -> list[str]:
    """Return the stems of the words of `text` that carry content, in order."""
    idle = stop_words(language) if language else stop_words("pl") | stop_words("en")
    return [
        stems_of(word, language)[0]
        for word in _WORD.findall(clean(text))
        if word not in idle and word not in _IDLE and (len(word) > 1 or not word.isascii())
    ]


def is_met(stem: str, by: Collection[str]) -> bool:
    """Say whether `stem` or a word of its kin is among `by`."""
    if stem in by:
        return True
    opening = stem[:_KIN_LETTERS]
    return len(opening) == _KIN_LETTERS and any(other.startswith(opening) for other in by)


def names(text: str) -> frozenset[str]:
    """Return the folded capitalised words that do not open a sentence."""
    return frozenset(fold(clean(word)) for word in _NAME.findall(text))


_ROW = re.compile(
    r"\s*\|.*\|\s*|(?:[^|\t]*(?<!\S)\|(?!\S)){2,}[^|\t]*|[^|\t]+\t[^|\t]+(?:\t[^|\t]*)+"
)
"""Cells may be empty: the corner above the first column, a time that holds for two rows."""
_ITEM = re.compile(r"([-*•–—+]|\(?\d{1,3}[a-z]?[.)]|\(?[a-z]{1,2}[.)])\s")
_RULE = re.compile(r"[\s|:\-+=_*~`]*")
_MARKUP_HEADING = re.compile(r"\s*#{1,6}\s")


READINGS_KEPT = 1024
"""Passages whose analysis is kept: those of a sitting's last questions, at a few kilobytes each."""
LIKELY_LANGUAGES = ("pl", "en")


@dataclass(frozen=True, slots=True)
class Unit:
    """The least that is quoted: a sentence, a row, an item."""

    text: str
    span: Span
    is_row: bool
    is_item: bool
    stems: frozenset[str]
    terms: frozenset[str]
    """As the words index has them."""
    claims: Claims


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage made ready for being quoted from."""

    hit: Hit
    language: str | None
    units: tuple[Unit, ...]
    heading_terms: frozenset[str]
    heading_stems: frozenset[str]
    """Of title and heading path: they say what the passage is about and are never quoted."""
    heading_claims: Claims


def read_passage(hit: Hit) -> Reading:
    """Return the units of a hit and what can be compared of them."""
    read = _read_text(hit.text, " › ".join((hit.title, *hit.heading_path)))
    units = tuple(replace(unit, span=_moved(unit.span, hit.span.start)) for unit in read.units)
    return Reading(
        hit, read.language, units, read.heading_terms, read.heading_stems, read.heading_claims
    )


@dataclass(frozen=True, slots=True)
class _TextReading:
    """A reading whose spans count from the start of the passage."""

    language: str | None
    units: tuple[Unit, ...]
    heading_terms: frozenset[str]
    heading_stems: frozenset[str]
    heading_claims: Claims


@lru_cache(maxsize=READINGS_KEPT)
def _read_text(text: str, heading: str) -> _TextReading:
    language = detect_language(text) or detect_language(heading)
    return _TextReading(
        language,
        tuple(_unit(text, span, language) for span in _unit_spans(text)),
        index_terms(heading, language),
        frozenset(content_stems(heading, language)),
        claims_of(heading),
    )


def _unit(text: str, span: Span, language: str | None) -> Unit:
    words = span.of(text)
    return Unit(
        text=words,
        span=span,
        is_row=is_row(words),
        is_item=item_sign(words) is not None,
        stems=frozenset(content_stems(words, language)),
        terms=index_terms(words, language),
        claims=claims_of(words),
    )


def is_row(words: str) -> bool:
    """Say whether a line is a row of a table, or the rule below its head."""
    return _ROW.fullmatch(words) is not None


def item_sign(words: str) -> str | None:
    """Return the kind of sign that an item begins with: "9)" for any number; None for no item."""
    found = _ITEM.match(words)
    return re.sub(r"\d+[a-z]?", "9", re.sub(r"(?<!\d)[a-z]+", "a", found[1])) if found else None


def index_terms(text: str, language: str | None) -> frozenset[str]:
    """Return index terms; a text too short to tell its language is read in each of ours."""
    languages = (language,) if language else LIKELY_LANGUAGES
    return frozenset[str]().union(*(terms_of(text, one) for one in languages))


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _unit_spans(text: str) -> Iterator[Span]:
    """Yield spans of what can be quoted; rules of tables and markup headings state nothing."""
    for span in sentence_spans(text):
        words = span.of(text)
        if not (_RULE.fullmatch(words) or _MARKUP_HEADING.match(words)):
            yield span
