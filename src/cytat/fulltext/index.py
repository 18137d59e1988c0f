"""Chunks' words -> rows of the table `words`. Writes only; the caller holds the transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import apsw

from cytat.query import terms_in_order
from cytat.records import Chunk

INSERT_WORDS = """
insert into words (rowid, heading, body)
values (:row, :heading, :body)
"""
DELETE_WORDS = """
delete from words
where rowid = :row
"""
DELETE_ALL = "insert into words (words) values ('delete-all')"


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


def analysed(chunk: ChunkWords) -> tuple[list[str], list[str]]:
    """Return the terms of heading and body, in order, as the index holds them."""
    return (
        list(terms_in_order(chunk.heading, chunk.language)),
        list(terms_in_order(chunk.body, chunk.language)),
    )


def index_chunks(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> None:
    """Add chunks to the words index; a row must not be there yet."""
    connection.executemany(INSERT_WORDS, _bindings(chunks))


def rebuild_words(connection: apsw.Connection, chunks: Iterable[ChunkWords]) -> None:
    """Empty the words index and fill it with these chunks."""
    connection.execute(DELETE_ALL)
    index_chunks(connection, chunks)


def _bindings(chunks: Iterable[ChunkWords]) -> Iterator[dict[str, object]]:
    for chunk in chunks:
        heading, body = analysed(chunk)
        yield {"row": chunk.row, "heading": " ".join(heading), "body": " ".join(body)}


def remove_chunks(connection: apsw.Connection, rows: Iterable[int]) -> None:
    """Take chunks out of the words index; rows that are not in it are nothing to do."""
    connection.executemany(DELETE_WORDS, ({"row": row} for row in rows))
