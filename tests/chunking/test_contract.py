import pytest

from cytat.chunking import FixedChunker, StructureChunker
from cytat.testing.chunkers import ChunkerContract, MakeChunker


class TestStructureChunker(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return StructureChunker


class TestFixedChunkerWithoutOverlap(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: FixedChunker(budget, 0, token_ends)


class TestFixedChunkerWithOverlap(ChunkerContract):
    @pytest.fixture
    def make_chunker(self) -> MakeChunker:
        return lambda budget, token_ends: FixedChunker(budget, budget // 3, token_ends)
