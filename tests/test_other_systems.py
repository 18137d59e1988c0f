"""What a system without the modules and calls of Unix can do: here they are hidden from Python."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cytat.backends.e5.weights import FILE

ROOT = Path(__file__).parents[1]

WITHOUT_UNIX = """
import os, sys
for name in ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None  # an import fails
for name in ("wait4", "sched_getaffinity", "mkfifo", "fchmod",
             "fchown", "chown", "pread", "statvfs", "O_NOFOLLOW", "O_NONBLOCK"):
    if hasattr(os, name):
        delattr(os, name)
"""
"""Windows has none of these. It runs as Python starts, in child processes too."""

IMPORT_ALL = """
import pkgutil, sys
import cytat
for module in pkgutil.walk_packages(cytat.__path__, "cytat."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print(len([name for name in sys.modules if name.startswith("cytat.")]))
"""


SYSTEMS = {
    "Linux, x86-64": ("linux", "x86_64"),
    "Linux, ARM": ("linux", "aarch64"),
    "Mac, ARM": ("darwin", "arm64"),
    "Mac, Intel": ("darwin", "x86_64"),
    "Windows": ("win32", "AMD64"),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_installation_asks_for_the_package_of_the_weights_only_where_it_is_published(
    system: str,
) -> None:
    platform, machine = SYSTEMS[system]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = map(Requirement, project["dependencies"])
    environment = {"sys_platform": platform, "platform_machine": machine}
    names = [
        each.name for each in wanted if each.marker is None or each.marker.evaluate(environment)
    ]
    assert (FILE.distribution in names) == (system == "Linux, x86-64")
    assert names.count("onnxruntime") == 1


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which every Python starts without Unix."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(WITHOUT_UNIX)
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "CYTAT_EMBEDDER": "fake"}


def run(
    *arguments: str, environment: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_every_module_can_be_imported(environment: dict[str, str], tmp_path: Path) -> None:
    hidden = run("-c", "import resource", environment=environment, folder=tmp_path)
    assert "ModuleNotFoundError" in hidden.stderr, "nothing is hidden"
    done = run("-c", IMPORT_ALL, environment=environment, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


@pytest.mark.parametrize("verb", [("--help",), ("models",), ("models", "get", "--help")])
def test_a_verb_that_needs_no_corpus_runs(
    verb: tuple[str, ...], environment: dict[str, str], tmp_path: Path
) -> None:
    done = run("-m", "cytat", *verb, environment=environment, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_documents_are_read_in_child_processes_and_found(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "umowa.html").write_text("<h1>Umowa</h1><p>Kaucja wynosi 4300 zł.</p>", "utf-8")
    added = run(
        "-m", "cytat", "add", "umowa.html", "--json", environment=environment, folder=tmp_path
    )
    assert json.loads(added.stdout)["totals"]["added"] == 1, added
    found = run(
        "-m", "cytat", "search", "kaucja", "--json", environment=environment, folder=tmp_path
    )
    assert json.loads(found.stdout)["hits"][0]["source"] == "umowa.html"
