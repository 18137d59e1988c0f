"""A store in a package of its own: found by entry point, opened by the scheme of its URLs."""

from collections.abc import Collection
from pathlib import Path
from uuid import uuid4

import pytest
from tests.corpora import write_files
from tests.plugins.installing import install

from cytat import Corpus, plugins
from cytat.config import Settings
from cytat.errors import CorpusMissingError, SettingsError
from cytat.protocols import Store
from cytat.records import Answer
from cytat.testing.stores import OpenCorpus, StoreContract

SETTINGS = Settings(embedder="fake")


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(install("toy_cellar", tmp_path / "packages")))


@pytest.mark.usefixtures("_installed")
class TestToyStore(StoreContract):
    """The whole test file of a plug-in's author."""

    @pytest.fixture
    def open_corpus(self) -> OpenCorpus:
        place = uuid4().hex

        def open_corpus(name: str, *, labels: Collection[str] | None) -> Store:
            url = f"cellar://{place}/{name}"
            return plugins.open_store(url, create=labels is None, labels=labels)

        return open_corpus


@pytest.mark.usefixtures("_installed")
def test_a_store_of_another_package_is_opened_by_its_scheme(tmp_path: Path) -> None:
    write_files(tmp_path, {"umowa.md": "# Umowa\n\nKaucja wynosi 1200 zł.\n"})
    assert plugins.store_engine("cellar") == "cellar 1.0"
    with Corpus.open("cellar://wines", settings=SETTINGS) as corpus:
        corpus.add(tmp_path / "umowa.md", label="hr")
        reply = corpus.ask("Ile wynosi kaucja?")
        assert isinstance(reply, Answer)
        assert reply.citations[0].quote == "Kaucja wynosi 1200 zł."
        with Corpus.open("cellar://wines", settings=SETTINGS, labels=["board"]) as stranger:
            assert stranger.search("kaucja").hits == ()
    with (
        Corpus.open("cellar://beers", settings=SETTINGS) as corpus,
        pytest.raises(CorpusMissingError),
    ):
        corpus.search("kaucja")


def test_a_scheme_that_no_package_opens_is_an_error(tmp_path: Path) -> None:
    with (
        Corpus.open("cellar://wines", settings=SETTINGS) as corpus,
        pytest.raises(SettingsError, match="there is no store named 'cellar'"),
    ):
        corpus.status()
