"""One generation of a corpus file in memory, for all who ask it, and the postings of one user.

Every part is read from the tables themselves, within a moment of this generation, whoever opened
that: what a user may see of it is cut out by masks (`readable`). Parts are never changed.
"""

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.indexes.chunks import (
    ChunkIds,
    ChunkOwners,
    DocumentFacts,
    read_facts,
    read_labels,
    read_owners,
)
from cytat.backends.sqlite.indexes.readable import EVERYTHING, Once, ReadableIndexes, ReadableWords
from cytat.backends.sqlite.indexes.vectors import LoadedVectors, load_vectors
from cytat.backends.sqlite.indexes.words import (
    IndexedChunks,
    PostingsCache,
    TermKey,
    count_holding,
    read_indexed_chunks,
    read_terms,
)
from cytat.fulltext import Postings, TermWeights, united

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


class SqlitePostings:
    """The words index in one moment. A user's postings are cut out of those of all chunks."""

    def __init__(
        self,
        connection: apsw.Connection,
        snapshot: Snapshot,
        readable: ReadableIndexes,
        words: ReadableWords,
    ) -> None:
        """Take what is in memory of the moment that a connection is in."""
        self._connection = connection
        self._snapshot = snapshot
        self._labels = readable.labels
        self._words = words
        self._indexed = snapshot.words(connection)

    @property
    def chunks(self) -> int:
        """How many chunks may be read."""
        return self._words.chunks

    @property
    def norms(self) -> TermWeights:
        """Of each place, what its chunk's length does to a term there."""
        return self._words.norms

    @property
    def lowest_norm(self) -> float:
        """The lowest of a chunk that may be read."""
        return self._words.lowest_norm

    def prepare(self, terms: Collection[str]) -> None:
        """Read the postings of terms that are not in memory, all at once."""
        cache = self._snapshot.postings
        unknown = [term for term in dict.fromkeys(terms) if cache.get((None, (term,))) is None]
        if unknown:
            read = read_terms(self._connection, self._indexed, unknown)
            for term, found in read.items():
                cache.keep((None, (term,)), found)

    def postings(self, terms: tuple[str, ...]) -> Postings:
        """Return the chunks that hold any of the terms, each with the count of its best one."""
        key = self._labels, terms
        found = self._snapshot.postings.get(key)
        if found is None:
            found = self._postings_of_all(terms)
            if self._words.mask is not None:
                found = found.where(self._words.mask)
            self._snapshot.postings.keep(key, found)
        return found

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each term how many chunks hold it."""
        wanted = list(dict.fromkeys(terms))
        if self._words.mask is None and not self._indexed.is_any_removed:
            return self._counted(wanted)
        self.prepare(wanted)
        return {term: len(self.postings((term,))) for term in wanted}

    def ids(self, places: Sequence[int]) -> Mapping[int, str]:
        """Return the ids of the chunks at some places."""
        rows = self._indexed.rows[np.asarray(places, dtype=np.int64)].tolist()
        ids = self._snapshot.ids.ids(self._connection, rows)
        return {place: ids[row] for place, row in zip(places, rows, strict=True)}

    def _postings_of_all(self, terms: tuple[str, ...]) -> Postings:
        key: TermKey = None, terms
        found = self._snapshot.postings.get(key)
        if found is not None:
            return found
        if len(terms) == 1:
            found = read_terms(self._connection, self._indexed, terms)[terms[0]]
        else:
            self.prepare(terms)
            each = [self._postings_of_all((term,)) for term in terms]
            found = united(each, places=len(self._indexed))
        self._snapshot.postings.keep(key, found)
        return found

    def _counted(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return frequencies without decoding what is not in memory."""
        known = {term: self._snapshot.postings.get((None, (term,))) for term in terms}
        counts = {term: len(found) for term, found in known.items() if found is not None}
        unknown = [term for term in terms if term not in counts]
        return counts | (count_holding(self._connection, unknown) if unknown else {})
