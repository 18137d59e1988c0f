"""Spans -> characters and lines of the canonical text; candidates -> Hits that can be cited."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import apsw

from cytat.errors import CorpusFormatError, SourceError
from cytat.records import Block, ChunkId, Copy, DocumentId, Hit, Page, Span
from cytat.store.rows import (
    Candidate,
    Excerpt,
    Row,
    StoredPassage,
    dump_json,
    parse_blocks,
    parse_pages,
    parse_path,
)
from cytat.text.locators import locate
from cytat.text.offsets import line_of

SELECT_SEGMENTS_BEFORE = """
select segment.start, segment.line, segment.text
from document join segment on segment.document = document.row
where document.id = :id and segment.start < :end
order by segment.start desc   -- read only down to the segment in which the span begins
"""
SELECT_TEXT = """
select segment.text
from document join segment on segment.document = document.row
where document.id = :id
order by segment.start
"""
SELECT_READING = "select reading from document where id = :id"


def read_excerpt(connection: apsw.Connection, document_id: str, span: Span) -> Excerpt:
    """Return exactly the characters at `span`; ValueError when they are not all there."""
    pieces = _pieces(connection, document_id, span)
    if not pieces:
        return _excerpt_of_nothing(connection, document_id, span)
    first_start, line, _ = pieces[0]
    held = "".join(text for _, _, text in pieces)
    within = Span(span.start - first_start, span.end - first_start)
    text = within.of(held)
    last = max(within.start, within.end - 1)
    return Excerpt(text, line + line_of(held, within.start), line + line_of(held, last))


def _pieces(
    connection: apsw.Connection, document_id: str, span: Span
) -> list[tuple[int, int, str]]:
    """Return the segments that hold a span, in order: each start, line breaks before it, text."""
    bindings = {"id": document_id, "end": max(span.end, span.start + 1)}
    pieces = []
    for start, line, text in connection.execute(SELECT_SEGMENTS_BEFORE, bindings):
        pieces.append((start, line, text))
        if start <= span.start:
            break
    return pieces[::-1]


def read_text(connection: apsw.Connection, document_id: str) -> str:
    """Return a document's whole canonical text."""
    text = "".join(text for (text,) in connection.execute(SELECT_TEXT, {"id": document_id}))
    if not text:
        _check_known(connection, document_id)
    return text


def read_pages(connection: apsw.Connection, document_id: str) -> tuple[Page, ...]:
    """Return a document's pages; none for formats without pages."""
    return parse_pages(_check_known(connection, document_id))


def read_blocks(connection: apsw.Connection, document_id: str) -> tuple[Block, ...]:
    """Return a document's blocks in text order."""
    return parse_blocks(_check_known(connection, document_id))


def _excerpt_of_nothing(connection: apsw.Connection, document_id: str, span: Span) -> Excerpt:
    """An empty text has one empty span; every other span lies outside."""
    _check_known(connection, document_id)
    return Excerpt(span.of(""), 1, 1)


def _check_known(connection: apsw.Connection, document_id: str) -> str:
    for (reading,) in connection.execute(SELECT_READING, {"id": document_id}):
        return str(reading)
    raise SourceError(
        f"the corpus holds no document {document_id}", hint="`cytat status` lists the documents"
    )


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


def read_passages(connection: apsw.Connection, rows: Sequence[int]) -> dict[int, StoredPassage]:
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


def _passage(connection: apsw.Connection, found: Row) -> tuple[int, StoredPassage]:
    """Return a chunk's row and its passage."""
    row, chunk_id, document_id, source, title, path, start, end, context = found
    span = Span(start, end)
    place = Copy(ChunkId(chunk_id), DocumentId(document_id), source, title, parse_path(path), span)
    return row, StoredPassage(place, context, read_excerpt(connection, document_id, span))


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
