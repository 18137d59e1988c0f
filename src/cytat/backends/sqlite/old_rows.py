"""Chunk rows -> hits and passages, for what still ranks by rows. Goes with the last of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from cytat.backends.sqlite.rows import Row, dump_json, parse_path
from cytat.backends.sqlite.texts import read_excerpt, read_passages
from cytat.errors import CorpusFormatError
from cytat.records import ChunkId, Copy, DocumentId, Excerpt, Hit, Span, Why

SELECT_PASSAGES = """
select chunk.row, chunk.id, document.id, document.source, document.title, chunk.heading_path,
       chunk.start, chunk.end, chunk.context
from json_each(:rows) as wanted
join chunk on chunk.row = wanted.value
join document on document.row = chunk.document
"""
SELECT_CHUNK_KEYS = """
select chunk.row, chunk.id, chunk.words_hash
from json_each(:rows) as wanted
join chunk on chunk.row = wanted.value
"""
SELECT_DOCUMENT_IDS = """
select chunk.row, document.id
from json_each(:rows) as wanted
join chunk on chunk.row = wanted.value
join document on document.row = chunk.document
"""


@dataclass(frozen=True, slots=True)
class ChunkKey:
    """What ranking needs to know of a chunk: ties go by `id`, copies share a `words_hash`."""

    id: ChunkId
    words_hash: bytes


@dataclass(frozen=True, slots=True)
class PassageAtRow:
    """A chunk's words, with what stands beside them and where they stand."""

    place: Copy
    context: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of a ranking before it is made into a hit; `excerpt`, if its words were read."""

    row: int
    score: float
    why: Why
    copies: tuple[Copy, ...] = ()
    excerpt: Excerpt | None = None


def read_chunk_keys(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, ChunkKey]:
    """Return what ranking needs to know of the chunks at `rows`."""
    found = connection.execute(SELECT_CHUNK_KEYS, {"rows": dump_json(sorted(rows))})
    return {row: ChunkKey(ChunkId(chunk_id), words_hash) for row, chunk_id, words_hash in found}


def read_document_ids(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, DocumentId]:
    """Return the document of each of the chunks at `rows`."""
    return dict(connection.execute(SELECT_DOCUMENT_IDS, {"rows": dump_json(list(rows))}))


def read_passages_at(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, PassageAtRow]:
    """Return the chunks at `rows` with their words; all must be there."""
    found = connection.execute(SELECT_PASSAGES, {"rows": dump_json(list(rows))}).fetchall()
    return dict(_passage(connection, row) for row in found)


def read_hits(connection: apsw.Connection, candidates: Sequence[Candidate]) -> tuple[Hit, ...]:
    """Return the hits in the order given, ranked from 1; all rows must be there."""
    keys = read_chunk_keys(connection, [candidate.row for candidate in candidates])
    for candidate in candidates:
        if candidate.row not in keys:
            raise CorpusFormatError(
                f"an index names chunk row {candidate.row}, which is not there",
                hint="run `cytat reindex`",
            )
    passages = read_passages(connection, {key.id for key in keys.values()})
    hits = []
    for rank, candidate in enumerate(candidates, start=1):
        passage = passages[keys[candidate.row].id]
        hits.append(
            Hit(
                chunk_id=passage.chunk.id,
                document_id=passage.chunk.document_id,
                source=passage.source,
                title=passage.title,
                rank=rank,
                score=candidate.score,
                span=passage.chunk.span,
                locator=passage.locator,
                heading_path=passage.chunk.heading_path,
                text=passage.excerpt.text,
                why=candidate.why,
                copies=candidate.copies,
            )
        )
    return tuple(hits)


def _passage(connection: apsw.Connection, found: Row) -> tuple[int, PassageAtRow]:
    row, chunk_id, document_id, source, title, path, start, end, context = found
    span = Span(start, end)
    place = Copy(ChunkId(chunk_id), DocumentId(document_id), source, title, parse_path(path), span)
    return row, PassageAtRow(place, context, read_excerpt(connection, document_id, span))
