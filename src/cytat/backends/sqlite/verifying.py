"""A corpus file -> what is wrong with it. Reads everything, changes nothing, trusts nothing.

A damaged file can fail in any query, so each look is taken by itself: what SQLite or the parsing
of a column says becomes a fault of the document that was looked at.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import apsw
import numpy as np

from cytat.backends.sqlite.pending_space import read_pending
from cytat.backends.sqlite.postings import (
    ROW_TYPE,
    Rows,
    count_strays,
    indexed_rows,
    read_batches,
    read_postings,
)
from cytat.backends.sqlite.rows import (
    Row,
    parse_blocks,
    parse_ledger,
    parse_parts,
    parse_path,
    parse_stamp,
    parse_texts,
)
from cytat.backends.sqlite.schema import APPLICATION_ID, MIGRATIONS
from cytat.backends.sqlite.seals import (
    SealedPart,
    Soundness,
    read_seals,
    seal_of,
    segment_hash,
    soundness_of_batches,
)
from cytat.backends.sqlite.spaces import read_calibration, read_generation, read_space
from cytat.backends.sqlite.status import read_folders, read_status
from cytat.errors import CytatError
from cytat.records import Block, DocumentId, DocumentState, Part, Span, StoreFault, VectorSpace
from cytat.text.identity import passage_text, text_hash
from cytat.text.locators import count_line_breaks

DAMAGE = (apsw.Error, CytatError, ValueError, TypeError, KeyError, AttributeError, IndexError)
"""What reading damaged rows can raise; UnicodeDecodeError is a ValueError."""
NO_WEIGHTS = ""
"""In the stamp of a document some of whose chunks have no vector."""
UNIT_TOLERANCE = 1e-3
"""As where vectors are written."""

SELECT_ROWS = "select row from document order by source, id"
SELECT_NAMES = "select id, source from document where row = :row"
SELECT_RECORD = """
select state, version, stamp, ledger, metadata, given
from document
where row = :row
"""
SELECT_TEXT_COLUMNS = "select characters, reading, version from document where row = :row"
SELECT_SEGMENTS = """
select start, line, text, hash
from segment
where document = :row
order by start
"""
SELECT_CHUNKS = """
select chunk.start, chunk.end, chunk.heading_path, chunk.context, chunk.passage_hash,
       chunk.words_hash, document.title
from chunk
join document on document.row = chunk.document
where chunk.document = :row
order by chunk.start, chunk.id
"""
SELECT_CHUNK_ROWS = "select row from chunk where document = :row"
SELECT_ALL_CHUNK_ROWS = "select row from chunk order by row"
SELECT_VECTORS = """
select vector.vector
from chunk
join vector on vector.chunk = chunk.row
where chunk.document = :row
"""
SELECT_TRACES = "select stages from trace"
SELECT_UNSEALED = """
select id
from document
where text_seal is null or record_seal is null or vectors_seal is null
order by id
"""
COUNT_CHUNKS = "select count(*) from chunk where document = :row"
SELECT_TOTALS = """
select (select count(*) from document),
       (select count(*) from chunk),
       (select sum(length(cast(text as text))) from segment),
       (select count(*) from vector)
