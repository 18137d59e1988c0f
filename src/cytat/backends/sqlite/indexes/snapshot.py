"""One generation of a corpus file in memory, for all who ask it; each part is read when needed.

Every part is read from the tables themselves, within a moment of this generation, whoever opened
that: what a user may see of it is cut out by masks (`readable`). Parts are never changed.
"""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.indexes.chunks import (
    ChunkIds,
    ChunkOwners,
    read_labels,
    read_owners,
)
from cytat.backends.sqlite.indexes.facts import DocumentFacts, read_facts
from cytat.backends.sqlite.indexes.once import Once
from cytat.backends.sqlite.indexes.readable import EVERYTHING, ReadableIndexes
from cytat.backends.sqlite.indexes.vectors import LoadedVectors, load_vectors
from cytat.backends.sqlite.indexes.words import IndexedChunks, PostingsCache, read_indexed_chunks

MOST_READABLES = 64
"""Different sets of labels whose masks are kept: about a megabyte each at 100,000 chunks."""

Owners = NDArray[np.int32]
"""Of each place, the place of its document; NO_OWNER for what is not a chunk."""


@dataclass(frozen=True, slots=True)
class SnapshotKey:
    """`mark` tells two histories of one file apart, such as before and after a backup came back."""

    generation: int
    mark: str


class Snapshot:
    """What is in memory of one generation."""

    def __init__(
        self, key: SnapshotKey, file: Path | None, before: LoadedVectors | None, cache_bytes: int
    ) -> None:
        """Begin with nothing but the vectors of another generation, where there are any.

        Args:
            key: which generation.
            file: the corpus file; None for one in memory.
            before: what need not be read again.
            cache_bytes: the bound of the postings kept.
        """
        self.key = key
        self.postings = PostingsCache(cache_bytes)
        self.ids = ChunkIds()
        self._file = file
        self._before = before
        self._words: Once[IndexedChunks] = Once()
        self._owners: Once[ChunkOwners] = Once()
        self._labels: Once[frozenset[str]] = Once()
        self._facts: Once[DocumentFacts] = Once()
        self._vectors: Once[LoadedVectors] = Once()
        self._word_owners: Once[Owners] = Once()
        self._vector_owners: Once[Owners] = Once()
        self._readables: OrderedDict[frozenset[str], ReadableIndexes] = OrderedDict()
        self._everything = ReadableIndexes(EVERYTHING)
        self._lock = Lock()

    def words(self, connection: apsw.Connection) -> IndexedChunks:
        """Return all chunks of the words index."""
        return self._words.get(lambda: read_indexed_chunks(connection))

    def owners(self, connection: apsw.Connection) -> ChunkOwners:
        """Return all documents, and the chunks of each."""
        return self._owners.get(lambda: read_owners(connection))

    def facts(self, connection: apsw.Connection) -> DocumentFacts:
        """Return what filters ask of all documents."""
        return self._facts.get(lambda: read_facts(connection))

    def vectors(self, connection: apsw.Connection) -> LoadedVectors:
        """Return the vectors of all chunks."""

        def make() -> LoadedVectors:
            loaded = load_vectors(connection, self._file, self._before)
            self._before = None
            return loaded

        return self._vectors.get(make)

    @property
    def loaded_vectors(self) -> LoadedVectors | None:
        """The vectors if they are in memory, here or those of the generation before."""
        return self._vectors.made or self._before

    def word_owners(self, connection: apsw.Connection) -> Owners:
        """Return the document of each place of the words index."""

        def make() -> Owners:
            return self.owners(connection).owners_of(self.words(connection).rows)

        return self._word_owners.get(make)

    def vector_owners(self, connection: apsw.Connection) -> Owners:
        """Return the document of each vector's place."""

        def make() -> Owners:
            keys = self.vectors(connection).vectors.keys
            if np.array_equal(keys, self.words(connection).rows):
                return self.word_owners(connection)
            return self.owners(connection).owners_of(keys)

        return self._vector_owners.get(make)

    def readable(
        self, connection: apsw.Connection, labels: Collection[str] | None
    ) -> ReadableIndexes:
        """Return what a user with some labels may read; None for the owner, who may read all."""
        if labels is None:
            return self._everything
        every = self._labels.get(lambda: read_labels(connection))
        seen = every.intersection(labels)
        if seen == every:
            return self._everything
        with self._lock:
            found = self._readables.setdefault(seen, ReadableIndexes(seen))
            self._readables.move_to_end(seen)
            if len(self._readables) > MOST_READABLES:
                self._readables.popitem(last=False)
            return found
