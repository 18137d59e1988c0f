"""A store -> a Backup of it in another file; a backup -> does it still have its hash?"""

from pathlib import Path

from cytat.errors import UsageError
from cytat.records import Backup, Check
from cytat.store import Store
from cytat.store.backups import HASH_ENDING, back_up, hash_of, told_hash


def back_up_store(store: Store, file: Path, *, force: bool) -> Backup:
    """Copy the corpus; see `store.backups`."""
    copied = back_up(store, file, force=force)
    return Backup(
        file=str(file),
        sha256=copied.sha256,
        bytes=copied.bytes,
        documents=copied.documents,
        chunks=copied.chunks,
    )


def check_hash(file: Path) -> Check:
    """Compare a backup with the hash beside it."""
    if not file.is_file():
        raise UsageError(f"{file} is not there", hint="name the file that `cytat backup` wrote")
    told, found = told_hash(file), hash_of(file)
    if told is None:
        beside = f"`cytat backup` writes it to {file.name}{HASH_ENDING}"
        return Check("hash", ok=False, value="no hash stands beside the file", hint=beside)
    value = found if told == found else f"{found}, and {told} when it was written"
    hint = None if told == found else "use another backup, and check this disk"
    return Check("hash", ok=told == found, value=value, hint=hint)
