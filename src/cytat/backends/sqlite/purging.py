"""Removed words -> gone from the file. Deleting alone leaves their postings in the words index.

The batches are merged without them, `vacuum` writes every page anew, and the log, which still
holds the old pages, is emptied into the file. The file of vectors beside it goes. That it is wanted
is written down before, so that a purge that was stopped is told of, and finished by the next.
"""

from pathlib import Path

import apsw

from cytat.backends.sqlite.spaces import SELECT_META, UPSERT_META
from cytat.errors import CorpusError

WANTED_KEY = "purge_wanted"

DELETE_TRACES = "delete from trace"
DELETE_WANTED = "delete from meta where key = :key"


def want(connection: apsw.Connection) -> None:
    """Write down that what is removed is to leave the file; inside the transaction that does."""
    connection.execute(UPSERT_META, {"key": WANTED_KEY, "value": "1"})


def is_wanted(connection: apsw.Connection) -> bool:
    """Say whether a purge was begun and has not ended."""
    return connection.execute(SELECT_META, {"key": WANTED_KEY}).get is not None


def purge(connection: apsw.Connection) -> None:
    """Clear the file of what was removed before; traces quote documents, so all of them go."""
    from cytat.backends.sqlite.postings import drop_removed  # noqa: PLC0415 - as in `spaces.read_vectors`

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
    _remove_vectors_beside(Path(connection.filename))
    connection.execute(DELETE_WANTED, {"key": WANTED_KEY})


def _remove_vectors_beside(corpus: Path) -> None:
    from cytat.backends.sqlite.indexes import vector_file  # noqa: PLC0415 - as above

    try:
        vector_file.remove_vectors_beside(corpus)
    except OSError as error:
        raise CorpusError(
            f"{vector_file.vector_file_of(corpus)} cannot be removed: {error.strerror}",
            hint="close the programs that use the corpus, and purge again",
        ) from error
