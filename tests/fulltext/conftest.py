"""A words index in memory, without documents' texts."""

from collections.abc import Callable

import apsw
import pytest
from tests.indexes import chunk_words

from cytat.backends.sqlite.index_writing import index_chunks
from cytat.backends.sqlite.schema import MIGRATIONS

INSERT_CHUNK = """
insert into chunk (row, id, document, start, end, heading_path, context, passage_hash, words_hash)
values (?, ?, 1, 0, 0, '[]', '', x'', x'')
"""


@pytest.fixture
def indexed() -> Callable[..., apsw.Connection]:
    """Return a maker of indexes: row -> text, with chunk ids such as "c07"."""

    def make(texts: dict[int, str], *, ids: dict[int, str] | None = None) -> apsw.Connection:
        connection = apsw.Connection(":memory:")
        for migration in MIGRATIONS:
            connection.execute(migration)
        connection.execute("pragma foreign_keys = off")  # chunks without documents
        for row, text in texts.items():
            connection.execute(INSERT_CHUNK, (row, (ids or {}).get(row, f"c{row:02}")))
            index_chunks(connection, [chunk_words(row, "", text, None)])
        return connection

    return make
