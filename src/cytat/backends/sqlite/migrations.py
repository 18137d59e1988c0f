"""A connection -> the same file in this program's format. Each step is one transaction.

`user_version` in the file's header counts the steps that were taken, so a step that was
interrupted is taken again and none is taken twice, whoever else opens the file meanwhile.

Format 7 -> 8 needs code: the pages of a PDF become parts as any reader may write them. Before, the
place of a hit was chosen by the media type: a page number in a PDF, the words in HTML. Since then
`reading` itself says both, so that a reader of another format can say its own. Places of old
documents stay as they were, to the character. The seal of a text is made of `reading`, too. It is
made again only where it held before: a document that was damaged stays one.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import apsw

from cytat.backends.sqlite.connection import BUSY_TIMEOUT_S, is_read_only, translated
from cytat.backends.sqlite.rows import dump_json
from cytat.backends.sqlite.schema import APPLICATION_ID
from cytat.backends.sqlite.seals import SealedPart, read_seals, seal, seal_of
from cytat.errors import CorpusFormatError
from cytat.records import FragmentStyle, LocatorKind

SELECT_ROWS = "select row, id, media_type from document order by row"
SELECT_READING = "select reading from document where row = :document"
UPDATE_READING = "update document set reading = :reading where row = :document"


def pages_to_parts(connection: apsw.Connection) -> None:
    """Rewrite `reading` of every document; runs inside a transaction."""
    for row, document_id, media_type in list(connection.execute(SELECT_ROWS)):
        reading: str = connection.execute(SELECT_READING, {"document": row}).get
        renewed = _renewed_reading(media_type, reading)
        if renewed is None:
            continue
        kept = read_seals(connection, row)[SealedPart.TEXT]
        is_sound = kept is not None and kept == seal_of(connection, row, SealedPart.TEXT)
        connection.execute(UPDATE_READING, {"document": row, "reading": renewed})
        if is_sound:
            seal(connection, document_id, {SealedPart.TEXT})


def _renewed_reading(media_type: str, reading: str) -> str | None:
    """Return the column in its new form; None for one that is damaged, which stays as it is."""
    try:
        known = json.loads(reading)
        renewed: dict[str, object] = {"blocks": known["blocks"]}
        parts = [
            [LocatorKind.PAGE.value, label or str(number), f"#page={number}", number, start, end]
            for number, label, start, end in known["pages"]
        ]
    except (ValueError, TypeError, KeyError):
        return None
    if parts and media_type == "application/pdf":
        renewed["parts"] = parts
    if media_type == "text/html":
        renewed["fragments"] = FragmentStyle.WORDS.value
    return dump_json(renewed)


IN_CODE: Mapping[int, Callable[[apsw.Connection], None]] = MappingProxyType({8: pages_to_parts})
"""Number of a step -> what SQL cannot say of it; runs after its SQL, in the same transaction."""


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
