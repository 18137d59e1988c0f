"""A folder of files that are built once -> its path. The folder is complete, or it is not there.

Its name contains a hash of its inputs, so another version uses another folder. It is built under a
temporary name and renamed when it is complete: two processes can build at the same time, and a
killed one leaves nothing that looks finished. A manifest holds the size and hash of each file. It
is checked at every opening; a folder that does not match it is rebuilt.
"""

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

MANIFEST = "manifest.json"


def cached_files(folder: Path, build: Callable[[], Mapping[str, bytes]]) -> Path:
    """Return `folder` with its files whole; `build` makes them when they are not."""
    if not _is_whole(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _write(made, build())
            _move_in(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    manifest = {}
    for name, content in files.items():
        (folder / name).write_bytes(content)
        manifest[name] = [len(content), hashlib.sha256(content).hexdigest()]
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _move_in(made: Path, folder: Path) -> None:
    """Put the new folder in its place; when another process was first, its folder stays."""
    if folder.exists() and not _is_whole(folder):
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        with contextlib.suppress(FileNotFoundError):  # another process has just put it aside
            folder.replace(aside / "damaged")
        shutil.rmtree(aside, ignore_errors=True)
    try:
        made.replace(folder)
    except OSError:
        if not _is_whole(folder):
            raise


def _is_whole(folder: Path) -> bool:
    """Say whether every file of the manifest is there with its size and hash."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return all(
            (folder / name).stat().st_size == size and _hash(folder / name) == digest
            for name, (size, digest) in manifest.items()
        )
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
