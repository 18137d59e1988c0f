"""The laws of cover and budget: nothing is lost between chunks, nothing is cut off unseen."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cytat.chunking import FixedChunker, StructureChunker, open_chunker
from cytat.records import Document
from cytat.testing.chunkers import assert_laws, per_character, per_word
from cytat.testing.documents import documents
from cytat.testing.embedders import FakeEmbedder


@settings(deadline=None, max_examples=60)
@given(document=documents(), budget_tokens=st.integers(60, 240))
def test_structure_keeps_every_character_within_the_budget(
    document: Document, budget_tokens: int
) -> None:
    for token_ends in (per_character, per_word):
        chunks = StructureChunker(budget_tokens, token_ends).cut(document)
        assert_laws(document, chunks, budget_tokens=budget_tokens, token_ends=token_ends)


@settings(deadline=None, max_examples=40)
@given(document=documents(), size_tokens=st.integers(40, 200), overlap=st.integers(0, 39))
def test_fixed_keeps_every_character_within_the_size(
    document: Document, size_tokens: int, overlap: int
) -> None:
    chunks = FixedChunker(size_tokens, overlap, per_character).cut(document)
    assert_laws(document, chunks, budget_tokens=size_tokens, token_ends=per_character)


@settings(deadline=None, max_examples=60)
@given(
    document=documents(),
    form=st.sampled_from(["boundaries:{}", "sentences:4+2:{}", "semantic:70:{}", "fixed:{}+7"]),
    budget_tokens=st.integers(20, 90),
)
def test_every_cutter_keeps_every_character_within_the_budget(
    document: Document, form: str, budget_tokens: int
) -> None:
    embedder = FakeEmbedder()
    chunker = open_chunker(form.format(budget_tokens), embedder=embedder)
    chunks = chunker.cut(document)
    assert_laws(document, chunks, budget_tokens=budget_tokens, token_ends=embedder.token_ends)
