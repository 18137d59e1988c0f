"""Document versions in and out of the tables. Whole: all rows of a version come and go together.

Runs inside the caller's transaction.
"""

from collections.abc import Iterator

import apsw

from cytat.backends.sqlite.chunks import insert_chunks
from cytat.backends.sqlite.label_memory import (
    forget_labels,
    inherit_label,
    remember_content,
    remember_document,
)
from cytat.backends.sqlite.rows import (
    NO_READING,
    Given,
    Row,
    StoredValue,
    damage_named,
    dump_json,
    dump_optional,
    dump_reading,
    parse_ledger,
    parse_stamp,
    parse_texts,
)
from cytat.backends.sqlite.seals import segment_hash
from cytat.protocols import NewVersion
from cytat.records import (
    DocumentId,
    DocumentState,
    FileStamp,
    StoredDocument,
    Unread,
    Version,
)
from cytat.text.identity import EVERYONE
from cytat.text.locators import count_line_breaks

SEGMENT_CODE_POINTS = 16_000
"""A span is read through one or two segments: small enough to be cheap, few enough rows."""

UPSERT_DOCUMENT = """
insert into document (
    id, source, title, media_type, state, code, message, hint, version, size, modified_ns,
    characters, language, reading, metadata, given, ledger, stamp
) values (
    :id, :source, :title, :media_type, :state, :code, :message, :hint, :version, :size,
    :modified_ns, :characters, :language, :reading, :metadata, :given, :ledger, :stamp
)
on conflict (id) do update set
    source = excluded.source, title = excluded.title, media_type = excluded.media_type,
    state = excluded.state, code = excluded.code, message = excluded.message,
    hint = excluded.hint, version = excluded.version, size = excluded.size,
    modified_ns = excluded.modified_ns, characters = excluded.characters,
    language = excluded.language, reading = excluded.reading, metadata = excluded.metadata,
    given = excluded.given, ledger = excluded.ledger, stamp = excluded.stamp
returning row
"""
MARK_STALE = """
update document
set state = 'stale', code = :code, message = :message, hint = :hint
where id = :id
"""
UPDATE_GIVEN = """
update document
set given = :given, metadata = :metadata
where id = :id
"""
UPDATE_LABEL = """
update document
set read_label = :label
where id = :id and read_label <> :label
"""
SELECT_SOURCES = "select id, source from document order by source, id"
NOTE_REMOVED_WORDS = """
insert or ignore into posting_removed (chunk)
select row
from chunk
where document = :document
"""
DELETE_CHUNKS = "delete from chunk where document = :document"
DELETE_SEGMENTS = "delete from segment where document = :document"
DELETE_DOCUMENT = "delete from document where row = :document"
INSERT_SEGMENT = "insert into segment (document, start, line, text, hash) values (?, ?, ?, ?, ?)"
DOCUMENT_ROW = "select row from document where id = :id"
SELECT_HELD = "select row, version from document where id = :id"
SELECT_LABEL = "select read_label from document where id = :id"
SELECT_DOCUMENTS = """
select id, source, title, media_type, state, code, message, hint, version, size, modified_ns,
       characters, language, metadata, given, ledger, stamp,
       (select count(*) from chunk where chunk.document = document.row)
from document
order by source, id
"""
SELECT_DOCUMENT = """
select id, source, title, media_type, state, code, message, hint, version, size, modified_ns,
       characters, language, metadata, given, ledger, stamp,
       (select count(*) from chunk where chunk.document = document.row)
from document
where id = :id
"""
COUNT_OUTDATED = """
select count(*)
from document
where iif(json_valid(stamp), stamp ->> 'pipeline', null) < :pipeline
   or iif(json_valid(stamp), stamp ->> 'pipeline', null) > :pipeline
"""
"""Each side is one range of the index document_pipeline, whose expression it is."""
COUNT_DOCUMENTS = "select count(*) from document"


