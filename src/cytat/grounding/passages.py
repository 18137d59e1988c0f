"""Hit -> the units of it that can be quoted: sentences, table rows, list items, with their spans.

Spans point into the document's canonical text and slice to the unit, without surrounding blanks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cytat.grounding.claims import Claims, claims_of
from cytat.grounding.words import content_stems
from cytat.query.analyser import terms_of
from cytat.query.language import detect_language
from cytat.records import Hit, Span
from cytat.text.sentences import sentence_spans

_ROW = re.compile(r"\s*\|.*\|\s*|[^|\t]+(?:\t|\s\|\s)[^|\t]+(?:(?:\t|\s\|\s)[^|\t]*)+")
_ITEM = re.compile(r"(?:[-*•–—+]|\(?\d{1,3}[.)]|\(?[a-z]{1,2}[.)])\s")
_RULE = re.compile(r"[\s|:\-+=_*~`]*")
_MARKUP_HEADING = re.compile(r"\s*#{1,6}\s")


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


@lru_cache(maxsize=256)
def read_passage(hit: Hit) -> Reading:
    """Return the units of a hit and what can be compared of them."""
    heading = " ".join((hit.title, *hit.heading_path))
    language = detect_language(hit.text) or detect_language(heading)
    units = tuple(
        Unit(
            text=span.of(hit.text),
            span=Span(hit.span.start + span.start, hit.span.start + span.end),
            is_row=bool(_ROW.fullmatch(span.of(hit.text))),
            is_item=bool(_ITEM.match(span.of(hit.text))),
            stems=frozenset(content_stems(span.of(hit.text), language)),
            terms=terms_of(span.of(hit.text), language),
            claims=claims_of(span.of(hit.text)),
        )
        for span in _unit_spans(hit.text)
    )
    stems = frozenset(content_stems(heading, language))
    terms = terms_of(heading, language)
    return Reading(hit, language, units, terms, stems, claims_of(heading))


def _unit_spans(text: str) -> Iterator[Span]:
    """Yield spans of what can be quoted; rules of tables and markup headings state nothing."""
    for span in sentence_spans(text):
        words = span.of(text)
        if not (_RULE.fullmatch(words) or _MARKUP_HEADING.match(words)):
            yield span
