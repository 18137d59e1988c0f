"""The batching law: a text has one vector, whatever it is batched with."""

import numpy as np
import platformdirs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cytat.backends.e5.embedder import open_embedder
from cytat.embedding import embed_passages
from cytat.protocols import Embedder, ModelOptions
from cytat.testing.embedders import BATCHING_TOLERANCE, FakeEmbedder

TEXTS = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(["Art. 43 ust. 1", "a", "Zażółć gęślą jaźń.", "data " * 40]),
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    cache = platformdirs.user_cache_path("cytat")
    return open_embedder(
        ModelOptions(cache=cache, model=None, base_url=None, api_key=None, timeout_s=30)
    )


def check(embedder: Embedder, texts: list[str]) -> None:
    together = embed_passages(embedder, texts)
    for at, text in enumerate(texts):
        alone = embed_passages(embedder, [text])
        assert (at in together.missing) == (0 in alone.missing)
        if at not in together.missing:
            difference = np.abs(together.vectors[at] - alone.vectors[0]).max()
            assert float(difference) < BATCHING_TOLERANCE


@given(texts=TEXTS)
def test_the_fake_keeps_it(texts: list[str]) -> None:
    check(FakeEmbedder(), texts)


@pytest.mark.model
@given(texts=TEXTS)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_default_encoder_keeps_it(encoder: Embedder, texts: list[str]) -> None:
    check(encoder, texts)
