"""The one vector space of a corpus, kept in `meta`, and vectors found again by what they embed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import apsw

from cytat.errors import VectorSpaceError
from cytat.protocols import Vectors
from cytat.records import VectorSpace
from cytat.store.rows import dump_json

SPACE_KEY = "space"
GENERATION_KEY = "generation"
EDITION_KEY = "edition"

SELECT_META = "select value from meta where key = :key"
UPSERT_META = """
insert into meta (key, value) values (:key, :value)
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
    if known is None or is_same_space(known, space) or not connection.execute(HAS_VECTORS).get:
        return
    raise VectorSpaceError(
        f"the index was made with {known.embedder} ({known.dimensions} dimensions, weights "
        f"{known.weights[:12]}), but {space.embedder} ({space.dimensions}, {space.weights[:12]}) "
        "is configured",
        hint=f"run `cytat reindex --embedder {space.embedder.partition(':')[0]}`, or set the "
        "embedder back",
    )


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
    connection: apsw.Connection, passage_hashes: Sequence[bytes]
) -> Mapping[bytes, Vectors]:
    """Return the vectors that are already there, by the hash of the text they embed."""
    import numpy as np  # noqa: PLC0415 - to be asked for a status, a store needs no vectors

    wanted = dump_json([passage_hash.hex() for passage_hash in passage_hashes])
    return {
        passage_hash: np.frombuffer(blob, dtype="<f4")
        for passage_hash, blob in connection.execute(SELECT_VECTORS, {"hashes": wanted})
    }


def read_all_vectors(connection: apsw.Connection) -> Iterator[tuple[str, bytes]]:
    """Yield each chunk id with its vector as it is stored, by id."""
    yield from connection.execute(SELECT_ALL_VECTORS)


def read_generation(connection: apsw.Connection) -> int:
    """Return how many committed writes have changed documents or vectors."""
    return int(connection.execute(SELECT_META, {"key": GENERATION_KEY}).get or 0)


def raise_generation(connection: apsw.Connection) -> None:
    """Count one more write; what is derived from an older generation is rebuilt."""
    generation = read_generation(connection) + 1
    connection.execute(UPSERT_META, {"key": GENERATION_KEY, "value": str(generation)})


def read_edition(connection: apsw.Connection) -> int:
    """Return how often vectors were taken from, or replaced in, chunks that stayed."""
    return int(connection.execute(SELECT_META, {"key": EDITION_KEY}).get or 0)


def raise_edition(connection: apsw.Connection) -> None:
    """Say that a chunk which is known may have another vector now, or none."""
    edition = read_edition(connection) + 1
    connection.execute(UPSERT_META, {"key": EDITION_KEY, "value": str(edition)})


def is_same_space(known: VectorSpace, space: VectorSpace) -> bool:
    """Say whether vectors can be compared: a name may change, the weights make a space."""
    return (known.dimensions, known.weights) == (space.dimensions, space.weights)
