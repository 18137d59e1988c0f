"""Chunks' words -> what the index holds otherwise. Reads every posting once.

A batch that is as it was written holds the words it was given. Of those, some chunks are analysed
again: where one now has other terms, the analyser is not the one it was written with, and all are
analysed. The chunks of other batches always are, and compared with what stands in the index: of
each, one number is held in memory, the sum of the marks of its postings, which is zero when those
that should be there are taken from those that are.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.backends.sqlite.index_writing import ChunkTerms
from cytat.backends.sqlite.postings import (
    COUNT_TYPE,
    MOST_COUNTED,
    ROW_TYPE,
    Batch,
    Rows,
    count_strays,
    read_batches,
    read_postings,
    read_removed,
    read_term,
)
from cytat.backends.sqlite.seals import Soundness, soundness_of_batches
from cytat.errors import CorpusFormatError

_OLD_TOKEN = re.compile(r"[A-Za-z0-9/._:@&+#\\\x80-\U0010ffff-]+")
"""A file of format 2 had its terms cut at other signs ("230,00"), and its index was carried over.
A chunk that is indexed like that is as it was written."""
_SPREAD = 0x9E3779B97F4A7C15
"""Odd, so that no two counts of a term have one mark."""
_WRAP = 2**64 - 1


SAMPLED_CHUNKS = 128
"""Of the batches that are as they were written, spread evenly: another stemmer shows in many."""

Marks: TypeAlias = tuple[int, int]
"""The sum of the marks of a chunk's postings, and how many terms it has."""


@dataclass(frozen=True, slots=True)
class WordsFaults:
    """What the index does not hold as it should."""

    rows: frozenset[int]
    """Chunks whose postings are not those of their words."""
    is_broken: bool
    """Whether some postings are none, or not those that were written."""


def check_words(
    connection: apsw.Connection,
    rows: Iterable[int],
    terms_of: Callable[[frozenset[int]], Iterable[ChunkTerms]],
) -> WordsFaults:
    """Compare the index with the words of all chunks; call inside one transaction.

    Args:
        connection: of the corpus.
        rows: of all chunks.
        terms_of: returns the terms of some of them, which takes long for many.
    """
    try:
        batches = read_batches(connection)
        indexed = frozenset(_all_rows(batches).tolist()) - set(read_removed(connection).tolist())
        soundness = soundness_of_batches(connection)
        wanted = frozenset(rows)
        suspect = [one for one in batches if soundness[one.number] is not Soundness.AS_WRITTEN]
        sampled = _sample(wanted & indexed, [one for one in batches if one not in suspect])
        if not all(_is_held(connection, batches, one) for one in terms_of(sampled)):
            suspect = batches
        found = _found(connection, suspect)
    except CorpusFormatError:
        return WordsFaults(frozenset(), is_broken=True)
    compared = wanted & indexed & found.keys()
    wrong = {row for row, terms in terms_of(compared) if found[row] not in _wanted(terms)}
    is_broken = count_strays(connection) > 0 or Soundness.DAMAGED in soundness.values()
    return WordsFaults(frozenset(wrong | (wanted ^ indexed)), is_broken)


def _sample(rows: frozenset[int], batches: Sequence[Batch]) -> frozenset[int]:
    """Return some of the rows that batches hold, spread evenly."""
    held = [row for row in _all_rows(batches).tolist() if row in rows]
    return frozenset(held[:: max(len(held) // SAMPLED_CHUNKS, 1)])


def _is_held(connection: apsw.Connection, batches: Sequence[Batch], chunk: ChunkTerms) -> bool:
    """Say whether the index holds the terms of a chunk as often as they are in it, and no more."""
    row, terms = chunk
    cut = [piece for term in terms for piece in _OLD_TOKEN.findall(term)]
    length = _length_in(batches, row)
    return any(
        len(wanted) == length
        and all(
            min(count, MOST_COUNTED) == _count_in(connection, term, row)
            for term, count in Counter(wanted).items()
        )
        for wanted in (terms, cut)
    )


def _length_in(batches: Sequence[Batch], row: int) -> int:
    (length,) = (
        int(batch.lengths[at])
        for batch in batches
        for at in np.flatnonzero(batch.rows == row).tolist()
    )
    return length


def _count_in(connection: apsw.Connection, term: str, row: int) -> int:
    rows, counts = read_term(connection, term)
    return int(counts[rows == row].sum())


def _found(connection: apsw.Connection, batches: Sequence[Batch]) -> dict[int, Marks]:
    """Return what some batches hold of each of their chunks."""
    rows = _all_rows(batches)
    sums, lengths = np.zeros(len(rows), dtype=np.uint64), np.zeros(len(rows), dtype=ROW_TYPE)
    for batch in batches:
        lengths[np.searchsorted(rows, batch.rows)] = batch.lengths
        _add_marks(sums, rows, connection, batch)
    marks = zip(rows.tolist(), sums.tolist(), lengths.tolist(), strict=True)
    return {row: (held, length) for row, held, length in marks}


def _all_rows(batches: Sequence[Batch]) -> Rows:
    if not batches:
        return np.zeros(0, dtype=ROW_TYPE)
    rows = np.sort(np.concatenate([batch.rows for batch in batches]))
    if not all(map(_rises, (rows, *(batch.rows for batch in batches)))):
        raise CorpusFormatError("a chunk is indexed twice", hint="run `cytat reindex`")
    return rows


def _add_marks(
    sums: NDArray[np.uint64], rows: Rows, connection: apsw.Connection, batch: Batch
) -> None:
    """Add the mark of each posting to the sum of its chunk."""
    for name, rows_held, counted in read_postings(connection, batch):
        held = np.frombuffer(rows_held, dtype=ROW_TYPE)
        counts = np.frombuffer(counted, dtype=COUNT_TYPE)
        if not _rises(held) or not np.isin(held, batch.rows).all():
            raise CorpusFormatError("postings of no chunk", hint="run `cytat reindex`")
        term = np.uint64(hash(name) & _WRAP)
        sums[np.searchsorted(rows, held)] += (term ^ counts.astype(np.uint64)) * np.uint64(_SPREAD)


def _rises(rows: Rows) -> bool:
    return bool((rows[1:] > rows[:-1]).all())


def _wanted(terms: Sequence[str]) -> Iterator[Marks]:
    """Yield what the index may hold of a chunk: its terms, or what an old program made of them."""
    yield _sum_of_marks(terms), len(terms)
    cut = [piece for term in terms for piece in _OLD_TOKEN.findall(term)]
    yield _sum_of_marks(cut), len(cut)


def _sum_of_marks(terms: Iterable[str]) -> int:
    counted = Counter(terms).items()
    return sum(_mark(term, min(count, MOST_COUNTED)) for term, count in counted) & _WRAP


def _mark(term: str, count: int) -> int:
    return ((hash(term) & _WRAP) ^ count) * _SPREAD & _WRAP