def replace_version(
    connection: apsw.Connection, new: NewVersion, *, place_label: str
) -> tuple[tuple[int, bytes], ...]:
    """Write a document version in place of the last one, but for its words and vectors.

    Words and vectors of the old chunks are gone after this. A document that is new has
    `place_label`, where neither its name nor its content has another.

    Returns:
        chunk.row and passage hash of each chunk, in order.
    """
    document = new.document
    held, version = _held(connection, document.id)
    is_other = version != document.version
    if held is not None and is_other:
        remember_content(connection, held)
    row = _upsert(connection, _version_columns(new))
    if is_other:
        inherit_label(connection, row, place_label=place_label if held is None else EVERYONE)
    _delete_contents(connection, row)
    connection.executemany(
        INSERT_SEGMENT,
        (
            (row, start, line, text, segment_hash(document.version, start, line, text))
            for start, line, text in _segments(document.text)
        ),
    )
    return insert_chunks(connection, row, new)


def record_unread(
    connection: apsw.Connection, unread: Unread, *, place_label: str
) -> DocumentState:
    """Write down that a source was not read; return the state it now has.

    A document that was readable before and fails now stays searchable in its last good version,
    marked stale. One that is skipped was read and holds nothing, so its old version leaves.
    """
    known = read_document_row(connection, unread.document_id)
    if known is not None and _is_known_already(known, unread):
        return known.state
    if unread.state is DocumentState.FAILED and known is not None and known.version is not None:
        columns = {"code": unread.code, "message": unread.message, "hint": unread.hint}
        connection.execute(MARK_STALE, {"id": unread.document_id, **columns})
        return DocumentState.STALE
    held, _ = _held(connection, unread.document_id)
    if held is not None:
        remember_content(connection, held)
    row = _upsert(connection, _unread_columns(unread))
    inherit_label(connection, row, place_label=place_label if held is None else EVERYONE)
    _delete_contents(connection, row)
    return unread.state


def delete_document(connection: apsw.Connection, document_id: DocumentId) -> bool:
    """Remove every row of a document; say whether there was one."""
    row = connection.execute(DOCUMENT_ROW, {"id": document_id}).get
    if row is None:
        return False
    remember_document(connection, row)
    _delete_contents(connection, row)
    connection.execute(DELETE_DOCUMENT, {"document": row})
    return True


def update_given(connection: apsw.Connection, known: StoredDocument, given: Given) -> None:
    """Add to what the person said of a document, and to its metadata."""
    connection.execute(
        UPDATE_GIVEN,
        {
            "id": known.id,
            "given": dump_json({**known.given, **given}),
            "metadata": dump_json({**known.metadata, **given}),
        },
    )


def update_label(connection: apsw.Connection, document_id: DocumentId, label: str) -> bool:
    """Say who may read a document; return whether that is another label than before."""
    connection.execute(UPDATE_LABEL, {"id": document_id, "label": label})
    is_new = connection.changes() > 0
    forget_labels(connection, document_id)
    return is_new


def read_label(connection: apsw.Connection, document_id: DocumentId) -> str | None:
    """Return who may read a document, "" for everyone; None where there is no such document."""
    label: str | None = connection.execute(SELECT_LABEL, {"id": document_id}).get
    return label


def read_sources(connection: apsw.Connection) -> dict[DocumentId, str]:
    """Return the source of every document, by its id."""
    return dict(connection.execute(SELECT_SOURCES))


def read_document_rows(connection: apsw.Connection) -> tuple[StoredDocument, ...]:
    """Return all documents by source."""
    return tuple(_stored_document(row) for row in connection.execute(SELECT_DOCUMENTS))


def read_document_row(
    connection: apsw.Connection, document_id: DocumentId
) -> StoredDocument | None:
    """Return one document, or None when the corpus does not hold it."""
    for row in connection.execute(SELECT_DOCUMENT, {"id": document_id}):
        return _stored_document(row)
    return None


def count_documents(connection: apsw.Connection) -> int:
    """Return how many documents there are."""
    return int(connection.execute(COUNT_DOCUMENTS).get)


