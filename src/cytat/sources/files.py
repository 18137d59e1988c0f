"""Files and folders as a source, and everything that is added as one listing.

A file is read once: what is hashed is what is indexed.

What a folder holds is offered to the other sources: a file that one of them claims, such as an
archive, is listed with what is in it.
"""

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from cytat.errors import ReadingError
from cytat.protocols import Listing, Source, SourceOptions
from cytat.records import ItemBytes, SourceItem
from cytat.sources.walking import FileState, FoundFiles, find_files, is_there, state_of_file
from cytat.text.identity import MEMBER, absolute_name, containers_of, is_address, path_of, source_of

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
            "copies and locks of editors are not read, unless they are named": self._named(
                found.copies
            ),
            "further names of files that are listed under another": self._named(found.other_names),
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


class Sources:
    """The sources that are installed, asked as one."""

    def __init__(
        self, files: FileSource, others: Callable[[], Sequence[Source]], *, base: Path
    ) -> None:
        """Take the source of files, and what finds the others when they are needed."""
        self.base = base
        self._files = files
        self._find_others = others

    @cached_property
    def _others(self) -> Sequence[Source]:
        return self._find_others()

    def find(self, given: Sequence[str | Path | SourceItem], *, absent_ok: bool) -> Listing:
        """Return what is at all addresses, and the items that were given themselves.

        Raises:
            UsageError: something is not there, and that is not allowed.
        """
        addresses = [str(item) for item in given if not isinstance(item, SourceItem)]
        own = tuple(item for item in given if isinstance(item, SourceItem))
        by_source: dict[str, list[str]] = defaultdict(list)
        for address in addresses:
            by_source[self._claiming(address).name].append(address)
        files = self._files.find(by_source.pop(self._files.name, []), absent_ok=absent_ok)
        others = [
            source.find(by_source[source.name], absent_ok=absent_ok)
            for source in self._others
            if source.name in by_source
        ]
        return _merged([*self._expanded(files), *others, Listing(own)])

    def item(self, name: str) -> SourceItem:
        """Return the item of a document as it is now; one that is gone says so when it is read."""
        if not is_address(name) and MEMBER not in name:
            return self._files.item(name)
        return self._claiming(name).item(name)

    def _claiming(self, address: str) -> Source:
        """Return the first source of others that claims an address; else that of files."""
        return next((_other for _other in self._others if _other.claims(address)), self._files)

    def _expanded(self, files: Listing) -> list[Listing]:
        """Return a listing for each file, or container, in the order of their names."""
        plain = Listing((), files.roots, files.closed, files.absent, files.passed_over)
        listings = [plain]
        for item in files.items:
            source = self._claiming(item.name) if self._others else self._files
            is_plain = source is self._files
            listings.append(Listing((item,)) if is_plain else self._within(source, item))
        return listings

    def _within(self, source: Source, item: SourceItem) -> Listing:
        """Return what is in a container; one that cannot be listed keeps what it had.

        Its source says whether the container is also an item.
        """
        try:
            inside = source.find([absolute_name(item.name, base=self.base)], absent_ok=False)
        except ReadingError as failure:
            return Listing((), closed={item.name: failure.message})
        return Listing(inside.items, closed=inside.closed, passed_over=inside.passed_over)


def _merged(listings: Sequence[Listing]) -> Listing:
    items: dict[str, SourceItem] = {}
    closed: dict[str, str] = {}
    passed_over: dict[str, tuple[str, ...]] = {}
    for listing in listings:
        for item in listing.items:
            items.setdefault(item.name, item)
        closed.update(listing.closed)
        _add_names(passed_over, listing.passed_over)
    return Listing(
        items=tuple(items.values()),
        roots=tuple(dict.fromkeys(root for listing in listings for root in listing.roots)),
        closed=closed,
        absent=tuple(name for listing in listings for name in listing.absent),
        passed_over=passed_over,
    )


def _add_names(known: dict[str, tuple[str, ...]], more: Mapping[str, tuple[str, ...]]) -> None:
    for why, names in more.items():
        known[why] = (*known.get(why, ()), *names)
