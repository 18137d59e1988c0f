"""Rankings by row -> rankings by chunk id, and what ranking holds in memory."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import apsw

from cytat.backends.sqlite.chunks import read_ids_of, read_rows_of
from cytat.protocols import Allowed, ScoredChunk, Spread
from cytat.records import ChunkId

if TYPE_CHECKING:  # who ranks nothing does not wait for numpy
    from cytat.analysis import AllowedRows, ScoredRows
    from cytat.backends.sqlite.filtering import DocumentIndex
    from cytat.backends.sqlite.vector_index import VectorIndex
    from cytat.backends.sqlite.words_index import WordsIndex


class Indexes:
    """What is in memory of a corpus for ranking: words, vectors, and what filters ask for.

    Each follows the generation and whoever looks, and may be shared between threads.
    """

    @cached_property
    def words(self) -> "WordsIndex":
        """The words index."""
        from cytat.backends.sqlite.words_index import WordsIndex  # noqa: PLC0415 - see the top

        return WordsIndex()

    @cached_property
    def vectors(self) -> "VectorIndex":
        """All vectors."""
        from cytat.backends.sqlite.vector_index import VectorIndex  # noqa: PLC0415 - see the top

        return VectorIndex()

    @cached_property
    def documents(self) -> "DocumentIndex":
        """What filters ask of documents."""
        from cytat.backends.sqlite.filtering import DocumentIndex  # noqa: PLC0415 - see the top

        return DocumentIndex()


@dataclass(frozen=True, slots=True, eq=False)
class AllowedDocuments:
    """The documents that a filter keeps; see `protocols.Allowed`."""

    document_rows: tuple[int, ...]
    rows: "AllowedRows"
    """Those of their chunks."""

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
        return len(self.document_rows)

    @property
    def chunks(self) -> int:
        """How many chunks these have."""
        return len(self.rows)


class RankedChunks:
    """One ranker's scores by chunk id; see `protocols.Scored`."""

    def __init__(
        self, connection: apsw.Connection, scored: "ScoredRows", ids: Mapping[int, ChunkId]
    ) -> None:
        """Take scores by row, and the ids of the hits."""
        self._connection = connection
        self._scored = scored
        self._hits = tuple(ScoredChunk(ids[row], score) for row, score in scored.hits)

    @property
    def hits(self) -> Sequence[ScoredChunk]:
        """The best; scores never rise, ties by chunk id."""
        return self._hits

    @property
    def searched(self) -> int:
        """How many chunks could have been hits."""
        return self._scored.searched

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks; one that has none, or may not be found, is absent."""
        rows = read_rows_of(self._connection, chunk_ids)
        scores = self._scored.scores_of(list(rows.values()))
        return {chunk_id: scores[row] for chunk_id, row in rows.items() if row in scores}

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched."""
        return Spread(self._scored.mean, self._scored.deviation)


def ids_in(
    connection: apsw.Connection, scored: "ScoredRows", others: Collection[int]
) -> Mapping[int, ChunkId]:
    """Return the ids of the hits, and of other rows."""
    return read_ids_of(connection, {*(row for row, _ in scored.hits), *others})
