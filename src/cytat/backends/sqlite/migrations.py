"""A connection -> the same file in this program's format. Each step is one transaction.

`user_version` in the file's header counts the steps that were taken, so a step that was
interrupted is taken again and none is taken twice, whoever else opens the file meanwhile.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import apsw

from cytat.backends.sqlite.connection import BUSY_TIMEOUT_S, is_read_only, translated
from cytat.backends.sqlite.schema import APPLICATION_ID, IN_CODE
from cytat.errors import CorpusFormatError

_RETRY_S = 0.02


def migrate(connection: apsw.Connection, path: Path, steps: Sequence[str]) -> None:
    """Bring the file to format `len(steps)`; refuse one of a newer program."""
    with translated(path):
        version = _format_of(connection)
    if version > len(steps):
        raise CorpusFormatError(
            f"{path} has format {version}; this program knows formats up to {len(steps)}",
            hint="pip install --upgrade cytat",
        )
    is_old = version < len(steps)
    if is_read_only(connection) and is_old:
        raise CorpusFormatError(
            f"{path} has format {version} and cannot be brought to {len(steps)}: it is read-only",
            hint="copy it to a folder you can write and open it there",
        )
    if is_read_only(connection):
        return
    with translated(path):
        _use_log(connection)  # a copy made by other tools may have lost it
        for number in range(version + 1, len(steps) + 1):
            _take(connection, number, steps[number - 1])


def _format_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _use_log(connection: apsw.Connection) -> None:
    """Switch to the write-ahead log; two processes that begin one file may collide here.

    SQLite does not call the busy handler for this pragma, so the wait is ours.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_S)
        else:
            return


def _take(connection: apsw.Connection, number: int, step: str) -> None:
    """Take one step unless another process has taken it while this one waited for the lock."""
    connection.execute("begin immediate")
    try:
        if _format_of(connection) < number:
            connection.execute(step)
            if number in IN_CODE:
                IN_CODE[number](connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", number)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back itself where the disk is full
            connection.execute("rollback")
        raise
