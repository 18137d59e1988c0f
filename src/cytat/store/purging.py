"""Removed words -> gone from the file. Deleting alone leaves terms in the words index.

`optimize` merges the index into one segment without the deleted terms, `vacuum` writes every page
anew, and the log, which still holds the old pages, is emptied into the file.
"""

import apsw

DELETE_TRACES = "delete from trace"
OPTIMIZE_WORDS = "insert into words (words) values ('optimize')"


def purge(connection: apsw.Connection) -> None:
    """Clear the file of what was removed before; traces quote documents, so all of them go."""
    connection.execute("begin immediate")
    try:
        connection.execute(DELETE_TRACES)
        connection.execute(OPTIMIZE_WORDS)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("vacuum")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
