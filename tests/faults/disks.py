"""Disks that fail: one that loses power, one whose n-th operation fails. Between SQLite and a file.

Used by the quick tests here and by the longer sweeps in `benchmarks/fault_sweep.py`.
"""

import itertools
import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
from tests.stores import Store

from cytat.backends.sqlite.migrations import migrate
from cytat.backends.sqlite.schema import MIGRATIONS

SECTOR_BYTES = 512
"""What a disk writes whole; a longer write can be torn at these bounds."""
NAMES = itertools.count()


@dataclass(frozen=True, slots=True)
class Write:
    """A write that may not have reached the disk yet; without data, it cuts the file there."""

    offset: int
    data: bytes | None


def apply(content: bytearray, write: Write) -> None:
    """Change a file's content as the write does."""
    if write.data is None:
        del content[write.offset :]
        return
    content.extend(bytes(max(write.offset - len(content), 0)))
    content[write.offset : write.offset + len(write.data)] = write.data


@dataclass
class Power:
    """What is on the disk for sure, what may be, and when the power is cut."""

    cut_at: int | None = None
    is_honest: bool = True
    """Whether a sync does what it says."""
    operations: int = 0
    safe: dict[str, bytearray] = field(default_factory=dict)
    unsafe: dict[str, list[Write]] = field(default_factory=lambda: defaultdict(list))

    def count(self) -> None:
        """Count an operation; from the cut on, none succeeds."""
        self.operations += 1
        if self.cut_at is not None and self.operations >= self.cut_at:
            raise apsw.IOError

    def opened(self, name: str) -> None:
        """Take what a file holds when it is opened first as safe."""
        if name not in self.safe:
            path = Path(name)
            self.safe[name] = bytearray(path.read_bytes() if path.exists() else b"")

    def synced(self, name: str) -> None:
        """Everything written to a file so far is safe, unless the disk lies."""
        if not self.is_honest:
            return
        for write in self.unsafe.pop(name, []):
            apply(self.safe[name], write)

    def leave(self, folder: Path, dice: random.Random) -> None:
        """Write what the disk holds after the cut: any part of the unsafe writes, some torn."""
        for name, safe in self.safe.items():
            content = bytearray(safe)
            for write in self.unsafe.get(name, []):
                if dice.random() < 0.5:
                    apply(content, torn(write, dice))
            if content:
                (folder / Path(name).name).write_bytes(content)


def torn(write: Write, dice: random.Random) -> Write:
    """Return the write, or what of it came before the power went."""
    if write.data is None or len(write.data) <= SECTOR_BYTES or dice.random() < 0.5:
        return write
    sectors = dice.randrange(1, -(-len(write.data) // SECTOR_BYTES))
    return Write(write.offset, write.data[: sectors * SECTOR_BYTES])


class CutFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: Any, power: Power) -> None:
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name or "")
        self._power = power
        if self._name:
            power.opened(self._name)
        super().__init__("", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._power.count()
        super().xWrite(data, offset)
        if self._name:
            self._power.unsafe[self._name].append(Write(offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._power.count()
        super().xTruncate(size)
        if self._name:
            self._power.unsafe[self._name].append(Write(size, None))

    def xSync(self, flags: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._power.count()
        super().xSync(flags)
        if self._name:
            self._power.synced(self._name)


class CutDisk(apsw.VFS):
    def __init__(self, name: str, power: Power) -> None:
        self._power = power
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> CutFile:  # type: ignore[explicit-override]  # noqa: N802
        return CutFile(name, flags, self._power)


@dataclass
class Fault:
    """Which operation fails, how, and whether all later ones do too."""

    error: type[apsw.Error]
    stays: bool
    of_reads: bool
    at: int | None = None
    operations: int = 0

    def count(self) -> None:
        """Count an operation, and fail where it is time."""
        self.operations += 1
        if self.at is not None and (
            self.operations == self.at or (self.stays and self.operations > self.at)
        ):
            raise self.error


class FailingFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: Any, fault: Fault) -> None:
        self._fault = fault
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # type: ignore[explicit-override]  # noqa: N802
        if self._fault.of_reads:
            self._fault.count()
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._fault.count()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # type: ignore[explicit-override]  # noqa: N802
        self._fault.count()
        super().xSync(flags)


class FailingDisk(apsw.VFS):
    def __init__(self, name: str, fault: Fault) -> None:
        self._fault = fault
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> FailingFile:  # type: ignore[explicit-override]  # noqa: N802
        return FailingFile(name, flags, self._fault)


def open_on(path: Path, state: Power | Fault) -> Store:
    """Open a corpus on such a disk, as `Store.open` does on an ordinary one."""
    name = f"faulty-{next(NAMES)}"
    disk = CutDisk(name, state) if isinstance(state, Power) else FailingDisk(name, state)
    connection = apsw.Connection(str(path), vfs=name)
    migrate(connection, path, MIGRATIONS)
    connection.pragma("synchronous", "FULL")
    connection.pragma("foreign_keys", 1)
    store = Store(path, connection, None)
    store.disk = disk  # type: ignore[attr-defined]  # lives as long as the connection
    return store
