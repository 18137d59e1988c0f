"""Query -> chunks ranked by words, written from the formula alone and slow: what others must equal.

Of a term that occurs `n` times in a chunk of `length` terms:

    saturated = n * (K1 + 1) / (n + K1 * (1 - B + B * length / mean length))
    rarity    = ln(1 + (chunks - holding + 0.5) / (holding + 0.5)), 0 when no chunk holds it

A word counts once in a chunk, by the most saturated of its alternatives, times the rarity of them
together; a compound adds those of its parts. An identifier that some chunk holds whole is worth
its own rarity and that of each part's rarest form, once saturated and `K1 + 1` times more where it
is written alike; its parts are looked for only where no chunk holds the whole. Chunks that hold
an identifier which few hold are lifted above all others.

Source:
    Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
    doi:10.1561/1500000019.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cytat.backends.memory.state import KeptChunk
from cytat.records import ChunkId, Query, TermGroup

K1, B = 1.2, 0.75
"""As usual; not tuned."""
MOST_COUNTED = 255
"""Times that a term is counted in one chunk: a count is one byte in the file of a corpus."""
MAX_WORDS = 64
"""Different words of one question that are looked for, the rarest ones."""
LIFTING_CHUNKS, LIFTING_SHARE = 10, 0.05
"""An identifier in more chunks than either is a word among words, and lifts none."""

ChunkWeights = Mapping[ChunkId, float]


@dataclass(frozen=True, slots=True)
class RankedByWords:
    """Scores above 0 of all chunks, filtered or not, and what `protocols.WordsFound` says."""

    scores: ChunkWeights
    holders: frozenset[ChunkId]
    is_decided: bool
    missing: tuple[str, ...]
    words_left_out: int


@dataclass(frozen=True, slots=True)
class _Match:
    """What one word is worth in each chunk that holds it."""

    weights: ChunkWeights
    is_whole_identifier: bool


class _Words:
    """The terms of all chunks that may be read."""

    def __init__(self, chunks: Iterable[KeptChunk]) -> None:
        self._terms = {kept.chunk.id: kept.terms for kept in chunks}
        lengths = {chunk_id: sum(terms.values()) for chunk_id, terms in self._terms.items()}
        self.count = len(lengths)
        mean = sum(lengths.values()) / self.count if any(lengths.values()) else 1.0
        self._norms = {
            chunk_id: K1 * (1 - B + B * length / mean) for chunk_id, length in lengths.items()
        }

    def holding(self, term: str) -> int:
        """Return how many chunks hold a term."""
        return sum(term in terms for terms in self._terms.values())

    def rarity(self, holding: int) -> float:
        """Return the rarity of what so many chunks hold."""
        return math.log(1 + (self.count - holding + 0.5) / (holding + 0.5)) if holding else 0.0

    def rarest(self, terms: Collection[str]) -> float:
        """Return the rarity of the rarest of some terms."""
        return max(self.rarity(self.holding(term)) for term in terms)

    def saturated(self, alternatives: Collection[str]) -> dict[ChunkId, float]:
        """Return for each chunk that holds any of these terms what the best one counts there."""
        found: dict[ChunkId, float] = {}
        for chunk_id, terms in self._terms.items():
            counts = [min(terms.get(term, 0), MOST_COUNTED) for term in alternatives]
            if any(counts):
                found[chunk_id] = max(
                    count * (K1 + 1) / (self._norms[chunk_id] + count) for count in counts
                )
        return found


def rank_words(chunks: Iterable[KeptChunk], query: Query) -> RankedByWords:
    """Score every chunk that holds a word of the question."""
    words = _Words(chunks)
    groups = _kept(words, query.content)
    matches = [match for group in groups for match in _matches(words, group)]
    is_decided = all(group.is_identifier for group in groups) and any(
        match.is_whole_identifier for match in matches
    )
    if is_decided:
        matches = [match for match in matches if match.is_whole_identifier]
    holders = _holders(words, matches)
    return RankedByWords(
        scores=_scores(matches, holders),
        holders=holders,
        is_decided=is_decided,
        missing=tuple(
            group.surface
            for group in groups
            if group.is_identifier and not words.saturated(group.alternatives)
        ),
        words_left_out=len(query.content) - len(groups),
    )


def _kept(words: _Words, groups: Sequence[TermGroup]) -> list[TermGroup]:
    """Return the rarest words, in the question's order; of equally rare ones the first."""
    if len(groups) <= MAX_WORDS:
        return list(groups)
    by_rarity = sorted(
        range(len(groups)), key=lambda at: (-words.rarest(groups[at].alternatives), at)
    )
    return [groups[at] for at in sorted(by_rarity[:MAX_WORDS])]


def _matches(words: _Words, group: TermGroup) -> list[_Match]:
    """Return the matches of a word and, but for an identifier held whole, of its parts."""
    saturated = words.saturated(group.alternatives)
    if group.is_identifier and saturated:
        return [_whole(words, group, saturated)]
    own = [] if group.is_identifier else [_match(words, saturated)]
    return own + [_match(words, words.saturated(part)) for part in dict.fromkeys(group.parts)]


def _match(words: _Words, saturated: Mapping[ChunkId, float]) -> _Match:
    rarity = words.rarity(len(saturated))
    weights = {chunk_id: count * rarity for chunk_id, count in saturated.items()}
    return _Match(weights, is_whole_identifier=False)


def _whole(words: _Words, group: TermGroup, saturated: Mapping[ChunkId, float]) -> _Match:
    alike = words.saturated(group.alternatives[:1])
    worth = words.rarity(len(saturated)) + sum(words.rarest(part) for part in group.parts)
    weights = {
        chunk_id: (count + (K1 + 1 if chunk_id in alike else 0)) * worth
        for chunk_id, count in saturated.items()
    }
    return _Match(weights, is_whole_identifier=True)


def _holders(words: _Words, matches: Iterable[_Match]) -> frozenset[ChunkId]:
    few = max(LIFTING_CHUNKS, LIFTING_SHARE * words.count)
    return frozenset(
        chunk_id
        for match in matches
        if match.is_whole_identifier and len(match.weights) <= few
        for chunk_id in match.weights
    )


def _scores(matches: Iterable[_Match], holders: frozenset[ChunkId]) -> ChunkWeights:
    scores: dict[ChunkId, float] = {}
    for match in matches:
        for chunk_id, weight in match.weights.items():
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weight
    highest = max(scores.values(), default=0.0)
    return {
        chunk_id: score + highest if chunk_id in holders else score
        for chunk_id, score in scores.items()
    }