def count_outdated(connection: apsw.Connection, pipeline: int) -> int:
    """Return how many documents another pipeline made."""
    return int(connection.execute(COUNT_OUTDATED, {"pipeline": pipeline}).get)


# ---------------------------------------------------------------- rows


def _is_known_already(known: StoredDocument, unread: Unread) -> bool:
    """Adding a folder twice changes nothing, also where it holds files that cannot be read."""
    state = known.state
    if known.version is not None and state is DocumentState.STALE:
        state = DocumentState.FAILED
    return (known.source, state, known.code, known.message, known.hint) == (
        unread.source,
        unread.state,
        unread.code,
        unread.message,
        unread.hint,
    )


def _held(connection: apsw.Connection, document_id: DocumentId) -> tuple[int | None, str | None]:
    """Return the row and the version of a document; neither where there is none."""
    for row, version in connection.execute(SELECT_HELD, {"id": document_id}):
        return row, version
    return None, None


def _upsert(connection: apsw.Connection, columns: dict[str, StoredValue]) -> int:
    return int(connection.execute(UPSERT_DOCUMENT, columns).get)


def _delete_contents(connection: apsw.Connection, row: int) -> None:
    """Remove text, chunks and words; vectors go with their chunks (on delete cascade)."""
    for statement in (NOTE_REMOVED_WORDS, DELETE_CHUNKS, DELETE_SEGMENTS):
        connection.execute(statement, {"document": row})


def _version_columns(new: NewVersion) -> dict[str, StoredValue]:
    document = new.document
    return {
        "id": document.id,
        "source": document.source,
        "title": document.title,
        "media_type": document.media_type,
        "state": new.state.value,
        "code": new.code,
        "message": new.message,
        "hint": new.hint,
        "version": document.version,
        **_file_columns(new.file),
        "characters": len(document.text),
        "language": new.language,
        "reading": dump_reading(document),
        "metadata": dump_json({**document.metadata, **new.given}),
        "given": dump_json(dict(new.given)),
        "ledger": dump_optional(document.ledger),
        "stamp": dump_optional(new.stamp),
    }


def _unread_columns(unread: Unread) -> dict[str, StoredValue]:
    return {
        "id": unread.document_id,
        "source": unread.source,
        "title": "",
        "media_type": "",
        "state": unread.state.value,
        "code": unread.code,
        "message": unread.message,
        "hint": unread.hint,
        "version": None,
        **_file_columns(unread.file),
        "characters": 0,
        "language": None,
        "reading": NO_READING,
        "metadata": "{}",
        "given": "{}",
        "ledger": dump_optional(unread.ledger),
        "stamp": None,
    }


def _file_columns(file: FileStamp | None) -> dict[str, StoredValue]:
    if file is None:
        return {"size": None, "modified_ns": None}
    return {"size": file.size, "modified_ns": file.modified_ns}


def _segments(text: str) -> Iterator[tuple[int, int, str]]:
    r"""Yield (start, line breaks before, text); no cut parts a `\r` from its `\n`."""
    start = line = 0
    while start < len(text):
        end = start + SEGMENT_CODE_POINTS
        if text[end - 1 : end + 1] == "\r\n":
            end += 1
        piece = text[start:end]
        yield start, line, piece
        start, line = start + len(piece), line + count_line_breaks(piece)


@damage_named
def _stored_document(row: Row) -> StoredDocument:
    return StoredDocument(
        id=DocumentId(row[0]),
        source=row[1],
        title=row[2],
        media_type=row[3],
        state=DocumentState(row[4]),
        code=row[5],
        message=row[6],
        hint=row[7],
        version=row[8] and Version(row[8]),
        file=None if row[9] is None else FileStamp(size=row[9], modified_ns=row[10]),
        characters=row[11],
        language=row[12],
        metadata=parse_texts(row[13]),
        given=parse_texts(row[14]),
        ledger=parse_ledger(row[15]),
        stamp=parse_stamp(row[16]),
        chunks=row[17],
    )
