"""Documents and the files found -> the documents whose files are gone.

A folder that is missing or suddenly empty is more often an unplugged disk than a wish, so nothing
of it leaves the index until that is asked for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.records import DocumentId
from cytat.sources import FoundFiles


@dataclass(frozen=True, slots=True)
class Vanished:
    """What is no longer there."""

    documents: frozenset[DocumentId]
    """Those to remove."""
    spared: Mapping[Path, int]
    """How many documents stay although the whole folder they are in seems to be gone."""


def find_vanished(
    known_folders: Sequence[Path],
    before: Mapping[DocumentId, Path],
    found: FoundFiles,
    *,
    prune: bool,
) -> Vanished:
    """Return the documents under the folders just walked whose files were not found.

    Args:
        known_folders: those ever added.
        before: the documents there were before the walk, apart from those whose files were
            found. What another program has added since is not among them.
        found: what the walk found.
        prune: spare nothing.
    """
    gone = {
        document_id: path
        for document_id, path in before.items()
        if _is_within(path, found.folders) and not _is_within(path, found.closed)
    }
    spared = Counter[Path]()
    for folder in () if prune else _emptied(known_folders, found):
        within = [known for known, path in gone.items() if path.is_relative_to(folder)]
        spared[folder] += len(within)
        for known in within:
            del gone[known]
    return Vanished(documents=frozenset(gone), spared=+spared)


def _emptied(folders: Sequence[Path], found: FoundFiles) -> tuple[Path, ...]:
    """Return the folders, ever added, in which no file is left."""
    return tuple(
        folder for folder in folders if not any(path.is_relative_to(folder) for path in found.files)
    )


def _is_within(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
