"""Chunk -> its index terms; query -> its words with the chunks that hold each. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cytat.analysis import terms_by_passage, terms_in_order
from cytat.analysis.places import Places
from cytat.fulltext.postings import (
    MOST_FREQUENT,
    NOWHERE,
    Counts,
    Postings,
    PostingsSource,
    TermWeights,
    rarity,
    saturated,
)
from cytat.records import Chunk, TermGroup


def terms_of_chunk(chunk: Chunk, *, title: str, words: str, language: str | None) -> list[str]:
    """Return the terms of a chunk, as often as they occur.

    Args:
        chunk: has the heading path above the words, and the context before them.
        title: of the document.
        words: the chunk's own.
        language: of the document, ISO 639-1.
    """
    heading = " ".join((title, *chunk.heading_path))
    body = "\n".join(filter(None, (chunk.context, words)))
    return terms_of_words(heading, body, language)


def terms_of_words(heading: str, body: str, language: str | None) -> list[str]:
    """Return the terms of a heading, and of a body passage by passage."""
    return [*terms_in_order(heading, language), *terms_by_passage(body, language)]


MAX_WORDS = 64
"""Different words of one question that are matched, the rarest ones; more are a pasted page."""

LIFTING_CHUNKS, LIFTING_SHARE = 10, 0.05
"""An identifier names few chunks. What is in more of them ("1A" in every row of a price list) is a
word among words, and lifting its chunks would bury the others."""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionWord:
    """One word of a question: the chunks that hold it, and what it adds to their scores.

    `leading`: the places of chunks that hold an identifier as it was typed; their frequency counts
    as `MOST_FREQUENT` more.
    """

    postings: Postings
    weight: float
    leading: Places
    is_whole_identifier: bool

    def __len__(self) -> int:
        """How many chunks hold it."""
        return len(self.postings)

    def scores(self, norms: TermWeights) -> TermWeights:
        """Return what the word adds to the score of each chunk that holds it; norms of all."""
        places = self.postings.places
        return self._scored(places, self.postings.counts, norms.take(places))

    def scores_at(self, places: Places, norms: TermWeights) -> TermWeights:
        """Return what the word adds to the scores of some chunks, mostly 0.

        Args:
            places: of the chunks, rising.
            norms: of the same chunks.
        """
        at = self.postings.places.searchsorted(places)
        is_held = self.postings.places.take(at, mode="clip") == places
        counts = self.postings.counts.take(at, mode="clip") * is_held
        return self._scored(places, counts, norms)

    def highest(self, lowest_norm: float) -> float:
        """Return a bound of what the word adds to any chunk's score."""
        most = float(self.postings.counts.max())
        lead = MOST_FREQUENT if len(self.leading) else 0.0
        return (most * MOST_FREQUENT / (most + lowest_norm) + lead) * self.weight

    def is_lifting(self, chunks: int) -> bool:
        """Say whether the chunks that hold the word rank above all others."""
        most = max(LIFTING_CHUNKS, LIFTING_SHARE * chunks)
        return self.is_whole_identifier and len(self) <= most

    def _scored(self, places: Places, counts: Counts, norms: TermWeights) -> TermWeights:
        frequencies = saturated(counts, norms)
        if len(self.leading):
            frequencies += np.isin(places, self.leading) * MOST_FREQUENT
        frequencies *= self.weight
        return frequencies


def words_to_match(source: PostingsSource, groups: Sequence[TermGroup]) -> tuple[TermGroup, ...]:
    """Return the words to match, in the question's order: of very many, the rarest."""
    if len(groups) <= MAX_WORDS:
        return tuple(groups)
    counts = source.frequencies([term for group in groups for term in group.alternatives])

    def rank(at: int) -> tuple[float, int]:
        alternatives = groups[at].alternatives
        return -max(rarity(counts[term], source.chunks) for term in alternatives), at

    kept = sorted(sorted(range(len(groups)), key=rank)[:MAX_WORDS])
    return tuple(groups[at] for at in kept)


def matched(source: PostingsSource, groups: Sequence[TermGroup]) -> list[QuestionWord]:
    """Return the words that some chunk holds, in the question's order."""
    source.prepare(
        [
            term
            for group in groups
            for terms in (group.alternatives, *(() if group.is_identifier else group.parts))
            for term in terms
        ]
    )
    return [word for group in groups for word in _match(source, group) if len(word)]


def _match(source: PostingsSource, group: TermGroup) -> list[QuestionWord]:
    """Return the matches of one word; of a compound, those of its parts too."""
    own = _word(source, group.alternatives)
    if not group.is_identifier:
        return [own, *_match_parts(source, group)]
    if not len(own):
        return _match_parts(source, group)
    # Who holds the whole holds each part: the whole is never worth less than its parts.
    counts = [source.frequencies(part) for part in group.parts]
    weight = own.weight
    # `sum` adds floats in another way from Python 3.12 on.
    weight += math.fsum(
        max(rarity(count, source.chunks) for count in part.values()) for part in counts
    )
    as_typed = source.postings(group.alternatives[:1])
    return [QuestionWord(own.postings, weight, as_typed.places, is_whole_identifier=True)]


def _match_parts(source: PostingsSource, group: TermGroup) -> list[QuestionWord]:
    return [_word(source, part) for part in dict.fromkeys(group.parts)]


def _word(source: PostingsSource, terms: tuple[str, ...]) -> QuestionWord:
    found = source.postings(terms)
    weight = rarity(len(found), source.chunks)
    return QuestionWord(found, weight, NOWHERE.places, is_whole_identifier=False)
