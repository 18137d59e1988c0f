"""Back-ends by name, built-in ones through the same door as others."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from cytat import plugins
from cytat.errors import SettingsError
from cytat.protocols import ModelOptions

OPTIONS = ModelOptions(Path("unused"), model=None, base_url=None, api_key=None, timeout_s=1.0)


def test_the_built_in_back_ends_are_entry_points() -> None:
    assert {"e5-small", "minilm", "openai"} <= set(plugins.names(plugins.EMBEDDERS))
    assert "openai" in plugins.names(plugins.GENERATORS)


def test_every_registered_back_end_can_be_loaded() -> None:
    for group in (plugins.EMBEDDERS, plugins.GENERATORS, plugins.STORES):
        for name in plugins.names(group):
            (entry,) = _entries(group, name)
            assert callable(entry.load()), name


def _entries(group: str, name: str) -> list[EntryPoint]:
    from importlib.metadata import entry_points

    return list(entry_points(group=group, name=name))


def test_a_back_end_is_opened_with_the_options_given() -> None:
    assert plugins.load_embedder("fake", OPTIONS).name == "fake"


def test_a_path_is_opened_as_a_file_whatever_it_is_called(tmp_path: Path) -> None:
    for name in ("c.db", "http:", "a b.sqlite"):
        store = plugins.open_store(tmp_path / name, create=True)
        store.close()
        assert (tmp_path / name).read_bytes().startswith(b"SQLite format 3")
    assert plugins.store_engine(plugins.FILES).startswith("SQLite 3.")


def test_the_scheme_of_a_url_names_the_back_end() -> None:
    with pytest.raises(SettingsError, match="there is no store named 'elephant'") as refused:
        plugins.open_store("elephant://anna:secret@host/db")
    assert "sqlite" in refused.value.hint
    assert "secret" not in str(refused.value)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError) as refused:
        plugins.load_embedder("e6", OPTIONS)
    assert "e5-small" in refused.value.hint
    with pytest.raises(SettingsError, match="generator"):
        plugins.load_generator("e6", OPTIONS)
