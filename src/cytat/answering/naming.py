"""Question + hits -> the place that the question only names: "Art. 43", "FV/2025/09/0143". Pure.

Such a question asks for nothing in particular. What the document says there is the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.answering.scoring import is_about
from cytat.answering.survey import GENERIC_WORDS, Survey
from cytat.grounding import index_terms, read_passage
from cytat.records import Hit, TermGroup

MOST_NAMING_WORDS = 3
"""A heading asked for by its words has seldom more; longer questions ask for something."""
REFERENCE_WORDS = frozenset(
    ("art", "artykuł", "article", "ust", "pkt", "par", "paragraf", "section", "sekcja", "rozdział",
     "form", "formularz", "faktura", "invoice", "nr", "no")
)  # fmt: skip
"""With a number they name a place in a text, or a paper."""


@dataclass(frozen=True, slots=True)
class Named:
    """The best hit at the place that is named, and how deep the heading lies that names it."""

    hit: Hit
    depth: int
    """How many elements of the hit's heading path lead there; 0: the passage names itself."""


def named_place(survey: Survey, hits: Sequence[Hit]) -> Named | None:
    """Return the place that a question only names; None for a question that asks for something.

    "What is form PHD-07?" names a form, too: all its words of content do.
    """
    content = [group for group in survey.query.content if group.surface not in GENERIC_WORDS]
    if not content or not (_is_bare(survey, content) or all(map(_refers, content))):
        return None
    places = [Named(hit, depth) for hit in hits if (depth := _depth_of(hit, content)) is not None]
    under_heading = [place for place in places if place.depth]
    return next(iter((*under_heading, *places)), None)


def heading_terms(heading: str, hit: Hit) -> frozenset[str]:
    """Return the index terms of a heading above a hit."""
    return index_terms(heading, read_passage(hit).language)


def _is_bare(survey: Survey, content: Sequence[TermGroup]) -> bool:
    """Say whether nothing but a few words of content was typed."""
    is_whole = len(content) == len(survey.query.groups) and "?" not in survey.query.text
    return is_whole and len(content) <= MOST_NAMING_WORDS


def _refers(group: TermGroup) -> bool:
    return (
        group.is_identifier
        or group.surface in REFERENCE_WORDS
        or any(sign.isdigit() for sign in group.surface)
    )


def _depth_of(hit: Hit, content: Sequence[TermGroup]) -> int | None:
    """Return the depth of the heading that holds all words, 0 when the passage opens with them."""
    for depth, heading in enumerate(hit.heading_path, start=1):
        terms = heading_terms(heading, hit)
        if all(is_about(group, terms) for group in content):
            return depth
    units = read_passage(hit).units
    opens = units and all(is_about(group, units[0].terms) for group in content)
    return 0 if opens and not units[0].is_row else None
