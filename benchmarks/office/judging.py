"""A gold question and a reply -> how the reply is counted. Pure.

An answer is right when its text says all of `must_contain` and nothing of `must_not_contain`, and
it cites a right document. It is partly right when it cites a right document and says the first of
`must_contain`, which is the fact asked for, or a needle is touched by what it cites. A question for
a list or a count may also be refused, or answered with some of the entries and a note that the list
may not be complete.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from cytat.evaluation import LocatedQuestion
from cytat.records import Answer, Citation, Refusal

LISTS = frozenset({"list", "count"})
"""Groups whose honest reply, without a language model, is a list or a refusal."""
INCOMPLETE = re.compile(
    r"not be complete|incomplete|not complete|niepełn|kompletn|być pełn", re.IGNORECASE
)
"""How a note says that a list may lack entries."""


class Outcome(StrEnum):
    """How a reply is counted."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    WRONGLY_REFUSED = "wrongly refused"
    RIGHTLY_REFUSED = "rightly refused"
    BLUFFED = "bluffed"


GOOD = frozenset({Outcome.RIGHT, Outcome.RIGHTLY_REFUSED})


@dataclass(frozen=True, slots=True)
class Judged:
    """What was seen in a reply: `said` of the wanted words, `unwanted` words, right places."""

    said: tuple[str, ...]
    missing: tuple[str, ...]
    unwanted: tuple[str, ...]
    is_right_source: bool
    touches_needle: bool


def outcome_of(located: LocatedQuestion, reply: Answer | Refusal) -> Outcome:
    """Return how a reply to a question is counted."""
    gold = located.gold
    is_list = gold.group in LISTS
    if isinstance(reply, Refusal):
        is_right = is_list or not gold.is_answerable
        return Outcome.RIGHTLY_REFUSED if is_right else Outcome.WRONGLY_REFUSED
    if not gold.is_answerable:
        return Outcome.BLUFFED
    seen = judged(located, reply)
    if not seen.is_right_source:
        return Outcome.WRONG
    is_said = not seen.missing or (
        is_list and bool(seen.said) and any(INCOMPLETE.search(note) for note in reply.notes)
    )
    if is_said and not seen.unwanted:
        return Outcome.RIGHT
    is_near = gold.must_contain[0] in seen.said or seen.touches_needle
    return Outcome.PARTLY if is_near else Outcome.WRONG


def judged(located: LocatedQuestion, answer: Answer) -> Judged:
    """Return what was seen in an answer."""
    gold = located.gold
    said = tuple(words for words in gold.must_contain if says(answer.text, words))
    return Judged(
        said=said,
        missing=tuple(words for words in gold.must_contain if words not in said),
        unwanted=tuple(one for one in gold.must_not_contain if says(answer.text, one)),
        is_right_source=bool(
            {one.document_id for one in answer.citations} & {one for _, one in located.documents}
        ),
        touches_needle=_touches(located, answer.citations),
    )


def _touches(located: LocatedQuestion, citations: Iterable[Citation]) -> bool:
    places = [place for needle in located.needles for place in needle.places]
    return any(
        place.document_id == one.document_id and place.span.overlaps(one.span)
        for place in places
        for one in citations
    )


def says(text: str, words: str) -> bool:
    """Say whether a text holds these words, whole: "0 zł" is not in "50 zł", "£35" is in "£35.00".

    White space and case do not matter; a gap of several blanks separates as a cell's border does.
    """
    flat = " ".join(re.sub(r"[ \t]{2,}", " | ", text).split())
    pattern = r"\s".join(map(re.escape, words.split()))
    return re.search(_before(words) + pattern + _after(words), flat, re.IGNORECASE) is not None


def _before(words: str) -> str:
    """Return what may not stand before: a letter, a digit, digits of the same number."""
    if re.match(r"\d{3}(?!\d)", words):
        return r"(?<!\w)(?<!\d[.,\s])"
    if words[0].isdigit():
        return r"(?<!\w)(?<!\d[.,])"
    return r"(?<!\w)" if words[0].isalpha() else ""


def _after(words: str) -> str:
    """Return what may not follow: a letter, a digit, decimals that are not all 0."""
    if words[-1].isdigit():
        return r"(?!\w)(?![.,]0*[1-9])"
    return r"(?!\w)" if words[-1].isalpha() else ""