"""
SELECT_SCHEMA = """
select type, name, tbl_name, sql
from sqlite_schema
where name not like 'sqlite_%'
order by type, name
"""
SEALED = {
    SealedPart.TEXT: "its text, title or chunks",
    SealedPart.RECORD: "its state, ledger or metadata",
    SealedPart.VECTORS: "its vectors",
}


_ANOTHER = "restore a backup, or begin a new file with `cytat add`"
_RESTORE = "restore a backup, or run `cytat reindex`, which makes damaged documents again"
_REINDEX = "run `cytat reindex`"

CHECKS: Mapping[str, str] = MappingProxyType(
    {
        "sqlite": _ANOTHER,
        "format": _ANOTHER,
        "tables": _ANOTHER,
        "keys": _RESTORE,
        "counts": _RESTORE,
        "meta": _RESTORE,
        "documents": _RESTORE,
        "text": _RESTORE,
        "chunks": _RESTORE,
        "vectors": _REINDEX,
        "words": _REINDEX,
    }
)
"""What is checked, in the order reported, and what to do when it fails."""


def faults_of_file(connection: apsw.Connection, *, full: bool) -> Iterator[StoreFault]:
    """Yield what is wrong with the file as a database; `full` also compares its indexes."""
    looks: tuple[tuple[str, Callable[[], Iterator[str]]], ...] = (
        ("sqlite", lambda: _integrity(connection, full=full)),
        ("format", lambda: _format(connection)),
        ("tables", lambda: _tables(connection)),
        ("keys", lambda: _keys(connection)),
        ("counts", lambda: _counts(connection)),
        ("words", lambda: _words(connection)),
        ("meta", lambda: _meta(connection)),
    )
    for part, look in looks:
        for what in _guarded(look):
            yield StoreFault(part, "", "", what)


def faults_of_documents(connection: apsw.Connection, *, full: bool) -> Iterator[StoreFault]:
    """Yield what is wrong with each document; `full` also compares the seals."""
    try:
        space = read_space(connection)
        indexed = _indexed(connection)
        rows = [int(row) for (row,) in connection.execute(SELECT_ROWS)]
    except DAMAGE as damage:
        yield StoreFault("documents", "", "", _said(damage))
        return
    for row in rows:
        name, source = _names(connection, row)
        for part, look in _looks(connection, row, space, indexed, full=full):
            for what in _guarded(look):
                yield StoreFault(part, name, source, what)


def unsealed_documents(connection: apsw.Connection) -> tuple[DocumentId, ...]:
    """Return the ids of the documents that were written before there were seals."""
    return tuple(DocumentId(name) for (name,) in connection.execute(SELECT_UNSEALED))


# ---------------------------------------------------------------- looking


def _looks(
    connection: apsw.Connection,
    row: int,
    space: VectorSpace | None,
    indexed: Rows | None,
    *,
    full: bool,
) -> Iterator[tuple[str, Callable[[], Iterator[str]]]]:
    yield "documents", lambda: _record(connection, row)
    yield "text", lambda: _text(connection, row)
    yield "chunks", lambda: _chunks(connection, row)
    if indexed is not None:
        yield "words", lambda: _unindexed(connection, row, indexed)
    yield "vectors", lambda: _vectors(connection, row, space)
    if full:
        yield "documents", lambda: _seal(connection, row, SealedPart.RECORD)
        yield "text", lambda: _seal(connection, row, SealedPart.TEXT)
        yield "vectors", lambda: _seal(connection, row, SealedPart.VECTORS)


def _indexed(connection: apsw.Connection) -> Rows | None:
    """Return the rows that the words index holds; None when it is damaged, told of the file."""
    try:
        return indexed_rows(connection)
    except CytatError:
        return None


def _guarded(look: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Yield what a look finds; when the look itself fails on the rows, that is what it found."""
    try:
        yield from look()
    except DAMAGE as damage:
        yield _said(damage)


def _said(damage: BaseException) -> str:
    return f"cannot be read ({type(damage).__name__}: {damage})"


def _names(connection: apsw.Connection, row: int) -> tuple[str, str]:
    """Return id and source of a document; what cannot be read is said in place of the source."""
    try:
        name, source = _one(connection, SELECT_NAMES, row)
    except DAMAGE:
        return "", f"the document in row {row}"
    return str(name), str(source)


# ---------------------------------------------------------------- the file


def _integrity(connection: apsw.Connection, *, full: bool) -> Iterator[str]:
    pragma = "pragma integrity_check" if full else "pragma quick_check"
    yield from (str(line) for (line,) in connection.execute(pragma) if line != "ok")


def _format(connection: apsw.Connection) -> Iterator[str]:
    if connection.pragma("application_id") != APPLICATION_ID:
        yield "the application id is not cytat's"
    version = connection.pragma("user_version")
    if version != len(MIGRATIONS):
        yield f"the format is {version}, not {len(MIGRATIONS)}"


def _tables(connection: apsw.Connection) -> Iterator[str]:
    """Compare the tables with those of a new file."""
    fresh = apsw.Connection(":memory:")
    for step in MIGRATIONS:
        fresh.execute(step)
    wanted, found = (
        {row[1]: row for row in one.execute(SELECT_SCHEMA)} for one in (fresh, connection)
    )
    fresh.close()
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            yield f"{name} is not as it was made"


def _keys(connection: apsw.Connection) -> Iterator[str]:
    for table, row, parent, _ in connection.execute("pragma foreign_key_check"):
        yield f"row {row} of {table} belongs to nothing in {parent}"


def _counts(connection: apsw.Connection) -> Iterator[str]:
    """Count anew what `status` says."""
    names = ("documents", "chunks", "characters", "vectors")
    told = read_status(connection).totals
    indexed = len(indexed_rows(connection))
    if told["words"] != indexed:
        yield f"status counts {told['words']} words, the tables hold {indexed}"
    for counted in connection.execute(SELECT_TOTALS):
        for name, count in zip(names, counted, strict=True):
            if told[name] != (count or 0):
                yield f"status counts {told[name]} {name}, the tables hold {count or 0}"


def _words(connection: apsw.Connection) -> Iterator[str]:
    """Check that the words index is one, of the chunks that are there or were removed."""
    if count_strays(connection):
        yield f"{count_strays(connection)} rows of the words index belong nowhere"
    indexed = indexed_rows(connection)
    chunks = np.array([row for (row,) in connection.execute(SELECT_ALL_CHUNK_ROWS)], dtype=np.int64)
    stray = len(np.setdiff1d(indexed, chunks))
    if stray:
        yield f"{stray} entries of the words index belong to no chunk"
    soundness = soundness_of_batches(connection)
    for batch in read_batches(connection):
        if soundness[batch.number] is Soundness.AS_WRITTEN:
            continue
        if soundness[batch.number] is Soundness.DAMAGED:
            yield f"batch {batch.number} of the words index is not as it was written"
        for term, rows, _ in read_postings(connection, batch):
            if not np.isin(np.frombuffer(rows, dtype=ROW_TYPE), batch.rows).all():
                yield f"the postings of {term!r} name chunks that were not indexed"


