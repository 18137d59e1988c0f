"""Documents -> passages worth a question, each with a sentence that occurs once. Pure; seeded.

Documents are drawn in turn from each kind and length, so that neither the many nor the long crowd
out the rest; of a document, one sentence of one chunk at a time. A sentence that occurs twice in
the corpus proves nothing when it is found, and is left out.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cytat.evaluation.gold.locating import flattened
from cytat.records import Chunk, DocumentId, Span
from cytat.text.sentences import sentence_spans

SHORTEST, LONGEST = 30, 240
"""Characters of a needle: below, it is likely to occur elsewhere too; above, to be split."""
FEWEST_WORDS = 5
SPARE = 2
"""Passages drawn for each one wanted: of some, every sentence will turn out to occur twice."""
MOST_SENTENCES = 4
"""Looked at in one passage."""
_ITEM_SIGN = re.compile(r"\A(?:[-*•–]|\d{1,3}[.)]|[a-z]\))\s+")
"""The mark before a list item is not part of what it says."""
LENGTHS = 3
"""Short, middling and long documents of a kind."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a document is drawn by."""

    id: DocumentId
    kind: str
    characters: int


@dataclass(frozen=True, slots=True)
class DocumentToSample:
    """What a passage is taken from."""

    source: str
    language: str | None
    text: str
    set_apart: tuple[Span, ...]
    """Headings, running headers and footers: their text answers no question."""
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class SampledPassage:
    """A passage of a document, and the sentence in it that would have to be found."""

    source: str
    language: str | None
    heading_path: tuple[str, ...]
    passage: str
    needle: str


PassageExcerpts = list[SampledPassage]
"""One passage with some of its sentences, in the order in which they are tried."""


def draw_excerpts(
    documents: Sequence[Outline],
    read: Callable[[DocumentId], DocumentToSample],
    texts: Iterable[str],
    *,
    wanted: int,
    seed: int,
) -> tuple[SampledPassage, ...]:
    """Return so many passages, fewer where the corpus has no more; `texts` are all of it."""
    chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
    drawn = _drawn(in_turn(documents, chance), read, chance, most=wanted * SPARE)
    standing = _counted([excerpt.needle for passage in drawn for excerpt in passage], texts)
    unique = [
        [excerpt for excerpt in passage if standing[excerpt.needle] == 1] for passage in drawn
    ]
    return tuple([passage[0] for passage in unique if passage][:wanted])


def in_turn(documents: Sequence[Outline], chance: random.Random) -> list[DocumentId]:
    """Return all documents, one of each kind and length after the other, by chance within."""
    by_kind: dict[str, list[Outline]] = defaultdict(list)
    for document in sorted(
        documents, key=lambda document: (document.kind, document.characters, document.id)
    ):
        by_kind[document.kind].append(document)
    piles = [pile for kind in by_kind.values() for pile in _by_length(kind)]
    for pile in piles:
        chance.shuffle(pile)
    chance.shuffle(piles)
    deepest = max(map(len, piles), default=0)
    return [pile[at].id for at in range(deepest) for pile in piles if at < len(pile)]


def _by_length(documents: Sequence[Outline]) -> list[list[Outline]]:
    bounds = [len(documents) * at // LENGTHS for at in range(LENGTHS + 1)]
    piles = [list(documents[low:high]) for low, high in pairwise(bounds)]
    return [pile for pile in piles if pile]


def _drawn(
    order: Sequence[DocumentId],
    read: Callable[[DocumentId], DocumentToSample],
    chance: random.Random,
    *,
    most: int,
) -> list[PassageExcerpts]:
    """Return one passage of each document, then a second of each, until there are enough."""
    drawn: list[PassageExcerpts] = []
    waiting = [_passages(read, document, chance) for document in order[:most]]
    while waiting and len(drawn) < most:
        found = [(passages, next(passages, None)) for passages in waiting]
        drawn += [passage for _, passage in found if passage is not None]
        waiting = [passages for passages, passage in found if passage is not None]
    return drawn


def _passages(
    read: Callable[[DocumentId], DocumentToSample], document: DocumentId, chance: random.Random
) -> Iterator[PassageExcerpts]:
    """Yield each chunk that has a fitting sentence, by chance."""
    found = read(document)
    for chunk in chance.sample(found.chunks, len(found.chunks)):
        needles = list(_needles(found, chunk))
        chance.shuffle(needles)
        words = chunk.span.of(found.text)
        if needles:
            yield [
                SampledPassage(found.source, found.language, chunk.heading_path, words, needle)
                for needle in needles[:MOST_SENTENCES]
            ]


def _needles(document: DocumentToSample, chunk: Chunk) -> Iterator[str]:
    words = chunk.span.of(document.text)
    for sentence in sentence_spans(words):
        at = Span(chunk.span.start + sentence.start, chunk.span.start + sentence.end)
        needle = _ITEM_SIGN.sub("", flattened(sentence.of(words)), count=1)
        if _is_fitting(needle) and not any(span.overlaps(at) for span in document.set_apart):
            yield needle


def _is_fitting(needle: str) -> bool:
    """Say whether words can be a needle that a person can read and an editor can show."""
    words = sum(any(map(str.isalpha, word)) for word in needle.split())
    return SHORTEST <= len(needle) <= LONGEST and words >= FEWEST_WORDS and needle.isprintable()


def _counted(needles: Sequence[str], texts: Iterable[str]) -> dict[str, int]:
    counts = dict.fromkeys(needles, 0)
    for text in texts:
        flat = flattened(text)
        for needle in counts:
            counts[needle] += flat.count(needle)
    return counts
