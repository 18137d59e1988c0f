"""Term -> the chunks that hold it, each with BM25's weight of the term there.

What is needed of all chunks, their rows and lengths, is held in memory for one generation of the
corpus, and so are its languages and the postings of the terms asked for last. A chunk is known by
its place among all chunks, so that scores are added up in arrays without gaps.
"""

import json
import math
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis import LANGUAGES, language_mark
from cytat.backends.sqlite.postings import ROW_TYPE, Rows, read_batches, read_removed, read_term
from cytat.backends.sqlite.rights import Onlooker, onlooker
from cytat.backends.sqlite.spaces import read_generation

SELECT_LANGUAGES = """
select distinct language
from document
where language is not null
order by language
"""


def corpus_languages(connection: apsw.Connection) -> tuple[str, ...]:
    """Return the languages of the documents and of passages in them; all documents are read."""
    told = {str(language) for (language,) in connection.execute(SELECT_LANGUAGES)}
    return tuple(sorted(told.union(_of_passages(connection))))


def _of_passages(connection: apsw.Connection) -> Iterator[str]:
    """Yield the languages that some chunk is in beside its document's."""
    removed = read_removed(connection)
    for language in LANGUAGES:
        rows, _ = read_term(connection, language_mark(language))
        if len(rows) and not np.isin(rows, removed).all():
            yield language


K1 = 1.2
"""How soon more repetitions of a term stop counting; with `B` as in most engines, FTS5 among them.
They were not tuned."""
B = 0.75
"""How much long chunks are held back."""
MOST_FREQUENT = K1 + 1
"""The bound of a saturated frequency."""
CACHE_BYTES = 64 << 20
"""Kept of postings: five million at 12 bytes, the terms of many questions."""

TABLE_PER_CHUNK = 8
"""So many rows may have been used for each chunk there is, for places to be looked up in a table of
all rows; in a corpus that has changed more they are searched for, which takes longer."""

COUNT_CHUNKS_HOLDING = """
select posting.term, sum(length(posting.rows)) / 4
from json_each(:terms) as wanted
cross join posting_batch
cross join posting on posting.batch = posting_batch.batch and posting.term = wanted.value
group by posting.term
"""

"""`cross` fixes the order: else SQLite goes through all postings for each term."""

Places = NDArray[np.intp]
TermWeights = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The chunks that hold a term, by place, and its saturated frequency in each, below 2.2."""

    places: Places
    weights: TermWeights

    @property
    def bytes(self) -> int:
        """The memory they take."""
        return self.places.nbytes + self.weights.nbytes


NOWHERE = Postings(np.zeros(0, dtype=np.intp), np.zeros(0))


@dataclass(frozen=True, slots=True, eq=False)
class _Chunks:
    """All chunks of one generation: `rows` rising, each with what its length does to a term."""

    generation: int
    rows: Rows
    norms: TermWeights
    is_any_removed: bool
    table: Places | None
    """Row -> place, less than 0 for a row that is none; None where the rows lie too far apart."""

    def postings(self, rows: Rows, counts: NDArray[np.uint8]) -> Postings:
        """Return the postings of chunks that were not removed."""
        if not len(self.rows):
            return NOWHERE
        places = self._places(rows)
        if len(places) and places.min() < 0:
            is_here = places >= 0
            places, counts = places[is_here], counts[is_here]
        weights = counts.astype(np.float64)
        saturated = self.norms.take(places)
        saturated += weights
        weights *= K1 + 1
        weights /= saturated
        return Postings(places, weights)

    def _places(self, rows: Rows) -> Places:
        """Return the place of each row, less than 0 for a row that is none."""
        if self.table is not None:
            return self.table.take(rows, mode="clip")  # the last stands for what lies behind
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[places] == rows, places, -1)


@dataclass(slots=True, eq=False)
class _LoadedPostings:
    """The chunks of a generation and the postings of terms asked for last, oldest first."""

    chunks: _Chunks
    postings: OrderedDict[str, Postings] = field(default_factory=OrderedDict)
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class _Languages:
    """Of the documents of one generation."""

    generation: int
    codes: tuple[str, ...]


class WordsIndex:
    """The words index of one corpus.

    May be shared between threads that each have a connection. Shown another corpus, or the same one
    as another reader sees it, it begins anew.
    """

    def __init__(self, *, cache_bytes: int = CACHE_BYTES) -> None:
        """Begin with nothing in memory."""
        self._cache_bytes = cache_bytes
        self._loaded: _LoadedPostings | None = None
        self._languages: _Languages | None = None
        self._onlooker: Onlooker | None = None
        self._lock = threading.Lock()

    def reader(self, connection: apsw.Connection) -> "WordsReader":
        """Return what reads this moment of the corpus, inside one read transaction."""
        with self._lock:
            generation = self._current(connection)
            if self._loaded is None or self._loaded.chunks.generation != generation:
                self._loaded = _LoadedPostings(_load(connection, generation))
            return WordsReader(connection, self, self._loaded)

    def languages(self, connection: apsw.Connection) -> tuple[str, ...]:
        """Return the languages of the documents, ISO 639-1; a question is analysed under each."""
        with self._lock:
            generation = self._current(connection)
            if self._languages is None or self._languages.generation != generation:
                self._languages = _Languages(generation, corpus_languages(connection))
            return self._languages.codes

    def _current(self, connection: apsw.Connection) -> int:
        """Return the generation; what is in memory of another corpus, or another reader's, goes."""
        if self._onlooker != (seen_by := onlooker(connection)):
            self._loaded, self._languages, self._onlooker = None, None, seen_by
        return read_generation(connection)

    def known(self, loaded: _LoadedPostings, term: str) -> Postings | None:
        """Return the postings of a term if they are in memory."""
        with self._lock:
            found = loaded.postings.get(term)
            if found is not None:
                loaded.postings.move_to_end(term)
            return found

    def keep(self, loaded: _LoadedPostings, term: str, found: Postings) -> None:
        """Keep postings in memory; the terms that were not asked for longest make room."""
        with self._lock:
            if term in loaded.postings or found.bytes > self._cache_bytes:
                return
            loaded.postings[term] = found
            loaded.bytes += found.bytes
            while loaded.bytes > self._cache_bytes:
                _, oldest = loaded.postings.popitem(last=False)
                loaded.bytes -= oldest.bytes


