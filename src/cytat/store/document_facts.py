"""What a filter asks of all documents, and where their chunks are. Reads only."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import apsw

from cytat.store.rows import dump_json, parse_texts

SELECT_FACTS = """
select row, source, title, media_type, language, metadata
from document
order by row
"""
SELECT_RANGES = """
select document, min(row), max(row), count(*)
from chunk
group by document   -- an index holds it all
order by document
"""
SELECT_ROWS = """
select document, row
from chunk
where document in (select value from json_each(:documents))
order by document, row
"""

FactsRow: TypeAlias = tuple[int, str, str, str, str | None, Mapping[str, str]]
"""document.row, source, title, media type, language, metadata."""

RowRange: TypeAlias = tuple[int, int, int]
"""document.row, and chunk.row of the first of so many chunks whose rows follow each other."""


def read_facts(connection: apsw.Connection) -> Iterator[FactsRow]:
    """Yield what a filter can ask of every document, by row."""
    for row, source, title, media_type, language, metadata in connection.execute(SELECT_FACTS):
        yield row, source, title, media_type, language, parse_texts(metadata)


def read_row_ranges(connection: apsw.Connection) -> list[RowRange]:
    """Return the rows of all chunks. A version is written at once: its rows are one range."""
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
