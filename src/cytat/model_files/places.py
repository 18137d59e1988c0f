"""Model -> where its data files are, and whether they are whole.

A file is looked for in the cache, where `cytat models get` puts it, then in the installed package
that holds it. Packages are looked up, never imported. A file is used as it is: its size is compared
at each opening, its SHA-256 where that is asked for.
"""

import hashlib
import importlib.metadata
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from cytat.errors import ModelMissingError
from cytat.records import Model, ModelFile, ModelFileState, ModelFileStatus, ModelStatus

FOLDER = "models"
"""In the cache; below it one folder for each package, named with its version."""
MEGABYTE = 1_000_000

_FINGERPRINT = r"-[0-9a-f]{16}"


def model_folder(cache: Path) -> Path:
    """Return the folder of the cache that holds fetched files."""
    return cache / FOLDER


def place_in_cache(file: ModelFile, cache: Path) -> Path:
    """Return where the file is kept once it has been fetched."""
    return model_folder(cache) / f"{file.distribution}-{file.version}" / file.name


def built_folder(model: Model, fingerprint: str, cache: Path) -> Path:
    """Return the folder for what is made from the model's files; `remove_model` deletes it."""
    return cache / f"{model.name}-{fingerprint[:16]}"


def find_file(model: Model, file: ModelFile, cache: Path) -> Path:
    """Return the path of a data file that is there in its full size.

    Raises:
        ModelMissingError: it is nowhere, or what is there has another size.
    """
    there = [path for path in _places(file, cache) if path.is_file()]
    for path in there:
        if path.stat().st_size == file.size_bytes:
            return path
    if there:
        raise _damaged(model, file, there[0])
    raise ModelMissingError(
        f"the model {model.name} is not on this machine: {file.name} is missing",
        hint=f"{_remedy(model)}; or choose another embedder",
    )


def check_file(model: Model, file: ModelFile, path: Path) -> None:
    """Raise `ModelMissingError` unless the file has the SHA-256 this code was written for."""
    if not _has_hash(path, file.sha256):
        raise _damaged(model, file, path)


def model_status(model: Model, cache: Path) -> ModelStatus:
    """Return what of a model is here; every file that is there is hashed."""
    files = tuple(file_status(file, cache) for file in model.files)
    states = {file.state for file in files}
    worst = (ModelFileState.DAMAGED, ModelFileState.MISSING, ModelFileState.VERIFIED)
    state = next(state for state in worst if state in states)
    missing = tuple(name for name in model.libraries if not is_installed(name))
    return ModelStatus(
        name=model.name,
        task=model.task,
        origin=model.origin,
        licence=model.licence,
        languages=model.languages,
        size_bytes=model.size_bytes,
        state=state,
        missing_libraries=missing,
        hint=_hint(model, state, missing),
        files=files,
    )


def file_status(file: ModelFile, cache: Path) -> ModelFileStatus:
    """Look for one file: a whole copy counts before a damaged one."""
    there = [path for path in _places(file, cache) if path.is_file()]
    whole = [path for path in there if _has_hash(path, file.sha256)]
    state = ModelFileState.DAMAGED if there else ModelFileState.MISSING
    return ModelFileStatus(
        name=file.name,
        distribution=file.distribution,
        version=file.version,
        sha256=file.sha256,
        size_bytes=file.size_bytes,
        state=ModelFileState.VERIFIED if whole else state,
        path=str((whole or there)[0]) if there else None,
    )


def stored_files(model: Model, cache: Path) -> list[Path]:
    """Return what the cache holds of a model: fetched files, and folders built from them."""
    fetched = [place_in_cache(file, cache) for file in model.files]
    name = re.compile(re.escape(model.name) + _FINGERPRINT)
    built = [path for path in cache.glob(f"{model.name}-*") if name.fullmatch(path.name)]
    return [path for path in fetched if path.exists()] + sorted(built)


def remove_model(model: Model, cache: Path) -> list[Path]:
    """Delete what the cache holds of a model and return what that was; packages stay.

    Raises:
        OSError: a file is in use (on Windows), or may not be deleted.
    """
    stored = stored_files(model, cache)
    for path in stored:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for folder in {place_in_cache(file, cache).parent for file in model.files}:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return stored


def path_in_package(file: ModelFile) -> Path | None:
    """Return where the installed package has the file; None where it is not installed."""
    try:
        distribution = importlib.metadata.distribution(file.distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    return Path(str(distribution.locate_file(file.path)))


def is_in_package(file: ModelFile) -> bool:
    """Say whether an installed package holds the file."""
    path = path_in_package(file)
    return path is not None and path.is_file()


def is_installed(distribution: str) -> bool:
    """Say whether a package is installed."""
    try:
        importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _places(file: ModelFile, cache: Path) -> Iterator[Path]:
    """Yield where a file may be. The cache goes first: it is filled where a package's is bad."""
    yield place_in_cache(file, cache)
    in_package = path_in_package(file)
    if in_package is not None:
        yield in_package


def _has_hash(path: Path, sha256: str) -> bool:
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _damaged(model: Model, file: ModelFile, path: Path) -> ModelMissingError:
    return ModelMissingError(
        f"{path} is not the file {file.name} of {file.requirement}: it is damaged or incomplete",
        hint=f"run `cytat models get {model.name}` to get it again",
    )


def _remedy(model: Model) -> str:
    fetch = f"`cytat models get {model.name}`"
    if model.extra is not None:
        return f"run `pip install '{model.extra}'`, or {fetch}"
    size = round(model.download_bytes / MEGABYTE)
    return f"run {fetch}: it downloads {size} MB, once"


def _hint(model: Model, state: ModelFileState, missing: tuple[str, ...]) -> str | None:
    if state is ModelFileState.MISSING:
        return _remedy(model)
    if state is ModelFileState.DAMAGED:
        return f"run `cytat models get {model.name}` to get it again"
    if missing:
        return f"run `pip install {' '.join(missing)}`"
    return None
