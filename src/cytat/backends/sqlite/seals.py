"""Seals: hashes of documents and of batches of the words index, by which later damage is found.

With the seal of a batch, that the index holds the words of the text need not be shown by analysing
every text again. A batch that was carried over from an older file has no seal until its words were
compared.

The text is sealed when a version is written and never again; state, ledger, stamp and metadata,
which change while the text stays, have a seal of their own, and so have the vectors. A seal is
made only of what is written in the same transaction: sealing again what was merely found would
bless damage.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum, auto
from types import MappingProxyType

import apsw

from cytat.backends.sqlite.rows import StoredValue

SELECT_BATCH_SEALS = """
select batch, cast(rows as blob), cast(lengths as blob), seal
from posting_batch
order by batch
"""
SELECT_POSTINGS = """
select batch, cast(term as blob), cast(rows as blob), cast(counts as blob)
from posting
order by batch, term
"""
SET_SEAL = "update posting_batch set seal = :seal where batch = :batch"


class Soundness(Enum):
    """How a batch stands to its seal."""

    AS_WRITTEN = auto()
    UNSEALED = auto()
    DAMAGED = auto()


class Seal:
    """The hash of a batch, made as its postings pass by term."""

    def __init__(self, rows: bytes, lengths: bytes) -> None:
        """Begin with the chunks of the batch."""
        self._digest = hashlib.sha256(_framed_bytes(rows, lengths))

    def take(self, term: bytes, rows: bytes, counts: bytes) -> None:
        """Take the next posting; `term` in UTF-8."""
        self._digest.update(_framed_bytes(term, rows, counts))

    def taking(
        self, postings: Iterable[tuple[str, bytes, bytes]]
    ) -> Iterator[tuple[str, bytes, bytes]]:
        """Yield postings as they are, and take each."""
        for posting in postings:
            term, rows, counts = posting
            self.take(term.encode(), rows, counts)
            yield posting

    @property
    def digest(self) -> bytes:
        """What is kept, 32 bytes."""
        return self._digest.digest()


def set_seal(connection: apsw.Connection, batch: int, seal: Seal | None) -> None:
    """Keep the seal of a batch; None where what it was made from was not sealed."""
    digest = None if seal is None else seal.digest
    connection.execute(SET_SEAL, {"batch": batch, "seal": digest})


def soundness_of_batches(connection: apsw.Connection) -> Mapping[int, Soundness]:
    """Return how each batch stands to its seal; reads every posting once."""
    kept, made = _made_anew(connection)
    return {batch: _compared(kept[batch], made[batch]) for batch in kept}


def seal_unsealed(connection: apsw.Connection) -> None:
    """Seal the batches that have no seal; their words have just been compared with the text."""
    kept, made = _made_anew(connection)
    for batch, digest in kept.items():
        if digest is None:
            set_seal(connection, batch, made[batch])


def _made_anew(
    connection: apsw.Connection,
) -> tuple[dict[int, bytes | None], dict[int, Seal]]:
    """Return the seals that are kept, and those of what is there."""
    kept: dict[int, bytes | None] = {}
    made: dict[int, Seal] = {}
    for batch, rows, lengths, seal in connection.execute(SELECT_BATCH_SEALS):
        kept[batch], made[batch] = seal, Seal(rows, lengths)
    for batch, term, rows, counts in connection.execute(SELECT_POSTINGS):
        if batch in made:  # others belong to no batch and are counted as such
            made[batch].take(term, rows, counts)
    return kept, made


def _compared(kept: bytes | None, made: Seal) -> Soundness:
    if kept is None:
        return Soundness.UNSEALED
    return Soundness.AS_WRITTEN if kept == made.digest else Soundness.DAMAGED


def _framed_bytes(*values: bytes) -> bytes:
    """Return values so that no two lists of them are joined alike."""
    return b"".join(b"%d:%b" % (len(value), value) for value in values)


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


class SealedPart(StrEnum):
    """What has a seal of its own."""

    TEXT = "text"
    RECORD = "record"
    VECTORS = "vectors"


ALL_PARTS = frozenset(SealedPart)

SEALED_BY: Mapping[SealedPart, Sequence[str]] = MappingProxyType(
    {
        SealedPart.TEXT: (SELECT_IDENTITY, SELECT_SEGMENTS, SELECT_CHUNKS),
        SealedPart.RECORD: (SELECT_RECORD,),
        SealedPart.VECTORS: (SELECT_VECTORS,),
    }
)
SETTERS: Mapping[SealedPart, str] = MappingProxyType(
    {
        SealedPart.TEXT: SET_TEXT_SEAL,
        SealedPart.RECORD: SET_RECORD_SEAL,
        SealedPart.VECTORS: SET_VECTORS_SEAL,
    }
)


def seal(connection: apsw.Connection, document_id: str, parts: Iterable[SealedPart]) -> None:
    """Seal parts of a document that this transaction has written; one that is gone has none."""
    row = connection.execute(DOCUMENT_ROW, {"id": document_id}).get
    if row is None:
        return
    for part in sorted(parts):
        made = seal_of(connection, row, part)
        connection.execute(SETTERS[part], {"document": row, "seal": made})


def seal_of(connection: apsw.Connection, document_row: int, part: SealedPart) -> bytes:
    """Return the seal of what stands in the tables now."""
    digest = hashlib.sha256()
    for query in SEALED_BY[part]:
        for record in connection.execute(query, {"document": document_row}):
            for value in record:
                digest.update(_framed(value))
        digest.update(b"end")
    return digest.digest()


def is_sealed(connection: apsw.Connection, document_id: str, part: SealedPart) -> bool:
    """Say whether a part still is what its seal was made of."""
    row = connection.execute(DOCUMENT_ROW, {"id": document_id}).get
    return row is not None and read_seals(connection, row)[part] == seal_of(connection, row, part)


def read_seals(connection: apsw.Connection, document_row: int) -> Mapping[SealedPart, bytes | None]:
    """Return the seals of a document; None for a part written by a program that made none."""
    for seals in connection.execute(SELECT_SEALS, {"document": document_row}):
        return dict(
            zip((SealedPart.TEXT, SealedPart.RECORD, SealedPart.VECTORS), seals, strict=True)
        )
    return {}


def segment_hash(version: str, start: int, line: int, text: str) -> bytes:
    """Return the hash of a piece of a version's text at its place."""
    digest = hashlib.sha256()
    for value in (version, start, line, text):
        digest.update(_framed(value))
    return digest.digest()


def _framed(value: StoredValue) -> bytes:
    """Return a value with its type and length: no two lists of values are joined alike."""
    raw = value if isinstance(value, bytes) else str(value).encode()
    return f"{type(value).__name__}{len(raw)}:".encode() + raw
