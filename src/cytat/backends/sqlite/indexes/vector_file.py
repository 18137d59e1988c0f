"""The vectors of a corpus in a file beside it, mapped into memory: derived, and never needed.

Reading a million vectors through SQLite takes many seconds, and each process would hold its own
copy. Mapped from one file they come at the speed of the page cache, which processes share.

    header, 4096 bytes | vectors, float32 | keys, int64 | passages, uint64 | lacking, int64

The file is written under another name and put in place once it is on disk, so that a kill at any
moment leaves the old file, the new one or none. It says which generation it was made of; vectors
of chunks that came later are read from the corpus, those of chunks that went are passed over.
"""

import errno
import json
import mmap
import os
import shutil
import stat
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from cytat.text.partial_files import clear_leftovers, partial_of
from cytat.vectors import BLOCK_VECTORS, Keys, VectorBlock

ENDING = "-vectors"
MAGIC = b"cytat vectors 1\n"
HEADER_BYTES = 4096
_COUNT_BYTES = 4
"""Of a number before the header's JSON: its length, and its CRC-32."""
SPARE_BYTES = 256 << 20
"""Of the disk that stay free: what is derived must not fill it."""

Passages = NDArray[np.uint64]
"""The first eight bytes of each `chunk.passage_hash`: of which text a vector is."""


@dataclass(frozen=True, slots=True)
class VectorStamp:
    """Of what a file of vectors was made. `mark` is that of the generation."""

    mark: str
    edition: int
    weights: str
    dimensions: int

    def is_comparable(self, other: "VectorStamp") -> bool:
        """Say whether a vector of the one is one of the other, when the passage is the same."""
        return (self.edition, self.weights, self.dimensions) == (
            other.edition,
            other.weights,
            other.dimensions,
        )


@dataclass(frozen=True, slots=True, eq=False)
class MappedVectors:
    """What a file holds. `passages`: of each key; `lacking`: rows of chunks without a vector."""

    stamp: VectorStamp
    blocks: tuple[VectorBlock, ...]
    keys: Keys
    passages: Passages
    lacking: Keys


@dataclass(frozen=True, slots=True)
class _Header:
    """What the first bytes of a file say; `crc` is of all that follows the vectors."""

    stamp: VectorStamp
    count: int
    lacking: int
    crc: int

    @property
    def vector_bytes(self) -> int:
        return self.count * self.stamp.dimensions * 4

    @property
    def file_bytes(self) -> int:
        return HEADER_BYTES + self.vector_bytes + 16 * self.count + 8 * self.lacking

    def encoded(self) -> bytes:
        """Return the first HEADER_BYTES of a file."""
        fields = {**asdict(self), "stamp": asdict(self.stamp)}
        text = json.dumps(fields, sort_keys=True).encode("ascii")
        numbers = (len(text), zlib.crc32(text))
        head = MAGIC + b"".join(one.to_bytes(_COUNT_BYTES, "little") for one in numbers) + text
        return head.ljust(HEADER_BYTES, b"\0")


def vector_file_of(corpus: Path) -> Path:
    """Return where the file of a corpus' vectors is, if there is one."""
    return corpus.with_name(corpus.name + ENDING)


def map_vectors(corpus: Path) -> MappedVectors | None:
    """Return what the file beside a corpus holds; None for no file, or one that is not whole."""
    try:
        with vector_file_of(corpus).open("rb") as file:
            header = _parsed(file.read(HEADER_BYTES))
            if header is None or os.fstat(file.fileno()).st_size != header.file_bytes:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None  # as if there were none: the corpus has all that it holds
    return _taken_apart(mapped, header)


def _parsed(head: bytes) -> _Header | None:
    start = len(MAGIC) + 2 * _COUNT_BYTES
    if len(head) != HEADER_BYTES or not head.startswith(MAGIC):
        return None
    length, crc = np.frombuffer(head, dtype="<u4", count=2, offset=len(MAGIC)).tolist()
    text = head[start : start + length]
    if len(text) != length or zlib.crc32(text) != crc:
        return None
    fields = json.loads(text)
    return _Header(**{**fields, "stamp": VectorStamp(**fields["stamp"])})


def _taken_apart(mapped: mmap.mmap, header: _Header) -> MappedVectors | None:
    after = HEADER_BYTES + header.vector_bytes
    if zlib.crc32(memoryview(mapped)[after:]) != header.crc:
        return None
    width = header.stamp.dimensions
    flat = np.frombuffer(mapped, "<f4", count=header.count * width, offset=HEADER_BYTES)
    matrix = flat.reshape(header.count, width)
    keys = np.frombuffer(mapped, "<i8", count=header.count, offset=after)
    passages = np.frombuffer(mapped, "<u8", count=header.count, offset=after + 8 * header.count)
    lacking = np.frombuffer(mapped, "<i8", offset=after + 16 * header.count)
    blocks = tuple(
        VectorBlock(keys[at : at + BLOCK_VECTORS], matrix[at : at + BLOCK_VECTORS])
        for at in range(0, header.count, BLOCK_VECTORS)
    )
    return MappedVectors(header.stamp, blocks, keys, passages, lacking)


def write_vectors_beside(
    corpus: Path,
    stamp: VectorStamp,
    blocks: Iterable[VectorBlock],
    *,
    described: Callable[[Keys], tuple[Passages, Keys]],
) -> None:
    """Write the file beside a corpus, and put it in place when it is on disk.

    Args:
        corpus: whose permissions the file gets.
        stamp: of what the blocks were made.
        blocks: by rising keys, all of the stamp's dimensions.
        described: returns the passages of all keys, and the rows of chunks without a vector.

    Raises:
        OSError: the folder cannot be written, or its disk is full.
    """
    target = vector_file_of(corpus)
    clear_leftovers(target)
    partial = partial_of(target)
    try:
        with partial.open("xb") as file:
            partial.chmod(stat.S_IMODE(corpus.stat().st_mode))
            file.write(bytes(HEADER_BYTES))
            keys = np.concatenate([_write_block(file, block) for block in blocks])
            passages, lacking = described(keys)
            behind = b"".join(
                [
                    keys.astype("<i8").tobytes(),
                    passages.astype("<u8").tobytes(),
                    lacking.astype("<i8").tobytes(),
                ]
            )
            file.write(behind)
            file.seek(0)
            file.write(_Header(stamp, len(keys), len(lacking), zlib.crc32(behind)).encoded())
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def remove_vectors_beside(corpus: Path) -> None:
    """Remove the file, if there is one, and what a killed process has left half way.

    Raises:
        OSError: it cannot be removed.
    """
    target = vector_file_of(corpus)
    clear_leftovers(target)
    target.unlink(missing_ok=True)


def _write_block(file: IO[bytes], block: VectorBlock) -> Keys:
    """Write the vectors of a block; return its keys."""
    if shutil.disk_usage(Path(file.name).parent).free < SPARE_BYTES + block.vectors.nbytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)
    file.write(np.ascontiguousarray(block.vectors, dtype="<f4").data)
    return block.keys
