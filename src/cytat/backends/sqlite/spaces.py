"""What `meta` keeps of a corpus: vector space, chunking, calibration, and the time of its making.

The key `making` also marks the file: one without it is somebody's own corpus and is not written
into.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, fields

import apsw

from cytat.backends.sqlite.rows import dump_json
from cytat.errors import CorpusFormatError
from cytat.protocols import Vectors, check_same_space
from cytat.records import Calibration, ChunkId, GateWeights, Making, VectorSpace

SPACE_KEY = "space"
GENERATION_KEY = "generation"
MARK_KEY = "generation_mark"
EDITION_KEY = "edition"

SELECT_META = "select value from meta where key = :key"
UPSERT_META = """
insert into meta (key, value) values (:key, :value)
on conflict (key) do update set value = excluded.value
"""
DRAW_MARK = """
insert into meta (key, value) values ('generation_mark', lower(hex(randomblob(8))))
on conflict (key) do update set value = excluded.value
"""
HAS_VECTORS = "select exists (select 1 from vector)"
SELECT_VECTORS = """
select chunk.passage_hash, vector.vector
from json_each(:hashes) as wanted
join chunk on chunk.passage_hash = unhex(wanted.value)
join vector on vector.chunk = chunk.row
"""
SELECT_ALL_VECTORS = """
select chunk.id, vector.vector
from vector
join chunk on chunk.row = vector.chunk
order by chunk.id
"""


def read_space(connection: apsw.Connection) -> VectorSpace | None:
    """Return the space of the corpus' vectors; None before the first."""
    value = connection.execute(SELECT_META, {"key": SPACE_KEY}).get
    return None if value is None else VectorSpace(**json.loads(value))


def check_space(connection: apsw.Connection, space: VectorSpace) -> None:
    """Refuse vectors of an encoder other than the one the corpus was made with.

    A corpus without any vector takes whatever encoder comes.
    """
    known = read_space(connection)
    if known is not None and connection.execute(HAS_VECTORS).get:
        check_same_space(known, space)


def claim_space(connection: apsw.Connection, space: VectorSpace) -> None:
    """Check the space and write it down as the corpus' own."""
    check_space(connection, space)
    if read_space(connection) == space:
        return
    connection.execute(
        UPSERT_META,
        {
            "key": SPACE_KEY,
            "value": dump_json(asdict(space)),
        },
    )


def read_vectors(
    connection: apsw.Connection, passage_hashes: Collection[bytes]
) -> Mapping[bytes, Vectors]:
    """Return the vectors that are already there, by the hash of the text they embed."""
    import numpy as np  # noqa: PLC0415 - to be asked for a status, a store needs no vectors

    wanted = dump_json([passage_hash.hex() for passage_hash in passage_hashes])
    return {
        passage_hash: np.frombuffer(blob, dtype="<f4")
        for passage_hash, blob in connection.execute(SELECT_VECTORS, {"hashes": wanted})
    }


def read_all_vectors(connection: apsw.Connection) -> Iterator[tuple[ChunkId, Vectors]]:
    """Yield each chunk id with its vector, by id."""
    import numpy as np  # noqa: PLC0415 - as above

    for chunk_id, blob in connection.execute(SELECT_ALL_VECTORS):
        yield ChunkId(chunk_id), np.frombuffer(blob, dtype="<f4")


def read_generation(connection: apsw.Connection) -> int:
    """Return how many committed writes have changed documents or vectors."""
    return int(connection.execute(SELECT_META, {"key": GENERATION_KEY}).get or 0)


def raise_generation(connection: apsw.Connection) -> None:
    """Count one more write; what is derived from an older generation is rebuilt."""
    generation = read_generation(connection) + 1
    connection.execute(UPSERT_META, {"key": GENERATION_KEY, "value": str(generation)})
    connection.execute(DRAW_MARK)


