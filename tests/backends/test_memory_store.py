"""The corpus in memory keeps the contract of stores."""

from collections.abc import Collection

import pytest

from cytat.backends.memory.store import MemoryCorpora
from cytat.errors import CorpusMissingError
from cytat.protocols import Store
from cytat.testing.stores import OpenCorpus, StoreContract, make_version, put


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def open_corpus(self) -> OpenCorpus:
        corpora = MemoryCorpora()

        def open_corpus(name: str, *, labels: Collection[str] | None) -> Store:
            return corpora(f"memory://{name}", create=labels is None, labels=labels)

        return open_corpus


def test_a_corpus_without_a_name_is_always_another() -> None:
    corpora = MemoryCorpora()
    one, other = (corpora(":memory:", create=False, labels=None) for _ in range(2))
    put(one, make_version("a.txt", "tekst"))
    with other.moment() as moment:
        assert moment.count_documents() == 0


def test_a_corpus_with_a_name_ends_with_its_last_store() -> None:
    corpora = MemoryCorpora()
    with pytest.raises(CorpusMissingError, match="memory://x"):
        corpora("memory://x", create=False, labels=None)
    store = corpora("memory://x", create=True, labels=None)
    corpora("memory://x", create=False, labels={"hr"})
    del store
    with pytest.raises(CorpusMissingError):
        corpora("memory://x", create=False, labels=None)
