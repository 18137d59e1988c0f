"""Words and vectors -> hits, slow and from the formulas alone: what other back-ends must equal.

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
from typing import Self

import numpy as np

from cytat.analysis.filters import Facts, asked_of, holds
from cytat.analysis.places import SCORE_DECIMALS
from cytat.backends.memory.state import KeptChunk, KeptDocument, MemoryState
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Allowed, ScoredChunk, Spread, Vectors
from cytat.records import ChunkId, Condition, DocumentId, Query, TermGroup

_LENGTH_TOLERANCE = 1e-3
"""Far above what rounding does to a unit vector, far below a vector left as a model made it."""


@dataclass(frozen=True, slots=True)
class AllowedInMemory:
    """The documents that a filter keeps; see `protocols.Allowed`."""

    ids: frozenset[DocumentId]
    chunk_ids: frozenset[ChunkId]

    @classmethod
    def of(cls, allowed: Allowed) -> Self:
        """Return what a moment of this back-end has returned.

        Raises:
            TypeError: it is another back-end's.
        """
        if not isinstance(allowed, cls):
            raise TypeError(f"{type(allowed).__name__} is not of this back-end")
        return allowed

    @property
    def documents(self) -> int:
        """How many documents it keeps."""
        return len(self.ids)

    @property
    def chunks(self) -> int:
        """How many chunks these have."""
        return len(self.chunk_ids)


def allowed_by(state: MemoryState, conditions: Sequence[Condition]) -> AllowedInMemory:
    """Return the documents that satisfy all conditions."""
    kept = [document for document in state.documents.values() if _holds_all(document, conditions)]
    return AllowedInMemory(
        frozenset(document.record.id for document in kept),
        frozenset(chunk.chunk.id for document in kept for chunk in document.chunks),
    )


def _holds_all(document: KeptDocument, conditions: Iterable[Condition]) -> bool:
    record = document.record
    facts = Facts(record.source, record.title, record.media_type, record.language, record.metadata)
    return all(holds(condition, asked_of(condition.key, facts)) for condition in conditions)


class ScoredInMemory:
    """One ranker's scores of what may be a hit; see `protocols.Scored`."""

    def __init__(self, scores: Mapping[ChunkId, float], *, depth: int, searched: int) -> None:
        """Take the scores of all chunks that have one; the best `depth` are hits."""
        self._scores = scores
        self._searched = searched
        best = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
        self._hits = tuple(ScoredChunk(*scored) for scored in best[:depth])

    @property
    def hits(self) -> Sequence[ScoredChunk]:
        """The best; scores never rise, ties by chunk id."""
        return self._hits

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        return self._searched

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks, rounded; one that has none is absent."""
        return {
            chunk_id: round(self._scores[chunk_id], SCORE_DECIMALS)
            for chunk_id in chunk_ids
            if chunk_id in self._scores
        }

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched; one without a score counts 0."""
        if not self._searched:
            return Spread(0.0, 0.0)
        without = [0.0] * (self._searched - len(self._scores))
        scores = [*self._scores.values(), *without]
        mean = math.fsum(scores) / len(scores)
        deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
        return Spread(mean, deviation if deviation >= 10**-SCORE_DECIMALS else 0.0)


def cosines(chunks: Iterable[KeptChunk], question: Vectors) -> dict[ChunkId, float]:
    """Return the cosine of each chunk that has a vector, rounded so that equal chunks tie.

    Args:
        chunks: of a corpus.
        question: shape (dimensions,), float32, length 1.

    Raises:
        VectorSpaceError: it has another number of dimensions.
        BackendError: it is not finite, or all zero.
    """
    vectors = {kept.chunk.id: kept.vector for kept in chunks if kept.vector is not None}
    for vector in vectors.values():
        if vector.shape != question.shape:
            raise VectorSpaceError(
                f"a question's vector has shape {question.shape}, the corpus {vector.size} "
                "dimensions",
                hint="set the embedder back, or run `cytat reindex`",
            )
    if vectors and not (np.isfinite(question).all() and question.any()):
        raise BackendError(
            "the encoder returned no usable vector for the question (not finite, or all zero)",
            hint="check the embedder with `cytat doctor`; search by words with --mode words",
        )
    wide = question.astype(np.float64)
    return {
        chunk_id: round(float(vector.astype(np.float64) @ wide), SCORE_DECIMALS)
        for chunk_id, vector in vectors.items()
    }


def check_vectors(vectors: Sequence[Vectors]) -> None:
    """Refuse vectors of a document that are not of one shape, or not of length 1 (BackendError)."""
    shapes = {vector.shape for vector in vectors}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise BackendError(
            f"vectors of shapes {', '.join(map(str, sorted(shapes)))} came back for one text each",
            hint="check the embedder with `cytat doctor`",
        )
    lengths = [float(np.linalg.norm(vector.astype(np.float64))) for vector in vectors]
    if not all(abs(length - 1) < _LENGTH_TOLERANCE for length in lengths):  # false for NaN too
        raise BackendError(
            "the encoder returned a vector that is not finite or not of length 1",
            hint="check the embedder with `cytat doctor`",
        )


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
