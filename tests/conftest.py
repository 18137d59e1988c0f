"""What every test stands on: no network beyond this machine, and a home of its own.

Settings of the person who runs the tests never reach them. One thing is shared on purpose: the
folder with the encoder's files made once from its weights, since making them takes seconds.
"""

import ipaddress
import itertools
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest

ROOT = Path(__file__).parents[1]
MODEL_CACHE = os.environ.get("CYTAT_CACHE") or platformdirs.user_cache_dir("cytat", appauthor=False)
"""Read before any test changes the environment."""

HOMES = itertools.count()
OURS = ("CYTAT_", "OPENAI_", "EMBEDDINGS_")
XDG_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")


class NetworkRefused(Exception):  # noqa: N818 (what happened, not what is wrong)
    """A test tried to leave this machine."""


def _is_local(host: object) -> bool:
    """Say whether a host is this machine; a name that needs asking for is not."""
    text = host.decode() if isinstance(host, bytes) else str(host)
    if text in {"", "localhost", "None"}:
        return True
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection and every name look-up that is not for this machine."""
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def checked(address: Any) -> Any:
        if isinstance(address, tuple) and not _is_local(address[0]):
            raise NetworkRefused(f"connection to {address}")
        return address

    def guarded_connect(self: socket.socket, address: Any) -> None:
        connect(self, checked(address))

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        return connect_ex(self, checked(address))

    def guarded_look_up(host: Any, *arguments: Any, **named: Any) -> Any:
        if not _is_local(host):
            raise NetworkRefused(f"name look-up of {host!r}")
        return look_up(host, *arguments, **named)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the test an empty home folder and none of our environment variables."""
    # `mktemp` reads the whole folder to find a free number: too slow for every test.
    home = tmp_path_factory.getbasetemp() / f"home-{next(HOMES)}"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(OURS)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in XDG_FOLDERS:
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("CYTAT_CACHE", MODEL_CACHE)


@pytest.fixture(scope="session")
def example_documents() -> Path:
    """Return the folder of the example documents."""
    return ROOT / "examples" / "documents"


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """Return an empty folder in memory where there is such a disk: writes wait for no disk."""
    in_memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    if not os.access(in_memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=in_memory) as folder:
        yield Path(folder)