def _meta(connection: apsw.Connection) -> Iterator[str]:
    """Read what belongs to no document: it has no seal, so only what cannot be read shows."""
    read_generation(connection)
    read_pending(connection)
    read_space(connection)
    read_calibration(connection)
    read_folders(connection)
    for (stages,) in connection.execute(SELECT_TRACES):
        json.loads(stages)
    yield from ()


# ---------------------------------------------------------------- one document


def _record(connection: apsw.Connection, row: int) -> Iterator[str]:
    for state, version, stamp, ledger, metadata, given in connection.execute(
        SELECT_RECORD, {"row": row}
    ):
        is_read = DocumentState(state) not in {DocumentState.SKIPPED, DocumentState.FAILED}
        if is_read != (version is not None) or is_read != (parse_stamp(stamp) is not None):
            yield f"it is {state}, which its version and stamp belie"
        parse_ledger(ledger)
        parse_texts(metadata)
        parse_texts(given)


def _text(connection: apsw.Connection, row: int) -> Iterator[str]:
    """Check that the segments join to one text, and that blocks and parts lie in it."""
    characters, reading, version = _one(connection, SELECT_TEXT_COLUMNS, row)
    at = line = 0
    for start, first_line, text, kept in connection.execute(SELECT_SEGMENTS, {"row": row}):
        if kept != segment_hash(version, start, first_line, text):
            yield f"its text at character {start} is not as it was written"
        if (start, first_line) != (at, line):
            yield f"its text breaks off at character {at}"
        at, line = start + len(text), first_line + count_line_breaks(text)
    if at != characters:
        yield f"its text has {at} characters, not {characters}"
    places: list[Block | Part] = [*parse_blocks(reading), *parse_parts(reading)]
    if any(place.span.end > characters for place in places):
        yield "blocks or parts lie outside its text"
    if version is None and characters:
        yield "it has text and no version"


def _chunks(connection: apsw.Connection, row: int) -> Iterator[str]:
    """Check the spans, and hash anew what is quoted and what is embedded."""
    segments = connection.execute(SELECT_SEGMENTS, {"row": row})
    text = "".join(segment for _, _, segment, _ in segments)
    chunks = connection.execute(SELECT_CHUNKS, {"row": row})
    for start, end, path, context, passage_hash, words_hash, title in chunks:
        words = Span(start, end).of(text)
        if text_hash(words) != words_hash:
            yield f"other words stand at {start}:{end} than were indexed"
        elif text_hash(passage_text(title, parse_path(path), context, words)) != passage_hash:
            yield f"title, headings or context of {start}:{end} are not those that were indexed"


def _unindexed(connection: apsw.Connection, row: int, indexed: Rows) -> Iterator[str]:
    chunks = [chunk for (chunk,) in connection.execute(SELECT_CHUNK_ROWS, {"row": row})]
    at = np.searchsorted(indexed, chunks)
    found = zip(chunks, at, strict=True)
    count = sum(chunk not in indexed[place : place + 1] for chunk, place in found)
    if count:
        yield f"{count} chunks are not in the words index"


def _vectors(connection: apsw.Connection, row: int, space: VectorSpace | None) -> Iterator[str]:
    blobs = [blob for (blob,) in connection.execute(SELECT_VECTORS, {"row": row})]
    missing = connection.execute(COUNT_CHUNKS, {"row": row}).get - len(blobs)
    _, _, stamp_column, ledger_column, _, _ = _one(connection, SELECT_RECORD, row)
    ledger = parse_ledger(ledger_column)
    is_told = ledger is not None and any(p.code == "not-embedded" for p in ledger.problems)
    if blobs and missing and not is_told:
        yield f"{missing} chunks have no vector, and nothing says why"
    if not blobs:
        return
    if space is None:
        yield "it has vectors, and the corpus has no vector space"
        return
    stamp = parse_stamp(stamp_column)
    if stamp is None or stamp.weights not in {space.weights, NO_WEIGHTS}:
        yield "its stamp names another vector space than the corpus'"
    if any(len(blob) != 4 * space.dimensions for blob in blobs):
        yield f"a vector has not {space.dimensions} dimensions"
        return
    matrix = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1)
    with np.errstate(all="ignore"):  # of damaged numbers, some are too large or none
        lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    off = ~(np.abs(lengths - 1) < UNIT_TOLERANCE)  # true for NaN, too
    if off.any():
        yield f"{int(off.sum())} vectors are not of length 1"


def _seal(connection: apsw.Connection, row: int, part: SealedPart) -> Iterator[str]:
    kept = read_seals(connection, row)[part]
    if kept is not None and kept != seal_of(connection, row, part):
        yield f"{SEALED[part]} are not as they were written"


def _one(connection: apsw.Connection, query: str, row: int) -> Row:
    found: Row | None = connection.execute(query, {"row": row}).fetchone()
    if found is None:
        raise KeyError(row)
    return found
