"""A path -> the bytes of the file, read once: what is hashed is what is indexed."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import ReadingError

SIZE_LIMIT_BYTES = 512 * 1024 * 1024
"""A file is held in memory whole while it is read."""

_PLAIN_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""A link put in the file's place since the walk is refused; a pipe does not block."""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """What a file held when it was read, and when it was last changed before that."""

    content: bytes
    modified_ns: int


def read_file(path: Path, *, limit_bytes: int) -> FileBytes:
    """Return the bytes of a regular file; ReadingError with a code when it cannot be had."""
    try:
        descriptor = os.open(path, _PLAIN_OPEN | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _not_a_file(path)
            content = file.read(limit_bytes + 1)
    except OSError as error:
        raise ReadingError(
            "unreadable",
            f"{path.name} cannot be opened: {error.strerror}",
            hint="check that it is there and that you may read it",
        ) from error
    if len(content) > limit_bytes:
        raise ReadingError(
            "too-large",
            f"{path.name} is larger than {limit_bytes:,} bytes",
            hint="split it into smaller files",
        )
    return FileBytes(content, status.st_mtime_ns)


def _not_a_file(path: Path) -> ReadingError:
    return ReadingError(
        "unreadable", f"{path.name} is a pipe or a device", hint="only files can be added"
    )
