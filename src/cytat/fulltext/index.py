"""Chunks' words -> rows of the table `words`. Writes only; the caller holds the transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import apsw

from cytat.query import terms_in_order

INSERT_WORDS = """
insert into words (rowid, heading, body)
values (:row, :heading, :body)
"""
DELETE_WORDS = """
delete from words
where rowid = :row
"""


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


def index_chunks(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> None:
    """Add chunks to the words index; a row must not be there yet."""
    connection.executemany(INSERT_WORDS, _bindings(chunks))


def _bindings(chunks: Iterable[ChunkWords]) -> Iterator[dict[str, object]]:
    for chunk in chunks:
        yield {
            "row": chunk.row,
            "heading": " ".join(terms_in_order(chunk.heading, chunk.language)),
            "body": " ".join(terms_in_order(chunk.body, chunk.language)),
        }


def remove_chunks(connection: apsw.Connection, rows: Iterable[int]) -> None:
    """Take chunks out of the words index; rows that are not in it are nothing to do."""
    connection.executemany(DELETE_WORDS, ({"row": row} for row in rows))
