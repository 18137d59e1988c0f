"""Chunks' words -> batches of postings. Writes only; the caller holds the transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.query import terms_in_order
from cytat.records import Chunk
from cytat.store.postings import (
    COUNT_TYPE,
    MOST_COUNTED,
    ROW_TYPE,
    Posting,
    delete_all,
    settle,
    write_batch,
)

BATCH_CHUNKS = 4096
"""Counted in memory at once: about half a million words."""


@dataclass(frozen=True, slots=True)
class ChunkWords:
    """What is indexed of one chunk: `row` is chunk.row; texts as they are, not yet analysed."""

    row: int
    heading: str
    """Title and heading path."""
    body: str
    """Context and the chunk's own words."""
    language: str | None
    """The document's language, ISO 639-1."""


def words_of_chunk(
    row: int, chunk: Chunk, *, title: str, words: str, language: str | None
) -> ChunkWords:
    """Return what is indexed of a chunk: its heading apart, its context with its own words."""
    return ChunkWords(
        row=row,
        heading=" ".join((title, *chunk.heading_path)),
        body="\n".join(filter(None, (chunk.context, words))),
        language=language,
    )


def analysed(chunk: ChunkWords) -> list[str]:
    """Return the terms of heading and body, as often as they stand there."""
    return [
        *terms_in_order(chunk.heading, chunk.language),
        *terms_in_order(chunk.body, chunk.language),
    ]


def index_chunks(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> None:
    """Add chunks to the words index; a row must not have been there before.

    One call for all chunks of a transaction is cheapest: each makes a batch.
    """
    for piece in _pieces(chunks):
        _write(connection, sorted(piece, key=lambda chunk: chunk.row))
    settle(connection)


def rebuild_words(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> None:
    """Empty the words index and fill it with these chunks."""
    delete_all(connection)
    index_chunks(connection, chunks)


def _pieces(chunks: Iterable[ChunkWords]) -> Iterator[list[ChunkWords]]:
    left = iter(chunks)
    while piece := list(islice(left, BATCH_CHUNKS)):
        yield piece


def _write(connection: apsw.Connection, chunks: Sequence[ChunkWords]) -> None:
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # the next term gets the next number
    held = []
    for chunk in chunks:
        terms = analysed(chunk)
        held.append(np.fromiter(map(numbers.__getitem__, terms), np.int64, count=len(terms)))
    rows = np.array([chunk.row for chunk in chunks], dtype=ROW_TYPE)
    lengths = np.array([len(terms) for terms in held], dtype=ROW_TYPE)
    postings = _inverted(sorted(numbers), numbers, np.concatenate(held), rows, lengths)
    write_batch(connection, rows, lengths, postings)


def _inverted(
    terms: Sequence[str],
    numbers: dict[str, int],
    held: NDArray[np.int64],
    rows: NDArray[np.uint32],
    lengths: NDArray[np.uint32],
) -> Iterator[Posting]:
    """Yield the postings by term.

    Args:
        terms: all of them, sorted.
        numbers: what each is called in `held`.
        held: the terms of all chunks, one chunk after the other.
        rows: of the chunks.
        lengths: how many of `held` are each chunk's.
    """
    place = np.empty(len(terms), dtype=np.int64)
    place[[numbers[term] for term in terms]] = np.arange(len(terms))
    chunk_of = np.repeat(np.arange(len(rows)), lengths)
    pairs, counts = np.unique(place[held] * len(rows) + chunk_of, return_counts=True)
    term_of, chunk_of = np.divmod(pairs, len(rows))
    ends = np.cumsum(np.bincount(term_of, minlength=len(terms))).tolist()
    all_rows = rows[chunk_of].astype(ROW_TYPE).tobytes()
    all_counts = np.minimum(counts, MOST_COUNTED).astype(COUNT_TYPE).tobytes()
    width, start = ROW_TYPE.itemsize, 0
    for term, end in zip(terms, ends, strict=True):
        yield term, all_rows[width * start : width * end], all_counts[start:end]
        start = end
