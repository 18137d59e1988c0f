"""The fake encoder keeps the contract it is used to test others against."""

import pytest

from cytat.protocols import Embedder
from cytat.testing.embedders import EmbedderContract, FakeEmbedder


class TestFakeEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return FakeEmbedder()


def test_texts_that_share_inflected_words_are_nearer_than_strangers() -> None:
    embedder = FakeEmbedder()
    question = embedder.embed_query("stawka podatku na książki")
    near, far = embedder.embed_documents(["Stawką dla książek jest 5%.", "The boat sails north."])
    assert float(question @ near) > float(question @ far) + 0.3


def test_what_lies_past_the_window_is_not_seen() -> None:
    embedder = FakeEmbedder(max_tokens=3)
    seen, cut = embedder.embed_documents(["one two three", "one two three four"])
    assert (seen == cut).all()
    assert len(embedder.token_ends("one two three four")) == 4


def test_two_fakes_with_other_names_do_not_share_a_space() -> None:
    assert FakeEmbedder(name="a").weights != FakeEmbedder(name="b").weights
