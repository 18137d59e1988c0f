"""Removed words -> gone from the file. Deleting alone leaves their postings in the words index.

The batches are merged without them, `vacuum` writes every page anew, and the log, which still
holds the old pages, is emptied into the file.
"""

import apsw

DELETE_TRACES = "delete from trace"


def purge(connection: apsw.Connection) -> None:
    """Clear the file of what was removed before; traces quote documents, so all of them go."""
    from cytat.store.postings import drop_removed  # noqa: PLC0415 - as in `spaces.read_vectors`

    connection.execute("begin immediate")
    try:
        connection.execute(DELETE_TRACES)
        drop_removed(connection)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("vacuum")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
