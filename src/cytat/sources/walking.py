"""PATH… -> Found: every file they mean, each once, in a fixed order.

A `.cytatignore` file speaks for its own folder and all below; the nearest one that says anything
decides.

Hidden files and folders, what `.cytatignore` names, and the copies and locks that editors keep
beside a file are skipped, unless they were given by name; a pattern with `!` takes copies in.
Links met on the way are not followed: what they lead to is either found by itself or outside.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from cytat.errors import UsageError

IGNORE_FILE = ".cytatignore"


class IgnoreDecision(Protocol):
    """What the patterns of one file say of a path."""

    @property
    def include(self) -> bool | None:
        """Whether it is left out; None when no pattern speaks of it."""
        ...


class Patterns(Protocol):
    """The patterns of one ignore file."""

    def check_file(self, file: str) -> IgnoreDecision:
        """Judge a path relative to the ignore file's folder; a folder's ends with `/`."""
        ...


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The patterns in force in one folder, outermost first."""

    patterns: Sequence[tuple[Path, Patterns]]

    def within(self, folder: Path) -> Self:
        """Return the patterns in force in `folder`, with its own ignore file, if it has one."""
        file = folder / IGNORE_FILE
        try:
            is_file = stat.S_ISREG(file.stat().st_mode)
        except FileNotFoundError:
            return self
        if not is_file:
            return self
        return type(self)((*self.patterns, (folder, _parse(file))))

    def of_file(self, path: Path) -> bool | None:
        """Say whether a file is left out; None where no pattern speaks of it."""
        return self._decision(path, "")

    def leaves_out_folder(self, path: Path) -> bool:
        """Say whether a folder is left out, with all that is in it."""
        return bool(self._decision(path, "/"))

    def _decision(self, path: Path, ending: str) -> bool | None:
        for folder, patterns in reversed(self.patterns):
            verdict = patterns.check_file(path.relative_to(folder).as_posix() + ending).include
            if verdict is not None:
                return verdict
        return None


def _parse(file: Path) -> Patterns:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - loaded only where such a file is

    lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error) as error:
            # Passing over it would index what somebody wanted left out.
            raise UsageError(
                f"nothing was read: {file} has an invalid pattern: {line!r}",
                hint="fix the line or remove it",
            ) from error
    return GitIgnoreSpec.from_lines(lines)


_EDITOR_COPY = re.compile(
    r".+~|#.+#|~\$.+|~.+\.tmp|~WRL\d+|.+\.(?:bak|swp|swo|swn|orig|autosave)", re.IGNORECASE
)
"""Emacs, vi, Kate, Word and merges write these: older versions of a file, or locks of it."""


def is_editor_copy(name: str) -> bool:
    """Say whether a file is a copy or a lock that an editor keeps beside another."""
    return _EDITOR_COPY.fullmatch(name) is not None


_OWN_ENDINGS = ("", "-wal", "-shm", "-journal", "-vectors")
"""Of the corpus file and the files that are kept beside it."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What the system says of a file without reading it; equal states may hide a change."""

    size: int
    modified_ns: int
    number: int
    """The inode: another file put in the place of this one has another."""


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """What a walk found; all paths are absolute, without links, and sorted."""

    files: Mapping[Path, FileState]
    folders: tuple[Path, ...]
    """Those that were given."""
    closed: tuple[Path, ...]
    """Folders that could not be listed: nothing is known of what is in them."""
    links: tuple[Path, ...]
    """Links that were not followed."""
    devices: tuple[Path, ...]
    """Pipes, sockets and devices."""
    copies: tuple[Path, ...]
    """Copies and locks of editors."""
    other_names: tuple[Path, ...]
    """Further names (hard links) of files that are among `files` by another name."""


def find_files(paths: Sequence[str | Path], *, corpus: Path | None) -> FoundFiles:
    """Return the files that `paths` mean; UsageError names all that mean nothing.

    The files of `corpus` itself, if it is one, are never among them.
    """
    roots = _check(paths)
    own = () if corpus is None else (f"{corpus.resolve()}{ending}" for ending in _OWN_ENDINGS)
    walk = _Walk(frozenset(map(Path, own)))
    for root in roots:
        if root.is_dir():
            walk.list_all(root)
        else:
            walk.take_file(root, root.stat())
    files = _first_names(walk.files)
    return FoundFiles(
        files=files,
        folders=_sorted(root for root in roots if root.is_dir()),
        closed=_sorted(walk.closed),
        links=_sorted(walk.links),
        devices=_sorted(walk.devices),
        copies=_sorted(walk.copies),
        other_names=_sorted(path for path in walk.files if path not in files),
    )


