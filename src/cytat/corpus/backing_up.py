"""A corpus in use -> a verified copy in place, with its hash beside it.

Nobody ever sees half of it: it is a file of another name until it has been checked and is on disk.
What a killed process has left is cleared by the next backup.
"""

import hashlib
import os
from glob import escape
from pathlib import Path

from cytat.errors import CorpusError, UsageError
from cytat.protocols import Store
from cytat.records import Backup, Check

READ_BYTES = 1 << 20

HASH_ENDING = ".sha256"


def back_up(store: Store, target: Path, *, force: bool) -> Backup:
    """Copy the corpus to `target` and write its hash beside it, as `sha256sum` does.

    Raises:
        UsageError: the target is there and `force` is not given, or is the corpus itself.
        CorpusError: the copy is not what was copied; nothing is put in place then.
    """
    _check_target(store, target, force=force)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        _clear_leftovers(target)
        documents, chunks = store.upkeep.copy_to(partial, shown_as=target)
        sha256, size = hash_of(partial), partial.stat().st_size
        _put_in_place(partial, target, sha256)
    except OSError as error:
        raise CorpusError(
            f"{target} cannot be written: {error.strerror}",
            hint="check that its folder is there, has room and may be written",
        ) from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal", HASH_ENDING):
            left = partial.with_name(partial.name + ending)
            if os.path.exists(left):  # a read-only disk refuses also to remove what is not there
                left.unlink()
    return Backup(str(target), sha256, size, documents, chunks)


def told_hash(file: Path) -> str | None:
    """Return the hash that stands beside a backup; None when there is none."""
    beside = file.with_name(file.name + HASH_ENDING)
    said = beside.read_text("utf-8").split() if os.path.isfile(beside) else []
    return said[0] if said else None


def _check_target(store: Store, target: Path, *, force: bool) -> None:
    if target.resolve() == store.file:
        raise UsageError(f"{target} is the corpus itself", hint="name another file")
    if os.path.isdir(target):
        raise UsageError(f"{target} is a folder", hint="name a file in it")
    if not os.path.isdir(target.parent):
        raise UsageError(f"the folder {target.parent} is not there", hint="make it first")
    if os.path.exists(target) and not force:
        raise UsageError(f"{target} is there already", hint="name another, or give --force")


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while block := opened.read(READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def _put_in_place(partial: Path, target: Path, sha256: str) -> None:
    """Rename the copy, then its hash; a kill in between leaves a backup without hash."""
    beside = target.with_name(target.name + HASH_ENDING)
    partial_hash = partial.with_name(partial.name + HASH_ENDING)
    partial_hash.write_text(f"{sha256}  {target.name}\n", "utf-8")
    for written in (partial, partial_hash):
        with written.open("rb+") as file:
            os.fsync(file.fileno())
    beside.unlink(missing_ok=True)  # of an older backup: it would not fit the new one
    partial.replace(target)
    partial_hash.replace(beside)
    _sync_folder(target.parent)


def _clear_leftovers(target: Path) -> None:
    """Remove what killed processes have left half way; those that still run keep theirs."""
    for file in target.parent.glob(f".{escape(target.name)}.*.partial*"):
        number = file.name.removeprefix(f".{target.name}.").partition(".")[0]
        if number.isdigit() and not _is_running(int(number)):
            file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """Say whether a process may be there; where that cannot be asked, that it is."""
    if os.name == "nt":
        return True  # `kill` would end it there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows opens no folders; its renames are journaled
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_hash(file: Path) -> Check:
    """Compare a backup with the hash beside it."""
    if not os.path.isfile(file):
        raise UsageError(f"{file} is not there", hint="name the file that `cytat backup` wrote")
    told, found = told_hash(file), hash_of(file)
    if told is None:
        beside = f"`cytat backup` writes it to {file.name}{HASH_ENDING}"
        return Check("hash", ok=False, value="no hash stands beside the file", hint=beside)
    value = found if told == found else f"{found}, and {told} when it was written"
    hint = None if told == found else "use another backup, and check this disk"
    return Check("hash", ok=told == found, value=value, hint=hint)
