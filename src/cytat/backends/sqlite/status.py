"""The corpus' own account of itself, and where the rows of its chunks are. Reads only."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import apsw

from cytat.backends.sqlite.documents import read_document_rows
from cytat.backends.sqlite.rows import dump_json
from cytat.backends.sqlite.spaces import read_calibration, read_space
from cytat.records import CorpusStatus, DocumentState, DocumentStatus, StoredDocument

SELECT_RANGES = """
select document, min(row), max(row), count(*)
from main.chunk
group by document   -- an index holds it all
order by document
"""
SELECT_ROWS = """
select document, row
from main.chunk
where document in (select value from json_each(:documents))
order by document, row
"""

RowRange: TypeAlias = tuple[int, int, int]
"""document.row, and chunk.row of the first of so many chunks whose rows follow each other."""


def read_row_ranges(connection: apsw.Connection) -> list[RowRange]:
    """Return the rows of all chunks, whoever asks. A version's rows are one range, as a rule."""
    ranges: list[RowRange] = []
    scattered: list[int] = []
    for document, first, last, count in connection.execute(SELECT_RANGES):
        if last - first + 1 == count:
            ranges.append((document, first, count))
        else:
            scattered.append(document)
    if scattered:
        rows = connection.execute(SELECT_ROWS, {"documents": dump_json(scattered)})
        ranges += [(document, row, 1) for document, row in rows]
    return ranges


LAST_SEGMENTS = """
select document.id, segment.start, segment.text
from document join segment on segment.document = document.row
where segment.start = (
    select max(last.start) from segment as last where last.document = document.row
)
"""
COUNT_VECTORS = "select count(*) from vector"
COUNT_WORDS = """
select coalesce(sum(length(rows)), 0) / 4 - (select count(*) from posting_removed)
from posting_batch
"""


def read_status(connection: apsw.Connection) -> CorpusStatus:
    """Return all documents by source, and totals per state and kind."""
    characters = {
        document_id: start + len(text)
        for document_id, start, text in connection.execute(LAST_SEGMENTS)
    }
    documents = tuple(
        _status(document, characters.get(document.id, 0))
        for document in read_document_rows(connection)
    )
    return CorpusStatus(
        documents=documents,
        totals={
            **_totals(documents),
            "words": connection.execute(COUNT_WORDS).get,
            "vectors": connection.execute(COUNT_VECTORS).get,
        },
        stamp=read_space(connection),
        calibration=read_calibration(connection),
    )


def _status(document: StoredDocument, characters: int) -> DocumentStatus:
    return DocumentStatus(
        source=document.source,
        document_id=document.id,
        title=document.title,
        state=document.state,
        code=document.code,
        message=document.message,
        version=document.version,
        chunks=document.chunks,
        characters=characters,
        language=document.language,
        ledger=document.ledger,
        stamp=document.stamp,
        metadata=document.metadata,
    )


def _totals(documents: Iterable[DocumentStatus]) -> dict[str, int]:
    states = Counter[str]()
    chunks = characters = unread = 0
    for document in documents:
        states[document.state.value] += 1
        chunks += document.chunks
        characters += document.characters
        unread += document.ledger.failed if document.ledger else 0
    return {
        "documents": states.total(),
        **{state.value: states[state.value] for state in DocumentState},
        "chunks": chunks,
        "characters": characters,
        "unread_parts": unread,
    }
