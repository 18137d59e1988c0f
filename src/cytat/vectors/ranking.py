"""Query vector -> chunks ranked by cosine. Exact: every vector that may be a hit is looked at."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cytat.analysis.places import SCORE_DECIMALS, Places, PlaceSet, best_places, spread_of
from cytat.errors import BackendError, VectorSpaceError
from cytat.protocols import Spread, Vectors
from cytat.vectors.blocks import Cosines, VectorBlocks

GATHERED_SHARE = 0.2
"""When fewer may be found, their vectors are gathered; above, a product with all of them is
faster: benchmarks/results/vectors_speed.json."""

THREADS = min(2, os.cpu_count() or 1)
"""A product waits for memory: what two threads gain is measured in decision 0007."""

_ROUNDING = 10**-SCORE_DECIMALS

IdsOf = Callable[[Sequence[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True, eq=False)
class VectorsRanking:
    """Cosines of one question: `hits` are places with scores, best first, ties by chunk id.

    `places`, rising, and `scores`: all that could have been hits.
    """

    hits: tuple[tuple[int, float], ...]
    places: Places
    scores: Cosines

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        return len(self.places)

    def at(self, places: Sequence[int]) -> dict[int, float]:
        """Return the scores at some places, rounded; a place that may not be found is absent."""
        if not len(self.places):
            return {}
        asked = np.array(places, dtype=np.int32)
        at = np.minimum(np.searchsorted(self.places, asked), len(self.places) - 1)
        at = at[self.places[at] == asked]
        scores = self.scores[at].astype(np.float64).round(SCORE_DECIMALS)
        return dict(zip(self.places[at].tolist(), scores.tolist(), strict=True))

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched."""
        return spread_of(self.scores, searched=self.searched)


def rank_by_cosine(
    vectors: VectorBlocks,
    query_vector: Vectors,
    *,
    depth: int,
    allowed: PlaceSet | None,
    ids_of: IdsOf,
    threads: int = THREADS,
) -> VectorsRanking:
    """Rank chunks by cosine similarity.

    Args:
        vectors: of all chunks.
        query_vector: shape (dimensions,), float32, length 1.
        depth: hits wanted; fewer come back when fewer chunks are allowed.
        allowed: places that may be hits; None means all.
        ids_of: returns the ids of the chunks at some places.
        threads: that compare the vectors, and end with the search.

    Returns:
        Scores in [-1, 1], higher is nearer, rounded.

    Raises:
        VectorSpaceError: the question's vector has other dimensions.
        BackendError: it is not finite, or nothing but zeros.
    """
    if not len(vectors):
        nothing = np.empty(0, dtype=np.int32)
        return VectorsRanking((), nothing, np.empty(0, dtype=np.float32))
    _check_query(query_vector, dimensions=vectors.dimensions)
    places, scores = _scores(vectors, query_vector, allowed, threads)
    return VectorsRanking(_best(places, scores, depth, ids_of), places, scores)


def _scores(
    vectors: VectorBlocks, query_vector: Vectors, allowed: PlaceSet | None, threads: int
) -> tuple[Places, Cosines]:
    """Return the places that may be found, rising, with their cosines."""
    if allowed is None:
        places = np.arange(len(vectors), dtype=np.int32)
        return places, vectors.cosines(query_vector, threads=threads)
    if len(allowed) < GATHERED_SHARE * len(vectors):
        return allowed.places, vectors.cosines_at(allowed.places, query_vector)
    return allowed.places, vectors.cosines(query_vector, threads=threads)[allowed.places]


def _check_query(vector: Vectors, *, dimensions: int) -> None:
    if vector.shape != (dimensions,):
        raise VectorSpaceError(
            f"a question's vector has shape {vector.shape}, the corpus {dimensions} dimensions",
            hint="set the embedder back, or run `cytat reindex`",
        )
    if not np.isfinite(vector).all() or not vector.any():
        raise BackendError(
            "the encoder returned no usable vector for the question (not finite, or all zero)",
            hint="check the embedder with `cytat doctor`; search by words with --mode words",
        )


def _best(
    places: Places, scores: Cosines, depth: int, ids_of: IdsOf
) -> tuple[tuple[int, float], ...]:
    """Return the `depth` best, scores rounded, ties by chunk id."""
    if len(places) > depth:
        last = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        near = scores >= last - _ROUNDING  # what may tie with the last once it is rounded
        places, scores = places[near], scores[near]
    rounded = scores.astype(np.float64).round(SCORE_DECIMALS)
    return best_places(places, rounded, depth=depth, ids_of=ids_of)
