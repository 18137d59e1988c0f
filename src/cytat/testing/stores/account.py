"""A moment -> all that it says, as values that can be compared; and the comparison.

What a moment knows only of its own corpus (the generation) is left out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cytat.analysis.filters import parse_where
from cytat.protocols import Allowed, Moment, Scored, ScoredChunk, Vectors
from cytat.records import ChunkId, DocumentId, Query, Span
from cytat.testing.stores.versions import asked, unit, word

SCORE_TOLERANCE = 2e-6
"""Scores are rounded to six decimals; two roundings of the same score may be one apart."""
EVERYTHING = 1_000_000
WORDS_DEPTHS, VECTORS_DEPTHS = (EVERYTHING, 1, 4), (EVERYTHING, 3)
"""Of a shallow ranking a store may leave out what cannot be a hit; it must say the same."""

MomentAccount = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RankingQuestions:
    """What a moment is asked to rank, and within which filters."""

    queries: Sequence[Query]
    vectors: Sequence[Vectors]
    filters: Sequence[str]


ASKED = RankingQuestions(
    [asked(word("alfa")), asked(word("beta"), word("alfa"))], [unit(1, 2, 0, 0)], []
)


def account_of(moment: Moment, questions: RankingQuestions = ASKED) -> MomentAccount:
    """Return all that a moment says of its documents, of itself, and on questions."""
    chunks = [stored.chunk.id for name in moment.sources() for stored in moment.chunks(name)]
    return {
        **_of_documents(moment),
        **_of_itself(moment),
        "passages": dict(moment.passages(chunks)),
        "words hashes": dict(moment.words_hashes(chunks)),
        **{
            f"{at}. question by {ranker}, where {where}": ranking
            for where in (None, *questions.filters)
            for ranker, rankings in _rankings(moment, questions, where, chunks).items()
            for at, ranking in enumerate(rankings)
        },
    }


def _of_documents(moment: Moment) -> MomentAccount:
    sources = moment.sources()
    hashes = [stored.passage_hash for name in sources for stored in moment.chunks(name)]
    return {
        "status": moment.status(),
        "documents": tuple(moment.documents()),
        "each document": [moment.document(name) for name in sources],
        "named": [moment.resolve(source).id for source in sources.values()],
        "sources": dict(sources),
        "count": moment.count_documents(),
        "coverage": moment.coverage(),
        "outdated": [moment.count_outdated(pipeline) for pipeline in range(5)],
        "texts": [moment.text(name) for name in sources],
        "excerpts": [
            moment.excerpt(name, stored.chunk.span)
            for name in sources
            for stored in moment.chunks(name)
        ],
        "surroundings": dict(moment.surroundings({name: _spans(moment, name) for name in sources})),
        "blocks": [tuple(moment.blocks(name)) for name in sources],
        "parts": [tuple(moment.parts(name)) for name in sources],
        "fragments": [moment.fragments(name) for name in sources],
        "chunks": [tuple(moment.chunks(name)) for name in sources],
        "vectors by hash": {
            key: vector.tolist() for key, vector in sorted(moment.vectors_of(hashes).items())
        },
    }


def _spans(moment: Moment, name: DocumentId) -> list[Span]:
    """Return the spans of a document's chunks, each a few characters wider."""
    spans = [stored.chunk.span for stored in moment.chunks(name)]
    return [Span(max(span.start - 3, 0), span.end + 3) for span in spans]


def _of_itself(moment: Moment) -> MomentAccount:
    space = moment.space()
    if space is not None:
        moment.check_space(space)
    return {
        "chunks found by words": moment.count_chunks(),
        "chunks with vectors": moment.count_vectors(),
        "documents that lack vectors": moment.count_unembedded_documents(),
        "languages": tuple(moment.languages()),
        "vectors": [(name, vector.tolist()) for name, vector in moment.all_vectors()],
        "space": space,
        "next space": moment.pending_space(),
        "chunking": moment.chunking(),
        "calibration": moment.calibration(),
        "making": moment.making(),
        "folders": tuple(moment.folders()),
    }


@dataclass(frozen=True, slots=True)
class RankingAccount:
    """All that one ranking says."""

    hits: tuple[ScoredChunk, ...]
    searched: int
    scores: Mapping[ChunkId, float]
    mean: float
    deviation: float
    said: tuple[object, ...]
    """What is not a score: holders, whether it is decided, what is missing, frequencies."""


def _rankings(
    moment: Moment, questions: RankingQuestions, where: str | None, chunks: Sequence[ChunkId]
) -> Mapping[str, Sequence[RankingAccount]]:
    allowed = moment.allowed(parse_where(where))
    within = None if where is None else allowed
    size = (allowed.documents, allowed.chunks, moment.coverage(allowed))
    return {
        "words": [
            _by_words(moment, query, depth, within, chunks)
            for query in questions.queries
            for depth in WORDS_DEPTHS
        ],
        "vectors": [
            _ranking(moment.by_vector(vector, depth=depth, allowed=within), chunks, size)
            for vector in questions.vectors
            for depth in VECTORS_DEPTHS
        ],
    }


def _by_words(
    moment: Moment, query: Query, depth: int, allowed: Allowed | None, chunks: Sequence[ChunkId]
) -> RankingAccount:
    found = moment.by_words(query, depth=depth, allowed=allowed)
    terms = {term for group in query.groups for term in group.alternatives}
    frequencies = dict(sorted(moment.frequencies(terms).items()))
    said = (found.holders, found.is_decided, found.missing, found.words_left_out, frequencies)
    return _ranking(found.scored, chunks, said)


def _ranking(scored: Scored, chunks: Sequence[ChunkId], said: tuple[object, ...]) -> RankingAccount:
    spread = scored.spread()
    return RankingAccount(
        hits=tuple(scored.hits),
        searched=scored.searched,
        scores=dict(scored.scores_of(chunks)),
        mean=spread.mean,
        deviation=spread.deviation,
        said=said,
    )


def assert_alike(one: MomentAccount, other: MomentAccount) -> None:
    """Compare what two back-ends say: scores within rounding, all else exactly."""
    assert one.keys() == other.keys()
    for name, said in one.items():
        wanted = other[name]
        if isinstance(said, RankingAccount) and isinstance(wanted, RankingAccount):
            _assert_alike(name, said, wanted)
        else:
            assert said == wanted, name


def _assert_alike(name: str, one: RankingAccount, other: RankingAccount) -> None:
    assert (one.searched, one.said) == (other.searched, other.said), name
    assert one.scores.keys() == other.scores.keys(), name
    for chunk_id, score in one.scores.items():
        assert math.isclose(score, other.scores[chunk_id], abs_tol=SCORE_TOLERANCE), name
    for own, wanted in ((one.mean, other.mean), (one.deviation, other.deviation)):
        assert math.isclose(own, wanted, abs_tol=SCORE_TOLERANCE), name
    assert len(one.hits) == len(other.hits), name
    for mine, theirs in zip(_tied(one.hits), _tied(other.hits), strict=True):
        assert mine == theirs, name


def _tied(hits: Sequence[ScoredChunk]) -> list[frozenset[ChunkId]]:
    """Return the hits in order; those whose scores are alike but for rounding stand together."""
    groups: list[list[ScoredChunk]] = []
    for hit in hits:
        if not groups or groups[-1][-1].score - hit.score > SCORE_TOLERANCE:
            groups.append([])
        groups[-1].append(hit)
    return [frozenset(hit.chunk_id for hit in group) for group in groups]
