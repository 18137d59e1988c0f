"""Files and folders as a source: addresses -> items, and an item -> its bytes.

A file is read once: what is hashed is what is indexed.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from cytat.errors import ReadingError
from cytat.protocols import Listing, SourceOptions
from cytat.records import ItemBytes, SourceItem
from cytat.sources.walking import FileState, FoundFiles, find_files, is_there, state_of_file
from cytat.text.identity import containers_of, is_address, path_of, source_of

SIZE_LIMIT_BYTES = 512 * 1024 * 1024
"""A file is held in memory whole while it is read."""

_PLAIN_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""A link put in the file's place since the walk is refused; a pipe does not block."""


def read_file(path: Path, *, limit_bytes: int) -> ItemBytes:
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
            hint="check that it exists and that you may read it",
        ) from error
    if len(content) > limit_bytes:
        raise ReadingError(
            "too-large",
            f"{path.name} is larger than {limit_bytes:,} bytes",
            hint="split it into smaller files",
        )
    return ItemBytes(content, status.st_mtime_ns)


def _not_a_file(path: Path) -> ReadingError:
    return ReadingError(
        "unreadable", f"{path.name} is a pipe or a device", hint="only files can be added"
    )


class FileSource:
    """Files and folders of this machine."""

    name = "files"

    def __init__(self, options: SourceOptions) -> None:
        self._base = options.base
        self._corpus = options.corpus

    def claims(self, address: str) -> bool:
        """Say whether an address is a path."""
        return not is_address(address)

    def find(self, addresses: Sequence[str], *, absent_ok: bool) -> Listing:
        """Return the files that paths mean; UsageError names all paths that mean nothing."""
        absent = [address for address in addresses if not is_there(address)] if absent_ok else []
        found = find_files(
            [address for address in addresses if address not in absent], corpus=self._corpus
        )
        return Listing(
            items=tuple(self._item(path, state) for path, state in found.files.items()),
            roots=self._named(found.folders),
            closed={
                source_of(folder, base=self._base): f"the folder {folder.name} cannot be listed"
                for folder in found.closed
            },
            absent=self._named([Path(path).resolve() for path in absent]),
            passed_over=self._passed_over(found),
        )

    def item(self, name: str) -> SourceItem:
        """Return the file of a document as it is now; what is in another file is not its own."""
        if is_address(name) or containers_of(name, base=self._base):
            return _unclaimed(name)
        path = path_of(name, base=self._base)
        return self._item(path, state_of_file(path) or NO_FILE, name=name)

    def _item(self, path: Path, state: FileState, *, name: str | None = None) -> SourceItem:
        return SourceItem(
            name=source_of(path, base=self._base) if name is None else name,
            fetch=lambda limit_bytes: read_file(path, limit_bytes=limit_bytes),
            size=state.size,
            state=f"{state.size} {state.modified_ns} {state.number}",
        )

    def _passed_over(self, found: FoundFiles) -> Mapping[str, tuple[str, ...]]:
        reasons = {
            "links are not followed": self._named(found.links),
            "pipes and devices are not read": self._named(found.devices),
        }
        return {why: names for why, names in reasons.items() if names}

    def _named(self, paths: Sequence[Path]) -> tuple[str, ...]:
        return tuple(source_of(path, base=self._base) for path in paths)


NO_FILE = FileState(size=0, modified_ns=0, number=0)
"""State of a file that is gone: reading it says so."""


def _unclaimed(name: str) -> SourceItem:
    """Return an item that cannot be fetched, for want of its source."""

    def fetch(_: int) -> NoReturn:
        raise ReadingError(
            "unreadable",
            f"no installed source reads {name}",
            hint="install the plug-in that it was added with",
        )

    return SourceItem(name=name, fetch=fetch, size=0, state="")


def open_source(options: SourceOptions) -> FileSource:
    """Return the source of files and folders."""
    return FileSource(options)
