"""How long the making of a corpus beside another took so far, kept in its `meta`.

The key also marks the file: one without it is somebody's own corpus and is not written into.
"""

import json
from dataclasses import asdict, dataclass, fields

import apsw

from cytat.errors import CorpusFormatError
from cytat.store.rows import dump_json
from cytat.store.spaces import SELECT_META, UPSERT_META

MAKING_KEY = "making"


@dataclass(frozen=True, slots=True)
class Making:
    """Seconds of each stage, and what was done in them: documents that change are made again.

    Vectors that were found elsewhere cost nothing and do not count.
    """

    cutting_s: float
    cut_characters: int
    embedding_s: float
    embedded_tokens: int
    writing_s: float
    written_chunks: int


NOTHING_MADE = Making(0.0, 0, 0.0, 0, 0.0, 0)


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
