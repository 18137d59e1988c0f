"""How long the making of a corpus beside another took so far, kept in its `meta`.

The key also marks the file: one without it is somebody's own corpus and is not written into.
"""

import json
from dataclasses import asdict, dataclass

import apsw

from cytat.store.rows import dump_json
from cytat.store.spaces import SELECT_META, UPSERT_META

MAKING_KEY = "making"


@dataclass(frozen=True, slots=True)
class Making:
    """Seconds by stage, and what was embedded in them; vectors found elsewhere cost nothing."""

    cutting_s: float
    embedding_s: float
    writing_s: float
    embedded: int
    """Passages."""
    embedded_tokens: int


NOTHING_MADE = Making(0.0, 0.0, 0.0, 0, 0)


def read_making(connection: apsw.Connection) -> Making | None:
    """Return what is noted; None in a corpus that was not made beside another."""
    value = connection.execute(SELECT_META, {"key": MAKING_KEY}).get
    return None if value is None else Making(**json.loads(value))


def write_making(connection: apsw.Connection, making: Making) -> None:
    """Note down how long it took so far."""
    connection.execute(UPSERT_META, {"key": MAKING_KEY, "value": dump_json(asdict(making))})