def read_mark(connection: apsw.Connection) -> str:
    """Return the mark of the generation, drawn at random; "" in a file not written since format 7.

    Two histories of a corpus, such as before and after a backup was put back, may count alike;
    their marks differ.
    """
    return str(connection.execute(SELECT_META, {"key": MARK_KEY}).get or "")


def read_edition(connection: apsw.Connection) -> int:
    """Return how often vectors were taken from, or replaced in, chunks that stayed."""
    return int(connection.execute(SELECT_META, {"key": EDITION_KEY}).get or 0)


def raise_edition(connection: apsw.Connection) -> None:
    """Say that a chunk which is known may have another vector now, or none."""
    edition = read_edition(connection) + 1
    connection.execute(UPSERT_META, {"key": EDITION_KEY, "value": str(edition)})


CHUNKING_KEY = "chunking"

FIRST_OF_STAMPS = """
select json_extract(stamp, '$.chunking')
from document
where stamp is not null
order by row
limit 1
"""
HAS_CHUNKS = "select exists (select 1 from chunk)"


def read_chunking(connection: apsw.Connection) -> str | None:
    """Return the chunking of the corpus; None while it has no chunks.

    A file written before this was noted down is cut as the stamp of its first document says.
    """
    if not connection.execute(HAS_CHUNKS).get:
        return None
    noted: str | None = connection.execute(SELECT_META, {"key": CHUNKING_KEY}).get
    return noted if noted is not None else connection.execute(FIRST_OF_STAMPS).get


def write_chunking(connection: apsw.Connection, name: str) -> None:
    """Note down how the corpus is cut from now on."""
    connection.execute(UPSERT_META, {"key": CHUNKING_KEY, "value": name})


CALIBRATION_KEY = "calibration"

DELETE_META = "delete from meta where key = :key"


def read_calibration(connection: apsw.Connection) -> Calibration | None:
    """Return the calibration; None where there was none."""
    value = connection.execute(SELECT_META, {"key": CALIBRATION_KEY}).get
    if value is None:
        return None
    read = json.loads(value)
    refitted = read["refitted"]
    return Calibration(
        **{**read, "refitted": None if refitted is None else GateWeights(**refitted)}
    )


def write_calibration(connection: apsw.Connection, calibration: Calibration) -> None:
    """Put a calibration in place of the one before; documents and vectors stay as they are."""
    value = dump_json(asdict(calibration))
    connection.execute(UPSERT_META, {"key": CALIBRATION_KEY, "value": value})


def delete_calibration(connection: apsw.Connection) -> None:
    """Go back to the gate that is shipped."""
    connection.execute(DELETE_META, {"key": CALIBRATION_KEY})


MAKING_KEY = "making"


def read_making(connection: apsw.Connection) -> Making | None:
    """Return what is noted; None in a corpus that was not made beside another.

    Raises:
        CorpusFormatError: another version noted something else.
    """
    value = connection.execute(SELECT_META, {"key": MAKING_KEY}).get
    if value is None:
        return None
    noted = json.loads(value)
    if noted.keys() != {field.name for field in fields(Making)}:
        raise CorpusFormatError(
            "an index made beside the corpus is of another version of cytat",
            hint="name another folder to keep indexes in, or empty this one",
        )
    return Making(**noted)


def write_making(connection: apsw.Connection, making: Making) -> None:
    """Note down how long it took so far."""
    connection.execute(UPSERT_META, {"key": MAKING_KEY, "value": dump_json(asdict(making))})


# ---------------------------------------------------------------- purges

PURGE_WANTED = "purge_wanted"


def want_purge(connection: apsw.Connection) -> None:
    """Write down that what is removed is to leave the file; inside the transaction that does."""
    connection.execute(UPSERT_META, {"key": PURGE_WANTED, "value": "1"})


def is_purge_wanted(connection: apsw.Connection) -> bool:
    """Say whether a purge was begun and has not ended."""
    return connection.execute(SELECT_META, {"key": PURGE_WANTED}).get is not None