def state_of_file(path: Path) -> FileState | None:
    """Return the state of a file; None if there is no file."""
    try:
        return _state(path.stat())
    except OSError:
        return None


def _state(status: os.stat_result) -> FileState:
    return FileState(status.st_size, status.st_mtime_ns, status.st_ino)


def _check(paths: Sequence[str | Path]) -> list[Path]:
    """Return the paths, absolute and without links; refuse all bad ones in one error."""
    faults = [fault for path in paths for fault in _fault_of(str(path))]
    if faults:
        raise UsageError(
            f"nothing was read: {'; '.join(faults)}",
            hint="give files and folders that are there",
        )
    return sorted({Path(path).resolve() for path in paths}, key=os.fsencode)


def _fault_of(path: str) -> Iterator[str]:
    if not path:
        yield "a path is empty"  # not the folder one is in
    elif "://" in path:
        yield f"{path} is an address that no installed source reads (save the page, add the file)"
    elif not is_there(path):
        yield f"{path} is not there"
    elif not (Path(path).is_file() or Path(path).is_dir()):
        yield f"{path} is neither a file nor a folder"


def is_there(path: str) -> bool:
    """Say whether a path means something; false, too, for a name that no system can have."""
    return os.path.exists(path)


class _Walk:
    """What one walk has met so far."""

    def __init__(self, own_files: frozenset[Path]) -> None:
        self._own_files = own_files
        self._folders: list[tuple[Path, Ignoring]] = []
        self.files: dict[Path, os.stat_result] = {}
        self.closed: list[Path] = []
        self.links: list[Path] = []
        self.devices: list[Path] = []
        self.copies: list[Path] = []

    def list_all(self, root: Path) -> None:
        """Take all below a folder that is not left out, however deep."""
        self._folders.append((root, Ignoring(())))
        while self._folders:
            folder, ignoring = self._folders.pop()
            try:
                ignoring = ignoring.within(folder)
                entries = list(os.scandir(folder))
            except OSError:
                self.closed.append(folder)
                continue
            for entry in entries:
                if not entry.name.startswith("."):
                    self._take(Path(entry.path), entry, ignoring)

    def _take(self, path: Path, entry: os.DirEntry[str], ignoring: Ignoring) -> None:
        if entry.is_symlink():
            self.links.append(path)
        elif entry.is_dir(follow_symlinks=False):
            if not ignoring.leaves_out_folder(path):
                self._folders.append((path, ignoring))
        else:
            self._take_unless_left_out(path, entry, ignoring)

    def _take_unless_left_out(
        self, path: Path, entry: os.DirEntry[str], ignoring: Ignoring
    ) -> None:
        is_left_out = ignoring.of_file(path)
        if is_left_out is None and is_editor_copy(entry.name):
            self.copies.append(path)
        elif not is_left_out:
            self._take_entry(path, entry)

    def _take_entry(self, path: Path, entry: os.DirEntry[str]) -> None:
        try:
            self.take_file(path, entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return  # vanished since the folder was listed: as if it had been gone before

    def take_file(self, path: Path, status: os.stat_result) -> None:
        """Take one file, or record that it is not a file."""
        if not stat.S_ISREG(status.st_mode):
            self.devices.append(path)
        elif path not in self._own_files:
            self.files[path] = status


def _first_names(files: Mapping[Path, os.stat_result]) -> Mapping[Path, FileState]:
    """Return the files in order; one with several names (hard links) by the first alone.

    Only such a file is known by its number: some network file systems give all the same.
    """
    first: dict[tuple[int, int] | Path, Path] = {}
    for path in _sorted(files):
        status = files[path]
        has_several = status.st_nlink > 1 and status.st_ino
        first.setdefault((status.st_dev, status.st_ino) if has_several else path, path)
    return {path: _state(files[path]) for path in first.values()}


def _sorted(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(paths, key=os.fsencode))
