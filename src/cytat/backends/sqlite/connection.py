"""A path -> an open SQLite connection to a corpus file, or an error that says what to do.

Nothing of a file that is not a corpus is changed: it is judged before anything is written.
Errors of SQLite become errors of this package here and in `translated`, nowhere else.
"""

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

import apsw

from cytat.backends.sqlite.schema import APPLICATION_ID
from cytat.errors import CorpusBusyError, CorpusError, CorpusFormatError, CorpusMissingError

OLDEST_SQLITE = (3, 51, 3)
"""Older libraries can lose committed pages when two connections reset the log at once."""
CACHE_KIB = 16_384
"""Pages kept in memory: a search of a large corpus looks up hundreds of chunks far apart. With
SQLite's usual 2 MB they were read again each time."""
BUSY_TIMEOUT_S = 60.0
"""Write transactions last well under a second; only `purge` of a large corpus lasts."""
USUAL_FILE = Path("cytat.db")
HEADER_BYTES = 100
SHOWN_OF_NAME = 100
MAGIC = b"SQLite format 3\x00"

FileIdentity: TypeAlias = tuple[int, int] | None
"""Device and number of a file; None for none."""

_ANOTHER_FILE = "give another file with --corpus, or move this one away"
_RESTORE = "restore it from a backup, or delete it and run `cytat add` again"


def sqlite_version() -> str:
    """Return the version of the SQLite library in use."""
    return apsw.sqlite_lib_version()


def check_sqlite(version: str) -> None:
    """Refuse a SQLite library that is not safe with a write-ahead log and several processes."""
    if tuple(int(part) for part in version.split(".")) < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise CorpusError(
            f"SQLite {version} can lose data when two programs use one corpus; {wanted} is needed",
            hint="pip install --upgrade apsw",
        )


def open_existing(path: Path) -> apsw.Connection:
    """Open a corpus file for reading and writing, or for reading alone where nothing else works."""
    _check_file(path)
    connection = _connect(path, "mode=rw") if _is_writable(path) else _connect_read_only(path)
    with translated(path):
        _configure(connection)
        _check_identity(connection, path)
    return connection


def open_or_create(path: Path) -> apsw.Connection:
    """Open a corpus file, or begin one where there is none; its tables are `migrate`'s business."""
    if _is_there(path):
        _check_regular(path)
        if path.stat().st_size:
            _check_header(path)
    elif not os.path.isdir(path.parent):
        raise CorpusMissingError(
            f"the folder for the corpus does not exist: {path.parent}",
            hint="make the folder, or give another file with --corpus",
        )
    connection = _connect(path, "mode=rwc")
    with translated(path):
        _configure(connection)
        if not is_blank(connection):
            _check_identity(connection, path)
    return connection


def identity_of(path: Path) -> FileIdentity:
    """Return which file stands at a path, whatever it is called; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def check_in_place(path: Path, opened: FileIdentity) -> None:
    """Refuse to go on with a file that is no longer the one at its path.

    SQLite would go on: what it wrote would be lost with the file that is gone.
    """
    found = identity_of(path)
    if found == opened:
        return
    hint = "open it again; what was reported as done is in the file that was there before"
    if found is None:
        raise CorpusMissingError(f"{path} was deleted while it was open", hint=hint)
    raise CorpusError(f"{path} was replaced while it was open", hint=hint)


def is_blank(connection: apsw.Connection) -> bool:
    """Say whether the file holds nothing at all, as after a kill in its first moment."""
    marked = connection.pragma("application_id") or connection.pragma("user_version")
    return not marked and not connection.pragma("schema_version")


def is_read_only(connection: apsw.Connection) -> bool:
    """Say whether nothing can be written through this connection."""
    return bool(connection.readonly("main"))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file into ours; errors in our SQL pass as they are."""
    try:
        yield
    except (apsw.Error, UnicodeDecodeError) as error:
        ours = _ours(error, path)
        if ours is None:
            raise
        raise ours from error


