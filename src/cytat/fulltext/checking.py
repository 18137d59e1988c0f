"""Chunks' words -> what the index holds otherwise. Reads every posting once.

A batch that is as it was written holds the words it was given. The chunks of other batches are
analysed again and compared with what stands in the index: of each, one number is held in memory,
the sum of the marks of its postings, which is zero when those that should be there are taken from
those that are.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.errors import CorpusFormatError
from cytat.fulltext.index import ChunkWords, analysed
from cytat.store.batch_seals import Soundness, soundness_of_batches
from cytat.store.postings import (
    COUNT_TYPE,
    MOST_COUNTED,
    ROW_TYPE,
    Batch,
    Rows,
    count_strays,
    read_batches,
    read_postings,
    read_removed,
)

_OLD_TOKEN = re.compile(r"[A-Za-z0-9/._:@&+#\\\x80-\U0010ffff-]+")
"""A file of format 2 had its terms cut at other signs ("230,00"), and its index was carried over.
A chunk that is indexed like that is as it was written."""
_SPREAD = 0x9E3779B97F4A7C15
"""Odd, so that no two counts of a term have one mark."""
_WRAP = 2**64 - 1


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
    words_of: Callable[[frozenset[int]], Iterable[ChunkWords]],
) -> WordsFaults:
    """Compare the index with the words of all chunks; call inside one transaction.

    Args:
        connection: of the corpus.
        rows: of all chunks.
        words_of: returns the words of some of them, which takes long for many.
    """
    try:
        batches = read_batches(connection)
        indexed = frozenset(_all_rows(batches).tolist()) - set(read_removed(connection).tolist())
        suspect = _suspect(connection, batches)
        found = _found(connection, [batch for batch, _ in suspect])
    except CorpusFormatError:
        return WordsFaults(frozenset(), is_broken=True)
    wanted = frozenset(rows)
    compared = wanted & indexed & found.keys()
    wrong = {one.row for one in words_of(compared) if found[one.row] not in _wanted(one)}
    is_broken = count_strays(connection) > 0 or any(is_damaged for _, is_damaged in suspect)
    return WordsFaults(frozenset(wrong | (wanted ^ indexed)), is_broken)


def _suspect(connection: apsw.Connection, batches: Sequence[Batch]) -> list[tuple[Batch, bool]]:
    """Return the batches that may hold other words, and whether damage is certain."""
    soundness = soundness_of_batches(connection)
    found = [(batch, soundness[batch.number]) for batch in batches]
    return [
        (batch, sound is Soundness.DAMAGED)
        for batch, sound in found
        if sound is not Soundness.AS_WRITTEN
    ]


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


def _wanted(chunk: ChunkWords) -> Iterator[Marks]:
    """Yield what the index may hold of a chunk: its terms, or what an old program made of them."""
    terms = analysed(chunk)
    yield _sum_of_marks(terms), len(terms)
    cut = [piece for term in terms for piece in _OLD_TOKEN.findall(term)]
    yield _sum_of_marks(cut), len(cut)


def _sum_of_marks(terms: Iterable[str]) -> int:
    counted = Counter(terms).items()
    return sum(_mark(term, min(count, MOST_COUNTED)) for term, count in counted) & _WRAP


def _mark(term: str, count: int) -> int:
    return ((hash(term) & _WRAP) ^ count) * _SPREAD & _WRAP
