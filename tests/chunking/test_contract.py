from collections.abc import Sequence

import pytest
from typing_extensions import override

from cytat.chunking import (
    BoundaryChunker,
    FixedChunker,
    PathlessChunker,
    SemanticChunker,
    SentenceWindowChunker,
    StructureChunker,
)
from cytat.testing.chunkers import ChunkerContract, MakeChunker, TokenEnds
from cytat.testing.embedders import FakeEmbedder


class CountingEmbedder(FakeEmbedder):
    """The fake encoder with a tokeniser of somebody else's choice."""

    def __init__(self, token_ends: TokenEnds) -> None:
        super().__init__()
        self._token_ends = token_ends

    @override
    def token_ends(self, text: str) -> Sequence[int]:
        return self._token_ends(text)


class TestStructureChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return StructureChunker


class TestPathlessChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return PathlessChunker


class TestFixedChunkerWithoutOverlap(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: FixedChunker(budget, 0, token_ends)


class TestFixedChunkerWithOverlap(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: FixedChunker(budget, budget // 3, token_ends)


class TestBoundaryChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return BoundaryChunker


class TestSentenceWindowChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: SentenceWindowChunker(
            budget, token_ends, sentences=3, shared=0
        )


class TestSentenceWindowChunkerThatShares(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: SentenceWindowChunker(
            budget, token_ends, sentences=4, shared=2
        )


class TestSemanticChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: SemanticChunker(
            budget, CountingEmbedder(token_ends), percentile=80
        )