def _ours(error: Exception, path: Path) -> CorpusError | None:
    """Return our error in place of one about the file; None for an error in our SQL."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return CorpusBusyError(
                f"another program has been writing to {path} for {BUSY_TIMEOUT_S:.0f} seconds",
                hint="wait until it has finished, or stop it, and run this again",
            )
        case _ if _is_damage(error):
            return CorpusFormatError(f"{path} is damaged: {error}", hint=_RESTORE)
        case apsw.FullError():
            return disk_full(path)
        case apsw.ReadOnlyError():
            return CorpusError(
                f"{path} cannot be written",
                hint="change the permissions of the file and its folder, or copy it elsewhere",
            )
        case apsw.IOError() | apsw.CantOpenError() | apsw.PermissionsError():
            return CorpusError(
                f"{path} cannot be used: {error}",
                hint="check that the disk is there, has room, and that the file may be read",
            )
    return None


def _is_damage(error: Exception) -> bool:
    """Say whether it is the file that is wrong: its pages, its letters or its JSON."""
    kinds = (apsw.NotADBError, apsw.CorruptError, UnicodeDecodeError)
    is_json = isinstance(error, apsw.SQLError) and "malformed JSON" in str(error)
    return is_json or isinstance(error, kinds)


def disk_full(path: Path) -> CorpusError:
    """Return the error for a disk that had no room for a file."""
    return CorpusError(
        f"the disk of {path} is full; what was reported as done is kept",
        hint="make room and run this again",
    )


def _check_file(path: Path) -> None:
    missing = CorpusMissingError(
        f"there is no corpus at {path}", hint=f"`{_command(path)} add FOLDER` makes one"
    )
    if not _is_there(path):
        raise missing
    _check_regular(path)
    if path.stat().st_size == 0:
        raise missing
    _check_header(path)


def _is_there(path: Path) -> bool:
    """Say whether something stands at `path`; a name that no file can have is an error."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CorpusError(
            f"no file can be named {str(path)[:SHOWN_OF_NAME]!r}: {reason}",
            hint="give another file with --corpus",
        ) from error
    return True


def _check_regular(path: Path) -> None:
    if not os.path.isfile(path):
        raise CorpusFormatError(f"{path} is not a file", hint=_ANOTHER_FILE)


def _command(path: Path) -> str:
    """Return how a corpus is named in a command; the usual file needs no name."""
    return "cytat" if path == USUAL_FILE else f"cytat --corpus {shlex.quote(str(path))}"


def _check_header(path: Path) -> None:
    """Judge the first page: is it SQLite, and are all the pages it counts there?"""
    with translated(path), path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if not header.startswith(MAGIC):
        raise CorpusFormatError(f"{path} is not a cytat corpus", hint=_ANOTHER_FILE)
    if len(header) < HEADER_BYTES or _is_truncated(path, header):
        raise CorpusFormatError(f"{path} has been cut short", hint=_RESTORE)


def _is_truncated(path: Path, header: bytes) -> bool:
    log = path.with_name(path.name + "-wal")
    if os.path.exists(log) and log.stat().st_size:
        return False  # the missing pages may stand in the log
    page_bytes = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return path.stat().st_size < pages * (65_536 if page_bytes == 1 else page_bytes)


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect(path: Path, query: str) -> apsw.Connection:
    check_sqlite(apsw.sqlite_lib_version())
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    with translated(path):
        # Quoted as bytes: a name may hold some that are no UTF-8.
        return apsw.Connection(f"file:{quote(os.fsencode(path.absolute()))}?{query}", flags=flags)


def _connect_read_only(path: Path) -> apsw.Connection:
    """Open without writing; where not even the log's index may be made, read the file as it is."""
    connection = _connect(path, "mode=ro")
    try:
        connection.pragma("schema_version")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        if _has_log(path):
            raise CorpusError(
                f"{path} was not closed and cannot be repaired, for its folder is read-only",
                hint="copy the file together with its -wal file to a folder you can write",
            ) from None
        return _connect(path, "immutable=1")
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return os.path.exists(log) and log.stat().st_size > 0


def _configure(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(round(BUSY_TIMEOUT_S * 1000))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("foreign_keys", True)  # noqa: FBT003 - APSW's own signature
    connection.pragma("secure_delete", True)  # noqa: FBT003
    connection.pragma("synchronous", "FULL")
    connection.pragma("cache_size", -CACHE_KIB)


def _check_identity(connection: apsw.Connection, path: Path) -> None:
    if is_blank(connection):
        raise CorpusMissingError(
            f"{path} holds no documents yet", hint=f"`{_command(path)} add FOLDER` fills it"
        )
    if connection.pragma("application_id") != APPLICATION_ID:
        raise CorpusFormatError(f"{path} is a database, but not cytat's", hint=_ANOTHER_FILE)


@contextmanager
def unsynchronised(connection: apsw.Connection) -> Iterator[None]:
    """Commit without waiting for the disk: for what nobody would miss after a power cut.

    What was committed before is on disk already, and the log is read back up to the first page
    that is not whole. Inside a transaction its own commit decides, and nothing changes here.
    """
    if connection.in_transaction:
        yield
        return
    connection.pragma("synchronous", "NORMAL")
    try:
        yield
    finally:
        connection.pragma("synchronous", "FULL")
