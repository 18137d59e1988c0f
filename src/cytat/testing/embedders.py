"""A fake encoder for tests, and the suite every embedder has to pass.

`FakeEmbedder` needs no model: a text's vector is the sum of fixed directions of its words, so
texts that share words are near each other. `EmbedderContract` is the seam's contract: inherit it
in a test class that has a fixture `embedder`.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from cytat.protocols import Embedder, MissingVectorsError, ModelOptions, Vectors

_STEM_CHARACTERS = 5
"""Words that open alike share their direction, so that inflected forms are near each other."""

_TOKEN = re.compile(r"\w{1,8}|[^\w\s]")
"""A word, cut every eight characters, or one sign: about as fine as a real tokenizer."""

UNIT_TOLERANCE = 1e-4
BATCHING_TOLERANCE = 1e-5
"""Float noise that is allowed between a text embedded alone and beside longer ones."""


class FakeEmbedder:
    """Texts -> unit vectors, by hashing words. Deterministic, quick, sees `max_tokens` tokens."""

    def __init__(
        self,
        *,
        name: str = "fake",
        dimensions: int = 64,
        max_tokens: int = 128,
        languages: frozenset[str] | None = None,
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self.max_tokens = max_tokens
        self.weights = hashlib.sha256(f"{name}:{dimensions}".encode()).hexdigest()
        self.languages = languages

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), float32, rows of length 1, in the order given."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,), float32, length 1; a query has the vector of a passage."""
        ends = self.token_ends(text)[: self.max_tokens]
        seen = text[: ends[-1]] if ends else ""
        words = [word.casefold()[:_STEM_CHARACTERS] for word in re.findall(r"\w+", seen)]
        vector = np.sum([_direction(word, self.dimensions) for word in words or [""]], axis=0)
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where each word (or eight characters of one) and each sign ends."""
        return [match.end() for match in _TOKEN.finditer(text)]


def open_embedder(options: ModelOptions) -> Embedder:
    """Return the fake under the name it is asked for, so that two of them can differ."""
    return FakeEmbedder(name=options.model or "fake")


@lru_cache(maxsize=65_536)
def _direction(word: str, dimensions: int) -> Vectors:
    """Return a fixed random direction for `word`, shape (dimensions,)."""
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:8], "little"))
    return generator.standard_normal(dimensions).astype(np.float32)


ODD_TEXTS = (
    "",
    " \n\t ",
    "😀",
    "\u200b\u00ad",
    "zażółć \ud800 gęślą",
    "e\u0301\u0327 ﬁ ㎏ Ⅷ",
    "a" * 20_000,
    "\u0000\u0001",
    "日本語のテキスト",
    "</s> <s> <pad> <unk> <mask> [CLS] [SEP]",
)
"""What real files hold sooner or later; none of it may stop a run."""


class EmbedderContract:
    """What every `Embedder` promises. Provide a fixture `embedder` in the class that inherits."""

    def test_vectors_have_one_row_per_text_and_length_one(self, embedder: Embedder) -> None:
        vectors = embedder.embed_documents(["kot", "Art. 43 ust. 1", "an invoice"])
        assert vectors.shape == (3, embedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=UNIT_TOLERANCE)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed_documents([]).shape == (0, embedder.dimensions)

    def test_a_query_is_one_vector_of_length_one(self, embedder: Embedder) -> None:
        vector = embedder.embed_query("Jaka jest stawka VAT na książki?")
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert abs(float(np.linalg.norm(vector)) - 1) < UNIT_TOLERANCE

    def test_rows_come_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        texts = ["short", "a rather longer text about taxes " * 6, "kot i pies", "x"]
        there = embedder.embed_documents(texts)
        back = embedder.embed_documents(texts[::-1])[::-1]
        assert float(np.abs(there - back).max()) < BATCHING_TOLERANCE

    def test_a_text_has_one_vector_whatever_it_is_batched_with(self, embedder: Embedder) -> None:
        text = "Faktura powinna zawierać numer i datę wystawienia."
        crowd = [f"{'word ' * length}!" for length in (1, 3, 10, 30, 60, 90)] * 4
        alone = embedder.embed_documents([text])[0]
        beside = embedder.embed_documents([*crowd, text])[-1]
        assert float(np.abs(alone - beside).max()) < BATCHING_TOLERANCE

    def test_odd_texts_have_vectors_or_are_named(self, embedder: Embedder) -> None:
        named: set[int] = set()
        try:
            vectors = embedder.embed_documents(ODD_TEXTS)
        except MissingVectorsError as error:
            vectors, named = error.vectors, set(error.missing)
        lengths = np.linalg.norm(vectors, axis=1)
        for at, text in enumerate(ODD_TEXTS):
            if at in named:
                assert np.isnan(lengths[at]), text
            else:
                assert abs(lengths[at] - 1) < UNIT_TOLERANCE, text

    def test_token_ends_rise_and_lie_within_the_text(self, embedder: Embedder) -> None:
        for text in (*ODD_TEXTS, "Zażółć gęślą jaźń. " * 50):
            ends = list(embedder.token_ends(text))
            assert all(before <= after for before, after in pairwise(ends))
            assert all(0 <= end <= len(text) for end in ends)

    def test_token_ends_cover_the_last_word(self, embedder: Embedder) -> None:
        text = "Numer rezerwowy: 31337."
        assert embedder.token_ends(text)[-1] == len(text)

    def test_an_empty_text_has_no_tokens(self, embedder: Embedder) -> None:
        assert len(embedder.token_ends("")) == 0

    def test_the_embedder_says_what_it_is(self, embedder: Embedder) -> None:
        assert embedder.name
        assert embedder.weights
        assert embedder.max_tokens > 0
