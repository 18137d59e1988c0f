"""A batch of the words index -> its seal: a hash of what was written, which later damage belies.

With it, that the index holds the words of the text need not be shown by analysing every text
again. A batch that was carried over from an older file has no seal until its words were compared.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto

import apsw

SELECT_SEALS = """
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
        self._digest = hashlib.sha256(_framed(rows, lengths))

    def take(self, term: bytes, rows: bytes, counts: bytes) -> None:
        """Take the next posting; `term` in UTF-8."""
        self._digest.update(_framed(term, rows, counts))

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
    for batch, rows, lengths, seal in connection.execute(SELECT_SEALS):
        kept[batch], made[batch] = seal, Seal(rows, lengths)
    for batch, term, rows, counts in connection.execute(SELECT_POSTINGS):
        if batch in made:  # others belong to no batch and are counted as such
            made[batch].take(term, rows, counts)
    return kept, made


def _compared(kept: bytes | None, made: Seal) -> Soundness:
    if kept is None:
        return Soundness.UNSEALED
    return Soundness.AS_WRITTEN if kept == made.digest else Soundness.DAMAGED


def _framed(*values: bytes) -> bytes:
    """Return values so that no two lists of them are joined alike."""
    return b"".join(b"%d:%b" % (len(value), value) for value in values)
