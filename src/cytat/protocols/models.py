"""Texts -> vectors, prompts -> drafts: what an embedder and a generator must offer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from cytat.errors import BackendError, VectorSpaceError
from cytat.records import VectorSpace

if TYPE_CHECKING:  # who compares no vectors does not wait for numpy
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""Embeddings: shape (texts, dimensions) or (dimensions,), float32, rows of length 1."""


class MissingVectorsError(BackendError):
    """Some texts of a call have no vector: raised by `Embedder.embed_documents` with the rest.

    `vectors` has a row for every text, NaN if there is none; `missing` says why, by position.
    """

    def __init__(self, vectors: Vectors, missing: Mapping[int, str], *, hint: str) -> None:
        self.vectors = vectors
        self.missing = dict(missing)
        position, reason = next(iter(self.missing.items()))
        count = f"{len(self.missing)} of {len(vectors)} texts"
        super().__init__(f"{count} got no vector; text {position}: {reason}", hint=hint)


class Embedder(Protocol):
    """Texts -> unit vectors."""

    name: str
    dimensions: int
    max_tokens: int
    """Tokens of one input that the encoder sees, prefix and special tokens already taken off."""
    weights: str
    """Hash that identifies weights, prefixes and pooling: equal hashes share a vector space."""
    languages: frozenset[str] | None
    """ISO 639-1 codes the encoder was trained for; None means it is multilingual."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), float32, rows of length 1, in the order given.

        Raises:
            MissingVectorsError: some texts could not be embedded; it holds the vectors of the rest.
            BackendError: none could.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,), float32, length 1."""
        ...

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where each token of `text` ends, in code points, rising; its length counts them.

        Special tokens and prefixes are not among them. An estimate must err towards more tokens.
        """
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of evidence as a generator sees it: a marker, where it comes from, its words."""

    marker: int
    title: str
    heading_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a generator is given. `system` and `user` are ready to send, made from the parts."""

    system: str
    user: str
    question: str
    language: str
    passages: tuple[Passage, ...]


def space_of(embedder: Embedder) -> VectorSpace:
    """Return the vector space an embedder makes."""
    return VectorSpace(embedder.name, embedder.dimensions, embedder.weights)


def check_same_space(known: VectorSpace, space: VectorSpace) -> None:
    """Refuse to compare vectors of `space` with those of a corpus, `known` (VectorSpaceError)."""
    if known.is_same_as(space):
        return
    raise VectorSpaceError(
        f"the index was made with {known.embedder} ({known.dimensions} dimensions, weights "
        f"{known.weights[:12]}), but {space.embedder} ({space.dimensions}, {space.weights[:12]}) "
        "is configured",
        hint=f"run `cytat reindex --embedder {space.embedder.partition(':')[0]}`, or set the "
        "embedder back",
    )


class Generator(Protocol):
    """Prompt -> draft. A draft is unverified text; pieces are yielded as they arrive."""

    name: str

    def generate(self, prompt: Prompt, *, max_tokens: int) -> Iterator[str]:
        """Yield the draft in pieces; raise `BackendError` when the model cannot be reached.

        A stream that ends without its finish mark raises `IncompleteDraftError` after the last
        piece, so that what arrived can still be checked.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Return the tokens of `text` by the model's own tokenizer, or an estimate from above."""
        ...


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a factory of an embedder or generator is given: settings, already resolved."""

    cache: Path
    """Folder for files made once from installed weights."""
    model: str | None
    base_url: str | None = field(repr=False)
    """It may hold a password."""
    api_key: str | None = field(repr=False)
    timeout_s: float
