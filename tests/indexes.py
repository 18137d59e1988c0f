"""Words and vectors of chunks by row, for tests of the SQLite back-end's indexes."""

from collections.abc import Iterable, Sequence

import apsw
import numpy as np
from tests.stores import Store

from cytat.analysis.places import PlaceSet
from cytat.backends.sqlite.chunks import read_rows_of
from cytat.backends.sqlite.index_writing import ChunkTerms, write_vectors
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.indexes.readable import EVERYTHING, ReadableIndexes, readable_words
from cytat.backends.sqlite.indexes.snapshot import SqlitePostings
from cytat.fulltext import WordsRanking, rank_by_words, terms_of_words
from cytat.protocols import Spread, Vectors
from cytat.records import ChunkId, DocumentId, Query
from cytat.vectors import rank_by_cosine

Hits = tuple[tuple[int, float], ...]
"""Rows of chunks, with scores."""


def chunk_words(row: int, heading: str, body: str, language: str | None) -> ChunkTerms:
    """Return what is indexed of a chunk."""
    return row, terms_of_words(heading, body, language)


def put_vectors(
    connection: apsw.Connection, rows: Sequence[int], vectors: Iterable[Vectors]
) -> None:
    """Write one vector for each row."""
    write_vectors(connection, list(zip(rows, vectors, strict=True)))


def rows_of(store: Store, *document_ids: str) -> dict[ChunkId, int]:
    """Return the rows of the chunks of some documents, in text order."""
    with store.moment() as moment:
        ids = [stored.chunk.id for one in document_ids for stored in moment.chunks(DocumentId(one))]
        found = read_rows_of(moment.connection, ids)
    return {chunk_id: found[chunk_id] for chunk_id in ids}


class Words:
    """The words index of a connection, as its owner sees it, asked and answering by rows."""

    def __init__(self, connection: apsw.Connection, shared: SharedIndexes | None = None) -> None:
        """Look at the moment the connection is in."""
        snapshot = (shared or SharedIndexes(None)).snapshot(connection)
        indexed = snapshot.words(connection)
        words = readable_words(indexed.lengths, None)
        self.source = SqlitePostings(connection, snapshot, ReadableIndexes(EVERYTHING), words)
        self._rows = indexed.rows.astype(np.int64)

    def ranking(
        self, query: Query, *, depth: int = 10, rows: Iterable[int] | None = None
    ) -> WordsRanking:
        """Return the ranking by place; `rows` are those that may be hits, None for all."""
        allowed = None if rows is None else PlaceSet(np.isin(self._rows, list(rows)))
        return rank_by_words(self.source, query, depth=depth, allowed=allowed)

    def hits(self, query: Query, *, depth: int = 10, rows: Iterable[int] | None = None) -> Hits:
        """Return the hits."""
        found = self.ranking(query, depth=depth, rows=rows).hits
        return tuple((int(self._rows[place]), score) for place, score in found)


class Nearest:
    """The vectors of a connection, as its owner sees them, asked and answering by rows."""

    def __init__(
        self,
        connection: apsw.Connection,
        vector: Vectors,
        *,
        shared: SharedIndexes | None = None,
        depth: int = 10,
        rows: Iterable[int] | None = None,
        threads: int = 1,
    ) -> None:
        """Rank by one vector; `rows` are those that may be hits, None for all."""
        snapshot = (shared or SharedIndexes(None)).snapshot(connection)
        loaded = snapshot.vectors(connection)
        keys, allowed = loaded.vectors.keys, loaded.alive
        if rows is not None:
            mask = np.isin(keys, list(rows))
            allowed = PlaceSet(mask if allowed is None else mask & allowed.mask)

        def ids_of(places: Sequence[int]) -> dict[int, str]:
            ids = snapshot.ids.ids(connection, keys[list(places)].tolist())
            return {place: ids[int(keys[place])] for place in places}

        self._found = rank_by_cosine(
            loaded.vectors, vector, depth=depth, allowed=allowed, ids_of=ids_of, threads=threads
        )
        self.count = len(loaded)
        self.hits: Hits = tuple((int(keys[place]), score) for place, score in self._found.hits)
        self.scores = self._found.scores.tolist()

    @property
    def searched(self) -> int:
        """How many could have been hits."""
        return self._found.searched

    def spread(self) -> Spread:
        """Return mean and deviation."""
        return self._found.spread()
