"""The corpus in memory keeps the contract of stores."""

from collections.abc import Collection
from pathlib import Path

import pytest
from tests.corpora import write_files

from cytat import Corpus
from cytat.backends.memory.store import MemoryCorpora
from cytat.config import Settings
from cytat.errors import CorpusMissingError, NotAllowedError
from cytat.protocols import Store
from cytat.records import Answer
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


def test_a_corpus_in_memory_answers_and_refuses_what_needs_a_disk(tmp_path: Path) -> None:
    write_files(tmp_path, {"umowa.md": "# Umowa\n\nKaucja wynosi 1200 zł.\n"})
    with Corpus.open(":memory:", settings=Settings(embedder="fake")) as corpus:
        corpus.add(tmp_path)
        assert [hit.text for hit in corpus.search("kaucja").hits] == ["Kaucja wynosi 1200 zł."]
        assert isinstance(corpus.ask("Ile wynosi kaucja?"), Answer)
        assert corpus.why().verb == "ask"
        assert all(check.ok for check in corpus.verify(full=True).checks)
        with pytest.raises(NotAllowedError, match="cannot be copied"):
            corpus.back_up(tmp_path / "copy.db")
        with pytest.raises(NotAllowedError, match="cannot be purged"):
            corpus.remove("umowa.md", purge=True)
        assert corpus.status().totals["documents"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["umowa.md"]
