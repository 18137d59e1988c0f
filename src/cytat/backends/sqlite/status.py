"""What a corpus file says of itself: coverage, folders, documents by name, status, chunk rows."""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TypeAlias

import apsw

from cytat.backends.sqlite.documents import read_document_row, read_document_rows, read_sources
from cytat.backends.sqlite.rows import dump_json
from cytat.backends.sqlite.spaces import read_calibration, read_space
from cytat.errors import SourceError
from cytat.records import CorpusStatus, Coverage, DocumentState, DocumentStatus, StoredDocument
from cytat.text.identity import (
    containers_of,
    document_id,
    folders_within,
    label_around,
    path_of,
    path_text,
    possible_ids,
    resolve_tail,
)

COUNT_ALL = """
select count(*),
       count(*) filter (where state = 'failed'),
       sum(iif(json_valid(ledger), (ledger ->> 'empty') + (ledger ->> 'failed'), 0))
from document
"""
COUNT_SOME = """
select count(*),
       count(*) filter (where state = 'failed'),
       sum(iif(json_valid(ledger), (ledger ->> 'empty') + (ledger ->> 'failed'), 0))
from document
where row in (select value from json_each(:rows))
"""
"""The sum is the expression of the index document_coverage."""


def read_coverage(connection: apsw.Connection, rows: Collection[int] | None) -> Coverage:
    """Count all documents, or those at some rows."""
    query, bindings = (COUNT_ALL, {}) if rows is None else (COUNT_SOME, {"rows": dump_json(rows)})
    ((documents, failed, unread_parts),) = connection.execute(query, bindings)
    return Coverage(documents=documents, failed=failed, unread_parts=unread_parts or 0)


ROOT = Path("/")

SET_FOLDER_LABEL = "update folder set label = :label where path = :path"
SELECT_FOLDER_LABELS = "select path, label from folder where label is not null"
SELECT_CONTAINER_LABEL = "select read_label from document where id = :id"
INSERT_FOLDER = "insert or ignore into folder (path) values (:path)"
SELECT_FOLDERS = "select path from folder order by path"


def add_folder(connection: apsw.Connection, path: Path, label: str | None) -> None:
    """Remember a folder, and who may read what comes into it and into the folders in it."""
    named = path_text(path)
    connection.execute(INSERT_FOLDER, {"path": named})
    if label is None:
        return
    for within in folders_within(map(path_text, read_folders(connection)), named):
        said = label if within == named else None
        connection.execute(SET_FOLDER_LABEL, {"path": within, "label": said})


def label_of_place(connection: apsw.Connection, source: str, *, base: Path) -> str:
    """Return the label of what a document lies in: of its container, else of its folder."""
    for container in reversed(containers_of(source, base=base)):
        bindings = {"id": document_id(container)}
        label: str | None = connection.execute(SELECT_CONTAINER_LABEL, bindings).get
        if label:
            return label
    return label_around(dict(connection.execute(SELECT_FOLDER_LABELS)), source, base=base)


def read_folders(connection: apsw.Connection) -> tuple[Path, ...]:
    """Return the folders in order."""
    return tuple(path_of(path, base=ROOT) for (path,) in connection.execute(SELECT_FOLDERS))


def resolve(connection: apsw.Connection, text: str, *, base: Path) -> StoredDocument:
    """Return the document named by an id, a source, an absolute path or an unambiguous tail."""
    for wanted in possible_ids(text, base=base):
        document = read_document_row(connection, wanted)
        if document is not None:
            return document
    named = read_document_row(connection, resolve_tail(text, read_sources(connection)))
    if named is None:
        raise SourceError(f"no document is named {text!r}", hint="run `cytat verify`")
    return named


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
