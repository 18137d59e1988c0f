"""Plug-ins that are wrong: what is registered is named, and a bad reader costs its file alone."""

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plugins.installing import register

from cytat import Corpus, plugins
from cytat.config import load_settings
from cytat.errors import SettingsError
from cytat.protocols import ModelOptions, SourceOptions
from cytat.reading.process import pool
from cytat.reading.process.child import Limits

OPTIONS = ModelOptions(Path("unused"), model=None, base_url=None, api_key=None, timeout_s=1.0)
MIB = 1024 * 1024
FORMAT = """
    import os, time
    from cytat.protocols import FileFormat, Fit
    from cytat.records import LocatorKind

    class Odd:
        name = {name!r}

        def read(self, content, *, source, options):
            {does}

    def fits(sample):
        {fits}

    ODD = FileFormat(
        reader="odd/1", titles={{"en": "an odd file", "pl": "dziwny plik"}},
        places=frozenset({{LocatorKind.LINE}}), fits=fits, open=Odd,
    )
"""

Plugin = Callable[..., None]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugin]:
    """Install a module of this text under an entry point."""
    target = tmp_path / "packages"
    target.mkdir()
    monkeypatch.syspath_prepend(str(target))

    def install(group: str, entry: str, code: str) -> None:
        (target / "odd_plugin.py").write_text(textwrap.dedent(code), "utf-8")
        register(target, "odd-plugin", "1.0", f"[{group}]\n{entry}\n")

    yield install
    sys.modules.pop("odd_plugin", None)


def odd_reader(*, does: str, fits: str = 'return Fit.NAME if sample.suffix == ".odd" else Fit.NONE',
               name: str = "odd/1") -> str:  # fmt: skip
    return FORMAT.format(does=does, fits=fits, name=name)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    def tight(_: int) -> Limits:
        return Limits(wall_s=5, cpu_s=2, memory_bytes=400 * MIB, reply_bytes=MIB)

    monkeypatch.setattr(pool.ReaderPool.__init__, "__kwdefaults__", {
        **(pool.ReaderPool.__init__.__kwdefaults__ or {}), "limits": tight,
    })  # fmt: skip
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "bad.odd").write_text("some words")
    (tmp_path / "docs" / "good.txt").write_text("The rent is 900 zloty.")
    return Corpus(load_settings({"corpus": str(tmp_path / "cytat.db"), "embedder": "fake"}))


@pytest.mark.parametrize(
    ("does", "code", "said"),
    [
        ("os.abort()", "unreadable", "stopped unexpectedly"),
        ("while True: pass", "time-limit", "took longer"),
        ("bytearray(1 << 40)", "memory-limit", "more than"),
        ("raise KeyError('no title')", "unreadable", "KeyError: 'no title'"),
        ("return None", "unreadable", "AttributeError"),
        ("raise __import__('cytat.errors').errors.ReadingError('no-text', 'blank', hint='look')",
         "no-text", "blank"),
    ],
)  # fmt: skip
def test_a_reader_that_fails_costs_its_file_alone(
    corpus: Corpus, tmp_path: Path, plugin: Plugin, does: str, code: str, said: str
) -> None:
    plugin("cytat.readers", "odd = odd_plugin:ODD", odd_reader(does=does))
    report = corpus.add(tmp_path / "docs")
    assert [one.source for one in report.added] == ["docs/good.txt"]
    assert [(one.source, one.code) for one in report.failed] == [("docs/bad.odd", code)]
    assert said in (report.failed[0].message or "")


def test_a_reader_named_otherwise_than_its_format_costs_its_file_alone(
    corpus: Corpus, tmp_path: Path, plugin: Plugin
) -> None:
    code = odd_reader(does="return None", name="odd/2")
    plugin("cytat.readers", "odd = odd_plugin:ODD", code)
    report = corpus.add(tmp_path / "docs")
    assert "names itself 'odd/2'" in (report.failed[0].message or "")
    assert [one.source for one in report.added] == ["docs/good.txt"]


