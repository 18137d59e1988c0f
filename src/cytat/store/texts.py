"""(document, span) -> its characters and lines, from the canonical text kept in segments."""

import apsw

from cytat.errors import SourceError
from cytat.records import Block, Page, Span
from cytat.store.rows import Excerpt, parse_blocks, parse_pages
from cytat.text.lines import line_of

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
