"""Vectors of the next space, made beside those in use, and the switch from one to the other.

`vector_next` fills up batch by batch, so that a run that was killed goes on where it was. Nobody
reads it: until the switch, one transaction, every search uses the old vectors alone.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict

import apsw

from cytat.backends.sqlite.rows import Row, dump_json, dump_optional, parse_path
from cytat.backends.sqlite.spaces import SELECT_META, SPACE_KEY, UPSERT_META, raise_edition
from cytat.backends.sqlite.texts import read_excerpt
from cytat.errors import CorpusFormatError
from cytat.protocols import Vectors
from cytat.records import ChunkId, DocumentId, DocumentUpdate, PassageToEmbed, Span, VectorSpace
from cytat.text.identity import passage_text, text_hash

PENDING_KEY = "space_next"

DELETE_META = "delete from meta where key = :key"
DELETE_NEXT = "delete from vector_next"
SELECT_MISSING = """
select chunk.id, chunk.passage_hash, document.id, document.title, chunk.heading_path,
       chunk.context, chunk.start, chunk.end
from chunk
join document on document.row = chunk.document
where chunk.id > :after
  and not exists (select 1 from vector_next where vector_next.chunk = chunk.row)
  and (:languages is null or document.language is null
       or document.language in (select value from json_each(:languages)))
order by chunk.id
limit :limit
"""
COUNT_WANTED = """
select count(*)
from chunk
join document on document.row = chunk.document
where :languages is null or document.language is null
   or document.language in (select value from json_each(:languages))
"""
COUNT_NEXT = "select count(*) from vector_next"
INSERT_NEXT = """
insert or replace into vector_next (chunk, vector)
select row, :vector
from chunk
where id = :id and passage_hash = :passage_hash
"""
COUNT_LACKING = """
select document.id, count(*)
from chunk
join document on document.row = chunk.document
where not exists (select 1 from vector_next where vector_next.chunk = chunk.row)
group by document.row
"""
DELETE_VECTORS = "delete from vector"
COPY_NEXT = """
insert into vector (chunk, vector)
select chunk, vector
from vector_next
order by chunk
"""
SET_RECORD = """
update document
set state = :state, code = :code, message = :message, hint = :hint, ledger = :ledger, stamp = :stamp
where id = :id
"""
RESET_RECORD = """
update document
set state = 'stale', code = 'unreadable', message = :message, hint = :hint,
    metadata = '{}', given = '{}', ledger = null, stamp = null
where id = :id
"""
DELETE_VECTORS_OF = """
delete from vector
where chunk in (
    select chunk.row from chunk join document on document.row = chunk.document
    where document.id = :id
)
"""


def read_pending(connection: apsw.Connection) -> VectorSpace | None:
    """Return the space that is being made; None when none is."""
    value = connection.execute(SELECT_META, {"key": PENDING_KEY}).get
    return None if value is None else VectorSpace(**json.loads(value))


def begin_pending(connection: apsw.Connection, space: VectorSpace) -> None:
    """Make `space` the next one; vectors of another next one are thrown away."""
    if read_pending(connection) == space:
        return
    connection.execute(DELETE_NEXT)
    connection.execute(UPSERT_META, {"key": PENDING_KEY, "value": dump_json(asdict(space))})


def drop_pending(connection: apsw.Connection) -> None:
    """Forget the next space."""
    connection.execute(DELETE_NEXT)
    connection.execute(DELETE_META, {"key": PENDING_KEY})


def read_missing(
    connection: apsw.Connection,
    *,
    languages: Collection[str] | None,
    after: ChunkId | None,
    limit: int,
) -> list[PassageToEmbed]:
    """Return the next chunks, by id, that lack a vector though the encoder knows their language.

    Args:
        connection: inside one transaction.
        languages: those the encoder knows; None means all.
        after: the last chunk seen; None begins.
        limit: how many at most.
    """
    bindings = {"languages": _listed(languages), "after": after or "", "limit": limit}
    found = list(connection.execute(SELECT_MISSING, bindings))
    return [_missing(connection, row) for row in found]


def count_wanted(connection: apsw.Connection, *, languages: Collection[str] | None) -> int:
    """Return how many chunks the next space will hold."""
    return int(connection.execute(COUNT_WANTED, {"languages": _listed(languages)}).get)


def count_next(connection: apsw.Connection) -> int:
    """Return how many vectors of the next space are there."""
    return int(connection.execute(COUNT_NEXT).get)


def write_next(
    connection: apsw.Connection, found: Collection[PassageToEmbed], vectors: Mapping[bytes, Vectors]
) -> None:
    """Keep vectors of the next space, by passage hash.

    A chunk that is gone by now, since its document changed while it was embedded, is passed over.
    """
    import numpy as np  # noqa: PLC0415 - see `spaces.read_vectors`

    connection.executemany(
        INSERT_NEXT,
        (
            {
                "id": one.chunk_id,
                "passage_hash": one.passage_hash,
                "vector": np.ascontiguousarray(vectors[one.passage_hash], dtype="<f4").tobytes(),
            }
            for one in found
            if one.passage_hash in vectors
        ),
    )


def count_lacking(connection: apsw.Connection) -> Mapping[DocumentId, int]:
    """Return how many chunks of each document would have no vector after a switch now."""
    return dict(connection.execute(COUNT_LACKING))


def switch(
    connection: apsw.Connection, space: VectorSpace, updates: Iterable[DocumentUpdate]
) -> None:
    """Put the next vectors in place of those in use, and say so in the space and each document."""
    for statement in (DELETE_VECTORS, COPY_NEXT):
        connection.execute(statement)
    raise_edition(connection)
    drop_pending(connection)
    connection.execute(UPSERT_META, {"key": SPACE_KEY, "value": dump_json(asdict(space))})
    for update in updates:
        set_record(connection, update)


def set_record(connection: apsw.Connection, update: DocumentUpdate) -> None:
    """Write down state and stamp of a document; its text stays."""
    connection.execute(
        SET_RECORD,
        {
            "id": update.document_id,
            "state": update.state.value,
            "code": update.code,
            "message": update.message,
            "hint": update.hint,
            "ledger": dump_optional(update.ledger),
            "stamp": dump_optional(update.stamp),
        },
    )


def reset_record(connection: apsw.Connection, document_id: str) -> None:
    """Replace a record that cannot be read by one that says so; what the person added is lost."""
    connection.execute(
        RESET_RECORD,
        {
            "id": document_id,
            "message": "its record in the corpus file was damaged",
            "hint": "put its file back and run `cytat reindex`",
        },
    )


def drop_vectors_of(connection: apsw.Connection, document_id: str) -> None:
    """Remove the vectors of one document."""
    connection.execute(DELETE_VECTORS_OF, {"id": document_id})
    raise_edition(connection)


def _listed(languages: Collection[str] | None) -> str | None:
    return None if languages is None else dump_json(sorted(languages))


def _missing(connection: apsw.Connection, row: Row) -> PassageToEmbed:
    """Return a chunk with its passage; a blank one where other words stand than were indexed."""
    chunk_id, passage_hash, document_id, title, path, context, start, end = row
    try:
        words = read_excerpt(connection, document_id, Span(start, end)).text
        passage = passage_text(title, parse_path(path), context, words)
    except (ValueError, CorpusFormatError):
        passage = ""
    is_sound = text_hash(passage) == passage_hash
    return PassageToEmbed(ChunkId(chunk_id), passage_hash, passage if is_sound else "")
