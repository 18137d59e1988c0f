"""The Pythons of this machine, to ask whether they agree.

Looked for in the environments beside this one (`make quick VENV=.venv-3.13 PYTHON=python3.13`), in
PYTHONS_TO_COMPARE (paths, parted as in PATH), in PATH, in /usr/bin and among pyenv's versions.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NEEDED = "import numpy, Stemmer"


def interpreters() -> list[Path]:
    """Return the Pythons from 3.11 on, this one first; each once, by whatever names it is there."""
    found: dict[Path, Path] = {}
    for path in _candidates():
        if path.is_file():
            found.setdefault(path.resolve(), path)
    return list(found.values())


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    yield from sorted(ROOT.glob(".venv*/bin/python"))
    named = os.environ.get("PYTHONS_TO_COMPARE", "").split(os.pathsep)
    yield from (Path(name) for name in named if name)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [Path(name) for name in os.environ["PATH"].split(os.pathsep) if "shims" not in name]
    for folder in chain(folders, [Path("/usr/bin")], pyenv.glob("versions/*/bin")):
        yield from sorted(folder.glob("python3.1[1-9]"))


def environment_for(python: Path) -> dict[str, str]:
    """Return the environment in which a Python finds the package, and packages made for it."""
    version = python.resolve().name
    beside = sorted(ROOT.glob(f".venv*/lib/{version}/site-packages"))
    ours = [path for path in sys.path if Path(path).parts[-2:] == (version, "site-packages")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [ROOT / "src", *beside, *ours]))}


def why_not(python: Path) -> str | None:
    """Return why a Python cannot be asked, if it cannot."""
    tried = run(python, "-c", _NEEDED)
    return None if tried.returncode == 0 else f"{python}: no numpy or no PyStemmer for it"


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python with arguments; a failure is in what comes back."""
    return subprocess.run(
        [str(python), *arguments],
        env=environment_for(python),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
