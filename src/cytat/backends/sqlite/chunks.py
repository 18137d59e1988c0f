"""Chunks in and out of their table: by document, by id, by row. In the caller's transaction."""

from collections.abc import Collection

import apsw

from cytat.backends.sqlite.rows import Row, damage_named, dump_json, parse_path
from cytat.protocols import NewVersion
from cytat.records import Chunk, ChunkId, DocumentId, Span, StoredChunk
from cytat.text.identity import passage_text, text_hash

INSERT_CHUNK = """
insert into chunk (
    row, id, document, start, end, heading_path, context, passage_hash, words_hash
) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
TAKE_ROWS = """
insert into meta (key, value)
values ('last_row', :count)
on conflict (key) do update set value = value + :count
returning value
"""
SELECT_CHUNKS = """
select chunk.id, chunk.start, chunk.end, chunk.heading_path, chunk.context,
       chunk.passage_hash, chunk.words_hash
from chunk join document on document.row = chunk.document
where document.id = :document_id
order by chunk.start, chunk.id
"""
SELECT_ROWS_OF = """
select chunk.id, chunk.row
from json_each(:ids) as wanted
join chunk on chunk.id = wanted.value
"""
SELECT_WORDS_HASHES = """
select chunk.id, chunk.words_hash
from json_each(:ids) as wanted
join chunk on chunk.id = wanted.value
"""


def insert_chunks(
    connection: apsw.Connection, document_row: int, new: NewVersion
) -> tuple[tuple[int, bytes], ...]:
    """Write the chunks of a version; return chunk.row and passage hash of each, in order."""
    rows = _new_rows(connection, len(new.chunks))
    title, text = new.document.title, new.document.text
    columns = [
        _chunk_columns(row, document_row, chunk, title, text)
        for row, chunk in zip(rows, new.chunks, strict=True)
    ]
    connection.executemany(INSERT_CHUNK, columns)
    return tuple((row, passage_hash) for row, *_, passage_hash, _ in columns)


def read_chunks(connection: apsw.Connection, document_id: DocumentId) -> tuple[StoredChunk, ...]:
    """Return a document's chunks in text order."""
    found = connection.execute(SELECT_CHUNKS, {"document_id": document_id})
    return tuple(_stored_chunk(document_id, row) for row in found)


def read_rows_of(connection: apsw.Connection, chunk_ids: Collection[str]) -> dict[ChunkId, int]:
    """Return the rows of the chunks that are there."""
    return dict(connection.execute(SELECT_ROWS_OF, {"ids": dump_json(sorted(chunk_ids))}))


def read_words_hashes(
    connection: apsw.Connection, chunk_ids: Collection[str]
) -> dict[ChunkId, bytes]:
    """Return the hash of each chunk's own words."""
    return dict(connection.execute(SELECT_WORDS_HASHES, {"ids": dump_json(sorted(chunk_ids))}))


def _new_rows(connection: apsw.Connection, count: int) -> tuple[int, ...]:
    """Return rows for chunks, none of which was ever used: postings of old chunks may be there."""
    last = int(connection.execute(TAKE_ROWS, {"count": count}).get)
    return tuple(range(last - count + 1, last + 1))


def _chunk_columns(
    row: int, document_row: int, chunk: Chunk, title: str, text: str
) -> tuple[int, str, int, int, int, str, str, bytes, bytes]:
    words = chunk.span.of(text)
    passage = passage_text(title, chunk.heading_path, chunk.context, words)
    return (
        row,
        chunk.id,
        document_row,
        chunk.span.start,
        chunk.span.end,
        dump_json(list(chunk.heading_path)),
        chunk.context,
        text_hash(passage),
        text_hash(words),
    )


@damage_named
def _stored_chunk(document_id: DocumentId, row: Row) -> StoredChunk:
    chunk = Chunk(
        id=ChunkId(row[0]),
        document_id=document_id,
        span=Span(row[1], row[2]),
        heading_path=parse_path(row[3]),
        context=row[4],
    )
    return StoredChunk(chunk, passage_hash=row[5], words_hash=row[6])