def test_a_plug_in_that_fails_when_it_is_shown_a_file_is_named(
    corpus: Corpus, tmp_path: Path, plugin: Plugin
) -> None:
    fits = 'return Fit.NONE if sample.suffix == ".txt" else 1 / 0'
    plugin("cytat.readers", "odd = odd_plugin:ODD", odd_reader(does="return None", fits=fits))
    report = corpus.add(tmp_path / "docs")
    assert [one.source for one in report.added] == ["docs/good.txt"]
    said = report.failed[0].message or ""
    assert "ZeroDivisionError" in said
    assert "reader plug-in 'odd'" in said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("odd = odd_plugin:Odd", "the class Odd, not a cytat.protocols.FileFormat"),
        ("odd = odd_plugin:fits", "the function fits, not a cytat.protocols.FileFormat"),
        ("odd = odd_plugin:NOTHING", "cannot be loaded"),
        ("odd = no_such_module:ODD", "cannot be loaded"),
    ],
)
def test_what_is_no_format_is_an_error_that_names_the_plug_in(
    plugin: Plugin, entry: str, said: str
) -> None:
    plugin("cytat.readers", entry, odd_reader(does="return None"))
    with pytest.raises(SettingsError) as refused:
        plugins.load_formats()
    assert "'odd'" in refused.value.message
    assert said in refused.value.message


def test_a_built_in_name_cannot_be_taken(plugin: Plugin) -> None:
    plugin("cytat.readers", "pdf = odd_plugin:ODD", odd_reader(does="return None"))
    assert plugins.load_formats().named("pdf").format.reader.startswith("pdf/")


def test_an_unknown_reader_is_refused_before_anything_is_read(
    corpus: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError) as refused:
        corpus.add(tmp_path / "docs", reader="docling")
    assert "docling" in refused.value.message
    assert "pdf" in refused.value.hint
    assert corpus.status().documents == ()


# ---------------------------------------------------------------- models and sources

EMBEDDER = """
    from cytat.testing.embedders import FakeEmbedder

    class Acme(FakeEmbedder):
        def __init__(self):
            super().__init__(name="acme-small-2")

    class Half:
        name = "half"

    def open_embedder(options):
        return Acme()

    def open_half(options):
        return Half()

    def open_nothing():
        return Acme()
"""


def test_a_corpus_made_by_an_embedder_of_another_name_finds_it_again(
    tmp_path: Path, plugin: Plugin
) -> None:
    plugin("cytat.embedders", "acme = odd_plugin:open_embedder", EMBEDDER)
    (tmp_path / "a.txt").write_text("The rent is 900 zloty.")
    path = str(tmp_path / "cytat.db")
    with Corpus(load_settings({"corpus": path, "embedder": "acme"})) as corpus:
        corpus.add(tmp_path / "a.txt")
    with Corpus(load_settings({"corpus": path})) as later:
        assert later.search("rent", mode="vectors").hits[0].source == "a.txt"
        assert later.ask("What is the rent?").language == "en"
        stamp = later.status().stamp
    assert stamp is not None
    assert stamp.embedder == "acme:acme-small-2"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("acme = odd_plugin:Acme", "the class Acme, not a function of ModelOptions"),
        ("acme = odd_plugin:open_nothing", "the function open_nothing, not a function of"),
        ("acme = odd_plugin:open_half", "dimensions, embed_documents"),
    ],
)
@pytest.mark.parametrize("group", ["cytat.embedders", "cytat.generators"])
def test_what_is_no_factory_is_an_error_that_names_the_plug_in(
    plugin: Plugin, group: str, entry: str, said: str
) -> None:
    plugin(group, entry, EMBEDDER)
    load = plugins.load_embedder if group == "cytat.embedders" else plugins.load_generator
    with pytest.raises(SettingsError) as refused:
        load("acme", OPTIONS)
    assert "'acme'" in refused.value.message
    if group == "cytat.embedders":
        assert said in refused.value.message


def test_a_class_in_place_of_a_source_s_factory_is_an_error(plugin: Plugin, tmp_path: Path) -> None:
    plugin("cytat.sources", "odd = odd_plugin:Acme", EMBEDDER)
    with pytest.raises(SettingsError, match="not a function of SourceOptions"):
        plugins.load_sources(SourceOptions(base=tmp_path, corpus=None))
