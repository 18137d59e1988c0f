"""What the pages and examples show of plug-ins keeps the contracts that it points to."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.plugins.installing import install

from cytat.protocols import Embedder
from cytat.testing.embedders import EmbedderContract

ROOT = Path(__file__).parents[2]


def example(name: str) -> ModuleType:
    """Return an example as a module."""
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples" / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestLetterTriples(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        embedder: Embedder = example("04_your_own_embedder.py").LetterTriples()
        return embedder


PAGE = (ROOT / "docs" / "reference" / "plug-ins.md").read_text("utf-8")
PACKAGES = Path(__file__).parent


def blocks(language: str) -> list[str]:
    """Return the code blocks of the page on plug-ins."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    ("language", "file"),
    [
        ("toml", "toy_deck/pyproject.toml"),
        ("python", "toy_deck/toy_deck.py"),
        ("python", "toy_shelf/toy_shelf.py"),
    ],
)
def test_the_page_shows_the_packages_that_are_tested(language: str, file: str) -> None:
    assert (PACKAGES / file).read_text("utf-8") in blocks(language)


def test_the_entry_point_of_the_source_is_that_of_its_package() -> None:
    shown = next(block for block in blocks("toml") if "cytat.sources" in block)
    assert shown in (PACKAGES / "toy_shelf/pyproject.toml").read_text("utf-8")


def test_the_test_that_the_page_shows_passes(tmp_path: Path) -> None:
    shown = next(block for block in blocks("python") if "ReaderContract" in block)
    packages = install("toy_deck", tmp_path / "packages")
    (tmp_path / "test_deck.py").write_text(shown, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_deck.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
