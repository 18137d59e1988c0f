"""Candidates -> Hits: rows of a ranking made complete enough to show and to cite."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import apsw

from cytat.errors import CorpusFormatError
from cytat.records import ChunkId, Copy, DocumentId, Hit, Span
from cytat.store.rows import (
    Candidate,
    Passage,
    Row,
    dump_json,
    parse_blocks,
    parse_pages,
    parse_path,
)
from cytat.store.texts import read_excerpt
from cytat.text.locators import locate

SELECT_FOR_HITS = """
select chunk.row, chunk.id, chunk.start, chunk.end, chunk.heading_path,
       document.id, document.source, document.title, document.media_type,
       iif(document.media_type in ('application/pdf', 'text/html'), document.reading,
           '{"blocks":[],"pages":[]}')
from json_each(:rows) as wanted
join chunk on chunk.row = wanted.value
join document on document.row = chunk.document
"""
SELECT_PASSAGES = """
select chunk.row, chunk.id, document.id, document.source, document.title, chunk.heading_path,
       chunk.start, chunk.end, chunk.context
from json_each(:rows) as wanted
join chunk on chunk.row = wanted.value
join document on document.row = chunk.document
"""
SELECT_ROW = "select row from chunk where id = :id"


def read_hits(connection: apsw.Connection, candidates: Sequence[Candidate]) -> tuple[Hit, ...]:
    """Return the hits in the order given, ranked from 1.

    All rows must be there: rank and read in one `Store.reading`.
    """
    rows = dump_json([candidate.row for candidate in candidates])
    found = {row[0]: row for row in connection.execute(SELECT_FOR_HITS, {"rows": rows})}
    return tuple(
        _hit(connection, _row_of(found, candidate), candidate, rank=rank)
        for rank, candidate in enumerate(candidates, start=1)
    )


def read_passages(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, Passage]:
    """Return the chunks at `rows` with their words; all must be there."""
    found = connection.execute(SELECT_PASSAGES, {"rows": dump_json(list(rows))}).fetchall()
    return dict(_passage(connection, row) for row in found)


def read_chunk_row(connection: apsw.Connection, chunk_id: str) -> int | None:
    """Return the row of a chunk, or None when the corpus no longer holds it."""
    row = connection.execute(SELECT_ROW, {"id": chunk_id}).get
    return None if row is None else int(row)


def _row_of(found: Mapping[int, Row], candidate: Candidate) -> Row:
    if candidate.row not in found:
        raise CorpusFormatError(
            f"an index names chunk row {candidate.row}, which is not there",
            hint="run `cytat reindex`",
        )
    return found[candidate.row]


_pages_of = lru_cache(maxsize=64)(parse_pages)
_blocks_of = lru_cache(maxsize=64)(parse_blocks)
"""Many hits of one ranking come from one document; its page map is parsed once."""


def _anchor_of(span: Span, reading: str) -> str | None:
    blocks = _blocks_of(reading)
    return next((at.anchor for at in reversed(blocks) if at.span.start <= span.start), None)


def _passage(connection: apsw.Connection, found: Row) -> tuple[int, Passage]:
    """Return a chunk's row and its passage."""
    row, chunk_id, document_id, source, title, path, start, end, context = found
    span = Span(start, end)
    place = Copy(ChunkId(chunk_id), DocumentId(document_id), source, title, parse_path(path), span)
    return row, Passage(place, context, read_excerpt(connection, document_id, span))


def _hit(connection: apsw.Connection, row: Row, candidate: Candidate, *, rank: int) -> Hit:
    _, chunk_id, start, end, path, document_id, source, title, media_type, reading = row
    span, heading_path = Span(start, end), parse_path(path)
    excerpt = candidate.excerpt or read_excerpt(connection, document_id, span)
    return Hit(
        chunk_id=ChunkId(chunk_id),
        document_id=DocumentId(document_id),
        source=source,
        title=title,
        rank=rank,
        score=candidate.score,
        span=span,
        locator=locate(
            span,
            media_type=media_type,
            pages=_pages_of(reading),
            heading_path=heading_path,
            first_line=excerpt.first_line,
            last_line=excerpt.last_line,
            quote=excerpt.text,
            anchor=_anchor_of(span, reading) if media_type == "text/html" else None,
        ),
        heading_path=heading_path,
        text=excerpt.text,
        why=candidate.why,
        copies=candidate.copies,
    )
