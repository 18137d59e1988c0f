r"""Path <-> source: the name under which a file stands in a corpus. Pure.

A file under the corpus file's folder is named relative to it, so that the two can move together;
any other file by its absolute path. Always with `/`. Bytes of a name that are not UTF-8 are
written `\xNN`, since a source must be text that any program can print and store.
"""

import os
import re
from pathlib import Path, PurePosixPath

_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def source_of(path: Path, *, base: Path) -> str:
    """Return the source of an absolute `path` in a corpus whose file lies in the folder `base`."""
    name = path.relative_to(base) if path.is_relative_to(base) else path
    return path_text(name)


def path_text(path: Path) -> str:
    r"""Return a path with `/` and, for each byte that is not UTF-8, `\xNN`."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def path_of(source: str, *, base: Path) -> Path:
    r"""Return the absolute path a source stands for; a member's is its container's.

    A name that really holds `\xNN` is told from an odd byte, and a folder `x!` from a container
    `x`, by looking which of the two is there.
    """
    whole = _path_as_named(source, base)
    return (
        whole
        if "!/" not in source or whole.exists()
        else _path_as_named(source.split("!/", 1)[0], base)
    )


def _path_as_named(name: str, base: Path) -> Path:
    literal = base / PurePosixPath(name)
    if "\\x" not in name or literal.exists():
        return literal
    raw = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), os.fsencode(literal))
    return Path(os.fsdecode(raw))
