"""What an embedder returns is checked before anything is stored."""

from collections.abc import Sequence

import numpy as np
import pytest

from cytat.embedding import embed_passages, embed_query, past_window
from cytat.errors import BackendError
from cytat.protocols import MissingVectorsError, Vectors
from cytat.testing.embedders import FakeEmbedder


class Scripted:
    """Returns what it is told, whatever the texts."""

    name = "scripted"
    dimensions = 2
    max_tokens = 5
    weights = "scripted"
    languages: frozenset[str] | None = None

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._vectors

    def embed_query(self, text: str) -> Vectors:
        return np.asarray(self._vectors[0])

    def token_ends(self, text: str) -> Sequence[int]:
        return range(1, len(text) + 1)


class Counting:
    """Remembers what it was given; refuses texts that say so."""

    name = "counting"
    dimensions = 64
    max_tokens = 5
    weights = "counting"
    languages: frozenset[str] | None = None

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._fake = FakeEmbedder()
        self.embed_query = self._fake.embed_query
        self.token_ends = self._fake.token_ends

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        vectors = self._fake.embed_documents(texts)
        missing = {at: "refused" for at, text in enumerate(texts) if "refuse" in text}
        if missing:
            raise MissingVectorsError(vectors, missing, hint="do not")
        return vectors


def vectors(*rows: tuple[float, float]) -> Vectors:
    return np.array(rows, dtype=np.float32)


def test_each_text_gets_its_own_vector_though_lengths_are_sorted() -> None:
    texts = [f"{'word ' * (n % 7)}number{n}" for n in range(150)]
    embedded = embed_passages(FakeEmbedder(), texts)
    expected = [FakeEmbedder().embed_query(text) for text in texts]
    assert (embedded.vectors == np.array(expected)).all()
    assert embedded.missing == {}


def test_equal_texts_are_embedded_once() -> None:
    embedder = Counting()
    embedded = embed_passages(embedder, ["kot", "pies", "kot"])
    assert sorted(embedder.seen) == ["kot", "pies"]
    assert (embedded.vectors[0] == embedded.vectors[2]).all()


def test_progress_counts_every_text_once() -> None:
    reports: list[int] = []
    embed_passages(FakeEmbedder(), ["", *map(str, range(99))], progress=reports.append)
    assert reports == [65, 100]


def test_blank_texts_have_no_vector_and_the_rest_goes_on() -> None:
    embedded = embed_passages(FakeEmbedder(), ["", "kot", " \n"])
    assert embedded.missing == {0: "the text is blank", 2: "the text is blank"}
    assert np.isfinite(embedded.vectors[1]).all()


def test_a_text_that_the_back_end_gives_up_costs_only_itself() -> None:
    embedded = embed_passages(Counting(), ["kot", "refuse this", "pies", "refuse this"])
    assert embedded.missing == {1: "refused", 3: "refused"}
    assert np.isnan(embedded.vectors[[1, 3]]).all()
    assert np.isfinite(embedded.vectors[[0, 2]]).all()


# case EMB-03
def test_vectors_that_are_not_finite_or_have_no_length_are_missing() -> None:
    broken = vectors((np.nan, 1), (np.inf, 0), (0, 0), (0.6, 0.8))
    embedded = embed_passages(Scripted(broken), ["aaaa", "bbb", "cc", "d"])
    assert embedded.missing == {
        0: "the vector holds numbers that are not finite",
        1: "the vector holds numbers that are not finite",
        2: "the vector is not of length 1",
    }
    assert embedded.vectors[3] == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("rows", [1, 3])
def test_another_number_of_vectors_than_texts_is_refused(rows: int) -> None:
    with pytest.raises(BackendError, match="for 2 texts"):
        embed_passages(Scripted(vectors(*[(1, 0)] * rows)), ["a", "b"])


def test_vectors_of_another_size_are_refused() -> None:
    with pytest.raises(BackendError, match="2 dimensions"):
        embed_passages(Scripted(np.ones((1, 3), dtype=np.float32)), ["a"])


def test_a_query_without_a_usable_vector_is_an_error() -> None:
    with pytest.raises(BackendError, match="not finite"):
        embed_query(Scripted(vectors((np.nan, 0))), "kot")
    with pytest.raises(BackendError, match="shape"):
        embed_query(Scripted(np.ones((1, 3), dtype=np.float32)), "kot")


# case EMB-01
def test_texts_longer_than_the_window_are_counted() -> None:
    assert past_window(Counting(), ["one two three four five", "1 2 3 4 5 6 7"]) == {1: 7}


def test_no_texts_are_no_work() -> None:
    assert embed_passages(FakeEmbedder(dimensions=8), []).vectors.shape == (0, 8)
