"""What a moment of a corpus file ranks by: its words, its vectors and its filters, by chunk id."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import apsw
import numpy as np

from cytat.analysis import LANGUAGES, language_mark
from cytat.analysis.places import Mask, PlaceSet
from cytat.backends.sqlite.indexes.readable import (
    Once,
    ReadableVectors,
    ReadableWords,
    mask_of,
    readable_words,
)
from cytat.backends.sqlite.indexes.shared import SharedIndexes
from cytat.backends.sqlite.indexes.snapshot import Owners, Snapshot, SqlitePostings
from cytat.fulltext import rank_by_words
from cytat.protocols import Allowed, Scored, ScoredChunk, Spread, Vectors, WordsFound
from cytat.records import ChunkId, Condition, Query
from cytat.vectors import rank_by_cosine

SELECT_LANGUAGES = """
select distinct language
from document
where language is not null
order by language
"""


class AllowedDocuments:
    """The documents that a filter keeps, of one moment; see `protocols.Allowed`."""

    def __init__(self, snapshot: Snapshot, kept: Mask, chunks: int) -> None:
        """Take documents by place.

        Args:
            snapshot: in which they have these places.
            kept: shape (documents,).
            chunks: how many they have.
        """
        self.chunks = chunks
        """How many chunks the documents have."""
        self.snapshot = snapshot
        self.kept = kept
        self.words: Once[PlaceSet] = Once()
        self.vectors: Once[PlaceSet] = Once()

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
        return int(np.count_nonzero(self.kept))


@dataclass(frozen=True, eq=False)
class RankedChunks:
    """One ranker's scores by chunk id; see `protocols.Scored`."""

    hits: Sequence[ScoredChunk]
    searched: int
    _scores_of: Callable[[Collection[ChunkId]], Mapping[ChunkId, float]]
    _spread: Callable[[], Spread]

    def scores_of(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks; one that has none, or may not be found, is absent."""
        return self._scores_of(chunk_ids)

    def spread(self) -> Spread:
        """Return mean and deviation over all chunks searched."""
        return self._spread()


class MomentIndexes:
    """The indexes as one user sees them in the moment that a connection is in."""

    def __init__(
        self,
        connection: apsw.Connection,
        shared: SharedIndexes,
        labels: Collection[str] | None,
    ) -> None:
        """Take the moment; `labels` are the user's and "", None for the owner."""
        self._connection = connection
        self._snapshot = shared.snapshot(connection)
        self._readable = self._snapshot.readable(connection, labels)

    # ------------------------------------------------------------ counts

    def count_chunks(self) -> int:
        """Return how many chunks may be read."""
        return self._words.chunks

    def count_vectors(self) -> int:
        """Return how many of them have a vector."""
        return self._vectors.chunks

    def count_unembedded_documents(self) -> int:
        """Return how many documents have chunks without a vector."""
        return self._vectors.lacking_documents

    def languages(self) -> tuple[str, ...]:
        """Return the languages that documents and passages are in, ISO 639-1."""
        return self._readable.languages.get(self._read_languages)

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each index term how many chunks hold it."""
        return self._source.frequencies(terms)

    # ------------------------------------------------------------ ranking

    def allowed(self, conditions: Sequence[Condition]) -> AllowedDocuments:
        """Return the documents that satisfy all conditions, of those that may be read."""
        owners = self._snapshot.owners(self._connection)
        kept = self._snapshot.facts(self._connection).where(conditions)
        if self._readable.labels is not None:
            kept &= owners.readable(self._readable.labels)
        return AllowedDocuments(self._snapshot, kept, int(owners.counts[kept].sum()))

    def document_rows(self, allowed: Allowed) -> tuple[int, ...]:
        """Return the rows of the documents that a filter keeps."""
        mine = self._mine(allowed)
        owners = self._snapshot.owners(self._connection)
        return tuple(owners.documents[mine.kept].tolist())

    def by_words(self, query: Query, *, depth: int, allowed: Allowed | None) -> WordsFound:
        """Rank chunks by BM25 over the words of a question."""
        source = self._source
        within = None if allowed is None else self._places_in_words(allowed)
        found = rank_by_words(source, query, depth=depth, allowed=within)
        ids = source.ids([place for place, _ in found.hits])
        scored = RankedChunks(
            hits=tuple(ScoredChunk(ChunkId(ids[place]), score) for place, score in found.hits),
            searched=found.searched,
            _scores_of=lambda wanted: self._by_id(wanted, self._place_of_words, found.scores.at),
            _spread=found.spread,
        )
        return WordsFound(
            scored=scored,
            holders=frozenset(ChunkId(ids[place]) for place in found.holders),
            is_decided=found.is_decided,
            missing=found.missing,
            words_left_out=found.words_left_out,
        )

    def by_vector(self, vector: Vectors, *, depth: int, allowed: Allowed | None) -> Scored:
        """Rank chunks by cosine, exactly."""
        seen = self._vectors
        found = rank_by_cosine(
            seen.vectors,
            vector,
            depth=depth,
            allowed=seen.places if allowed is None else self._places_in_vectors(allowed),
            ids_of=self._ids_of_vectors,
        )
        ids = self._ids_of_vectors([place for place, _ in found.hits])
        return RankedChunks(
            hits=tuple(ScoredChunk(ChunkId(ids[place]), score) for place, score in found.hits),
            searched=found.searched,
            _scores_of=lambda wanted: self._by_id(wanted, self._place_of_vectors, found.at),
            _spread=found.spread,
        )

    # ------------------------------------------------------------ what is read once

    @cached_property
    def _source(self) -> SqlitePostings:
        return SqlitePostings(self._connection, self._snapshot, self._readable, self._words)

    @cached_property
    def _words(self) -> ReadableWords:
        def make() -> ReadableWords:
            indexed = self._snapshot.words(self._connection)
            mask = self._mask(self._snapshot.word_owners)
            return readable_words(indexed.lengths, mask)

        return self._readable.words.get(make)

    @cached_property
    def _vectors(self) -> ReadableVectors:
        return self._readable.vectors.get(self._read_vectors)

    def _read_vectors(self) -> ReadableVectors:
        loaded = self._snapshot.vectors(self._connection)
        mask, places = self._mask(self._snapshot.vector_owners), loaded.alive
        if mask is not None:
            places = PlaceSet(mask if places is None else mask & places.mask)
        return ReadableVectors(loaded.vectors, places, self._count_lacking(loaded.lacking))

    def _count_lacking(self, rows: np.ndarray) -> int:
        """Return how many documents that may be read have any of some chunks."""
        if not len(rows):
            return 0
        owners = self._snapshot.owners(self._connection)
        having = np.unique(owners.owners_of(rows))
        having = having[having >= 0]
        if self._readable.labels is not None:
            having = having[owners.readable(self._readable.labels)[having]]
        return len(having)

    def _mask(self, owners_of_places: Callable[[apsw.Connection], Owners]) -> Mask | None:
        if self._readable.labels is None:
            return None
        documents = self._snapshot.owners(self._connection).readable(self._readable.labels)
        return mask_of(documents, owners_of_places(self._connection))

    def _read_languages(self) -> tuple[str, ...]:
        of_documents = {str(code) for (code,) in self._connection.execute(SELECT_LANGUAGES)}
        marks = {language: language_mark(language) for language in LANGUAGES}
        counts = self._source.frequencies(list(marks.values()))
        of_passages = {language for language, mark in marks.items() if counts[mark]}
        return tuple(sorted(of_documents | of_passages))

    # ------------------------------------------------------------ places, rows, ids

    def _places_in_words(self, allowed: Allowed) -> PlaceSet:
        mine = self._mine(allowed)
        owners = self._snapshot.word_owners
        return mine.words.get(lambda: PlaceSet(mask_of(mine.kept, owners(self._connection))))

    def _places_in_vectors(self, allowed: Allowed) -> PlaceSet:
        mine, alive = self._mine(allowed), self._snapshot.vectors(self._connection).alive

        def make() -> PlaceSet:
            mask = mask_of(mine.kept, self._snapshot.vector_owners(self._connection))
            return PlaceSet(mask if alive is None else mask & alive.mask)

        return mine.vectors.get(make)

    def _mine(self, allowed: Allowed) -> AllowedDocuments:
        """Return what this moment, or another of its generation, has allowed."""
        mine = AllowedDocuments.of(allowed)
        if mine.snapshot is not self._snapshot:
            raise ValueError("the filter is of another moment of the corpus")
        return mine

    def _ids_of_vectors(self, places: Sequence[int]) -> Mapping[int, str]:
        keys = self._vectors.vectors.keys
        rows = keys[np.asarray(places, dtype=np.int64)].tolist()
        ids = self._snapshot.ids.ids(self._connection, rows)
        return {place: ids[row] for place, row in zip(places, rows, strict=True)}

    def _by_id(
        self,
        chunk_ids: Collection[ChunkId],
        place_of: Callable[[np.ndarray], np.ndarray],
        scores_at: Callable[[Sequence[int]], Mapping[int, float]],
    ) -> Mapping[ChunkId, float]:
        """Return the scores of some chunks by their ids."""
        rows = self._snapshot.ids.rows(self._connection, chunk_ids)
        places = place_of(np.fromiter(rows.values(), dtype=np.int64, count=len(rows))).tolist()
        known = {
            chunk_id: place for chunk_id, place in zip(rows, places, strict=True) if place >= 0
        }
        scores = scores_at(list(known.values()))
        return {
            ChunkId(chunk_id): scores[place] for chunk_id, place in known.items() if place in scores
        }

    def _place_of_words(self, rows: np.ndarray) -> np.ndarray:
        return self._snapshot.words(self._connection).places_of(rows)

    def _place_of_vectors(self, rows: np.ndarray) -> np.ndarray:
        keys = self._vectors.vectors.keys
        if not len(keys):
            return np.full(len(rows), -1)
        at = np.minimum(np.searchsorted(keys, rows), len(keys) - 1)
        return np.where(keys[at] == rows, at, -1)
