"""Flags, environment, file, defaults: in that order; what is unknown or senseless is refused."""

import sys
from pathlib import Path

import pytest

from cytat.config import Settings, default_file, load_settings
from cytat.errors import SettingsError


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default(
    tmp_path: Path,
) -> None:
    file = written(tmp_path / "c.toml", 'evidence = 3\nmodel = "file"\ntimeout_s = 7')
    environment = {"CYTAT_EVIDENCE": "4", "OPENAI_MODEL": "environment"}
    settings = load_settings({"evidence": 5}, environment=environment, file=file)
    assert (settings.evidence, settings.model, settings.timeout_s) == (5, "environment", 7.0)
    assert settings.corpus == Path("cytat.db")


def test_a_flag_that_was_not_given_counts_for_nothing() -> None:
    assert load_settings({"evidence": None}, environment={"CYTAT_EVIDENCE": "4"}).evidence == 4


def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({}, environment={}, file=written(tmp_path / "c.toml", "evidense = 3"))
    assert "evidense" in refused.value.message
    assert "'evidence'" in refused.value.hint


def test_senseless_values_are_all_named_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(
            {},
            environment={"CYTAT_EVIDENCE": "0", "CYTAT_CHUNK_TOKENS": "1", "CYTAT_TIMEOUT_S": "-1"},
        )
    for name in ("evidence", "chunk_tokens", "timeout_s"):
        assert name in refused.value.message


@pytest.mark.parametrize(
    ("name", "value"), [("CYTAT_EVIDENCE", "many"), ("CYTAT_TIMEOUT_S", "soon")]
)
def test_a_number_that_is_none_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=value):
        load_settings({}, environment={name: value})


@pytest.mark.parametrize("text", ["evidence = ", "\x00", "= 3"])
def test_a_broken_settings_file_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"c\.toml"):
        load_settings({}, environment={}, file=written(tmp_path / "c.toml", text))


def test_a_settings_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="nowhere"):
        load_settings({}, environment={}, file=tmp_path / "nowhere.toml")
    with pytest.raises(SettingsError, match="nowhere"):
        load_settings({}, environment={"CYTAT_CONFIG": str(tmp_path / "nowhere.toml")})


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named otherwise there")
def test_a_usual_file_that_cannot_be_looked_for_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/" + "x" * 300)
    with pytest.raises(SettingsError, match="cannot be read: File name too long"):
        load_settings({}, environment={})


@pytest.mark.parametrize("taken", ["nothing", "a folder", "a file where its folder should be"])
def test_without_a_usual_file_the_defaults_are_in_force(taken: str) -> None:
    if taken == "a folder":
        default_file().mkdir(parents=True)
    elif taken == "a file where its folder should be":
        written(default_file().parent, "")
    assert load_settings({}, environment={}) == Settings()


def test_the_usual_file_is_read_and_none_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "config.toml", "evidence = 1")
    written(tmp_path / "cytat.toml", "evidence = 1")
    assert load_settings({}, environment={}).evidence == Settings().evidence
    written(default_file(), "evidence = 2")
    assert load_settings({}, environment={}).evidence == 2


def test_only_a_server_with_a_model_may_be_contacted() -> None:
    assert Settings(base_url="http://a/v1", api_key="k").contacts() == ()
    assert Settings(model="m", base_url="http://a/v1").contacts() == ("http://a/v1",)
    assert Settings(embeddings_model="e", embeddings_base_url="http://b/v1").contacts() == (
        "http://b/v1",
    )


def test_keys_and_addresses_are_not_part_of_how_settings_are_shown() -> None:
    keys = {"api_key": "tajne1", "embeddings_api_key": "tajne2", "judge_api_key": "tajne3"}
    addresses = {"base_url": "http://u:tajne4@a", "judge_base_url": "http://u:tajne5@a"}
    assert "tajne" not in repr(Settings(**keys, **addresses))  # type: ignore[arg-type]
