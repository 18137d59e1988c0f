"""How much of a corpus can be searched at all. Counted by SQLite, from an index."""

from collections.abc import Collection

import apsw

from cytat.backends.sqlite.rows import dump_json
from cytat.records import Coverage

COUNT_ALL = """
select count(*),
       count(*) filter (where state = 'failed'),
       sum(iif(json_valid(ledger), (ledger ->> 'empty') + (ledger ->> 'failed'), 0))
from document
"""
COUNT_SOME = """
select count(*),
       count(*) filter (where state = 'failed'),
       sum(iif(json_valid(ledger), (ledger ->> 'empty') + (ledger ->> 'failed'), 0))
from document
where row in (select value from json_each(:rows))
"""
"""The sum is the expression of the index document_coverage."""


def read_coverage(connection: apsw.Connection, rows: Collection[int] | None) -> Coverage:
    """Count all documents, or those at some rows."""
    query, bindings = (COUNT_ALL, {}) if rows is None else (COUNT_SOME, {"rows": dump_json(rows)})
    ((documents, failed, unread_parts),) = connection.execute(query, bindings)
    return Coverage(documents=documents, failed=failed, unread_parts=unread_parts or 0)
