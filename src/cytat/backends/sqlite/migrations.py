"""A connection -> the same file in this program's format. Each step is one transaction.

`user_version` in the file's header counts the steps that were taken, so a step that was
interrupted is taken again and none is taken twice, whoever else opens the file meanwhile.

Format 7 -> 8 needs code: the pages of a PDF become parts as any reader may write them. Before, the
place of a hit was chosen by the media type: a page number in a PDF, the words in HTML. Since then
`reading` itself says both, so that a reader of another format can say its own. Places of old
documents stay as they were, to the character. The seal of a text is made of `reading`, too. It is
made again only where it held before: a document that was damaged stays one.

Format 8 -> 9 hashes each piece of text, after the text was compared with what was kept of it.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import apsw

from cytat.backends.sqlite.connection import BUSY_TIMEOUT_S, is_read_only, translated
from cytat.backends.sqlite.rows import Row, dump_json, parse_path
from cytat.backends.sqlite.schema import APPLICATION_ID
from cytat.backends.sqlite.seals import SealedPart, read_seals, seal, seal_of, segment_hash
from cytat.errors import CorpusFormatError
from cytat.records import FragmentStyle, LocatorKind
from cytat.text.identity import passage_text, text_hash

SELECT_ROWS = "select row, id, media_type from document order by row"
SELECT_READING = "select reading from document where row = :document"
SELECT_VERSION = "select version from document where row = :document"
SELECT_SEGMENTS = "select start, line, text from segment where document = :document order by start"
SELECT_CHUNKS = """
select chunk.start, chunk.end, chunk.heading_path, chunk.context,
       chunk.words_hash, chunk.passage_hash, document.title
from chunk
join document on document.row = chunk.document
where chunk.document = :document
order by chunk.start
"""
SET_HASH = "update segment set hash = :hash where document = :document and start = :start"
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


def hash_segments(connection: apsw.Connection) -> None:
    """Hash the texts that are as they were written; runs inside a transaction.

    The others have no hash from now on, and are not quoted before they were read again.
    """
    for row, _, _ in list(connection.execute(SELECT_ROWS)):
        if not _is_text_sound(connection, row):
            continue
        version = connection.execute(SELECT_VERSION, {"document": row}).get
        for start, line, text in list(connection.execute(SELECT_SEGMENTS, {"document": row})):
            hashed = segment_hash(version, start, line, text)
            bindings = {"document": row, "start": start, "hash": hashed}
            connection.execute(SET_HASH, bindings)


def _is_text_sound(connection: apsw.Connection, row: int) -> bool:
    """Say whether a text is what its seal was made of; without a seal, what its chunks say it is.

    Files of format 1 have no seals. There the hashes of the chunks must hold, and outside of the
    chunks may be nothing but the headings that were hashed with them.
    """
    try:
        kept = read_seals(connection, row)[SealedPart.TEXT]
        if kept is not None:
            return kept == seal_of(connection, row, SealedPart.TEXT)
        segments = connection.execute(SELECT_SEGMENTS, {"document": row})
        text = "".join(text for _, _, text in segments)
        return _is_proven_by_chunks(text, connection.execute(SELECT_CHUNKS, {"document": row}))
    except (ValueError, TypeError, CorpusFormatError):
        return False


def _is_proven_by_chunks(text: str, chunks: Iterable[Row]) -> bool:
    end = 0
    between: list[str] = []
    headings: set[str] = set()
    for start, chunk_end, path, context, words_hash, passage_hash, title in chunks:
        words, heading_path = text[start:chunk_end], parse_path(path)
        passage = passage_text(title, heading_path, context, words)
        if (text_hash(words), text_hash(passage)) != (words_hash, passage_hash):
            return False
        headings.update(heading_path)
        between.append(text[end:start])
        end = max(end, chunk_end)
    between.append(text[end:])
    lines = (line.strip("#").strip() for part in between for line in part.splitlines())
    return all(not line or line in headings for line in lines)


IN_CODE: Mapping[int, Callable[[apsw.Connection], None]] = MappingProxyType(
    {8: pages_to_parts, 9: hash_segments}
)
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
