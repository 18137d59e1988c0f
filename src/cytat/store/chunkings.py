"""How a corpus is cut, kept in `meta`, so that it goes on as it began."""

import apsw

from cytat.store.spaces import SELECT_META, UPSERT_META

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
