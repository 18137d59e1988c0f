"""The postings that one user may read, as `fulltext` ranks by them; see `PostingsSource`."""

from collections.abc import Collection, Mapping, Sequence

import apsw
import numpy as np

from cytat.backends.sqlite.indexes.readable import ReadableIndexes, ReadableWords
from cytat.backends.sqlite.indexes.snapshot import Snapshot
from cytat.backends.sqlite.indexes.words import TermKey, count_holding, read_terms
from cytat.fulltext import Postings, TermWeights, united


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