class WordsReader:
    """The words index as one moment of the corpus has it."""

    def __init__(
        self, connection: apsw.Connection, index: WordsIndex, loaded: _LoadedPostings
    ) -> None:
        """Take the parts; `WordsIndex.reader` makes one."""
        self._connection = connection
        self._index = index
        self._loaded = loaded

    @property
    def indexed(self) -> int:
        """How many chunks there are."""
        return len(self._loaded.chunks.rows)

    @property
    def rows(self) -> Rows:
        """The row of the chunk at each place."""
        return self._loaded.chunks.rows

    def postings(self, term: str) -> Postings:
        """Return the chunks that hold a term."""
        found = self._index.known(self._loaded, term)
        if found is None:
            found = self._loaded.chunks.postings(*read_term(self._connection, term))
            self._index.keep(self._loaded, term, found)
        return found

    def document_frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return for each term how many chunks hold it."""
        wanted = list(dict.fromkeys(terms))
        if self._loaded.chunks.is_any_removed:
            return {term: len(self.postings(term).places) for term in wanted}
        counts = self._connection.execute(COUNT_CHUNKS_HOLDING, {"terms": json.dumps(wanted)})
        return dict.fromkeys(wanted, 0) | {str(term): int(count) for term, count in counts}


def rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency of a term: never negative, 0 when no chunk holds it.

    Source:
        Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
        doi:10.1561/1500000019, with 1 added under the logarithm.
    """
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5)) if holding else 0.0


def _load(connection: apsw.Connection, generation: int) -> _Chunks:
    batches = read_batches(connection)
    removed = read_removed(connection)
    if not batches:
        return _Chunks(
            generation, np.zeros(0, dtype=ROW_TYPE), np.zeros(0), is_any_removed=False, table=None
        )
    rows = np.concatenate([batch.rows for batch in batches])
    lengths = np.concatenate([batch.lengths for batch in batches]).astype(np.float64)
    if len(removed):
        is_here = ~np.isin(rows, removed)
        rows, lengths = rows[is_here], lengths[is_here]
    order = np.argsort(rows, kind="stable")
    rows, lengths = rows[order], lengths[order]
    mean = lengths.sum() / len(lengths) if lengths.any() else 1.0
    norms = K1 * (1 - B + B * lengths / mean)
    return _Chunks(generation, rows, norms, len(removed) > 0, _table(rows))


def _table(rows: Rows) -> Places | None:
    """Return the place of each row up to one behind the last, if that is not too many."""
    if not len(rows) or int(rows[-1]) > TABLE_PER_CHUNK * len(rows):
        return None
    table = np.full(int(rows[-1]) + 2, -1, dtype=np.intp)
    table[rows] = np.arange(len(rows))
    return table
