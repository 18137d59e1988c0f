"""A document's rows -> three seals kept beside them: hashes by which later damage is found.

The text is sealed when a version is written and never again; state, ledger, stamp and metadata,
which change while the text stays, have a seal of their own, and so have the vectors. A seal is
made only of what is written in the same transaction: sealing again what was merely found would
bless damage.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

import apsw

from cytat.store.rows import Column

SELECT_IDENTITY = """
select id, source, title, media_type, version, characters, language, reading, read_label
from document
where row = :document
"""
SELECT_SEGMENTS = """
select start, line, text
from segment
where document = :document
order by start
"""
SELECT_CHUNKS = """
select id, start, end, heading_path, context, passage_hash, words_hash
from chunk
where document = :document
order by id
"""
SELECT_RECORD = """
select state, code, message, hint, size, modified_ns, metadata, given, ledger, stamp
from document
where row = :document
"""
SELECT_VECTORS = """
select chunk.id, vector.vector
from chunk
join vector on vector.chunk = chunk.row
where chunk.document = :document
order by chunk.id
"""
DOCUMENT_ROW = "select row from document where id = :id"
SELECT_SEALS = "select text_seal, record_seal, vectors_seal from document where row = :document"
SET_TEXT_SEAL = "update document set text_seal = :seal where row = :document"
SET_RECORD_SEAL = "update document set record_seal = :seal where row = :document"
SET_VECTORS_SEAL = "update document set vectors_seal = :seal where row = :document"


class Part(StrEnum):
    """What has a seal of its own."""

    TEXT = "text"
    RECORD = "record"
    VECTORS = "vectors"


ALL_PARTS = frozenset(Part)

SEALED_BY: Mapping[Part, Sequence[str]] = MappingProxyType(
    {
        Part.TEXT: (SELECT_IDENTITY, SELECT_SEGMENTS, SELECT_CHUNKS),
        Part.RECORD: (SELECT_RECORD,),
        Part.VECTORS: (SELECT_VECTORS,),
    }
)
SETTERS: Mapping[Part, str] = MappingProxyType(
    {Part.TEXT: SET_TEXT_SEAL, Part.RECORD: SET_RECORD_SEAL, Part.VECTORS: SET_VECTORS_SEAL}
)


def seal(connection: apsw.Connection, document_id: str, parts: Iterable[Part]) -> None:
    """Seal parts of a document that this transaction has written; one that is gone has none."""
    row = connection.execute(DOCUMENT_ROW, {"id": document_id}).get
    if row is None:
        return
    for part in sorted(parts):
        made = seal_of(connection, row, part)
        connection.execute(SETTERS[part], {"document": row, "seal": made})


def seal_of(connection: apsw.Connection, document_row: int, part: Part) -> bytes:
    """Return the seal of what stands in the tables now."""
    digest = hashlib.sha256()
    for query in SEALED_BY[part]:
        for record in connection.execute(query, {"document": document_row}):
            for value in record:
                digest.update(_framed(value))
        digest.update(b"end")
    return digest.digest()


def is_sealed(connection: apsw.Connection, document_id: str, part: Part) -> bool:
    """Say whether a part still is what its seal was made of."""
    row = connection.execute(DOCUMENT_ROW, {"id": document_id}).get
    return row is not None and read_seals(connection, row)[part] == seal_of(connection, row, part)


def read_seals(connection: apsw.Connection, document_row: int) -> Mapping[Part, bytes | None]:
    """Return the seals of a document; None for a part written by a program that made none."""
    for seals in connection.execute(SELECT_SEALS, {"document": document_row}):
        return dict(zip((Part.TEXT, Part.RECORD, Part.VECTORS), seals, strict=True))
    return {}


def _framed(value: Column) -> bytes:
    """Return a value with its type and length: no two lists of values are joined alike."""
    raw = value if isinstance(value, bytes) else str(value).encode()
    return f"{type(value).__name__}{len(raw)}:".encode() + raw
