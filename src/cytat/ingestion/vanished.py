"""Found files and the corpus -> the documents whose files are gone.

A folder that is missing or suddenly empty is more often an unplugged disk than a wish, so nothing
of it leaves the index until that is asked for.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from cytat.records import DocumentId
from cytat.sources import Found
from cytat.store import Store
from cytat.text.source_names import path_of


@dataclass(frozen=True, slots=True)
class Vanished:
    """What is no longer there."""

    documents: Mapping[DocumentId, str]
    """Sources to remove, by document."""
    spared: Mapping[Path, int]
    """How many documents stay although the whole folder they are in seems to be gone."""


def find_vanished(
    store: Store, found: Found, *, present: AbstractSet[DocumentId], prune: bool
) -> Vanished:
    """Return the documents under the folders just walked whose files were not found."""
    gone = {
        document_id: path_of(source, base=store.base)
        for document_id, source in store.sources().items()
        if document_id not in present
    }
    gone = {
        document_id: path
        for document_id, path in gone.items()
        if _is_within(path, found.folders) and not _is_within(path, found.closed)
    }
    empty = () if prune else _emptied(store.folders(), found)
    spared = {document_id for document_id, path in gone.items() if _is_within(path, empty)}
    sources = store.sources()
    return Vanished(
        documents={known: sources[known] for known in gone if known not in spared},
        spared={
            folder: sum(gone[known].is_relative_to(folder) for known in spared)
            for folder in empty
            if any(gone[known].is_relative_to(folder) for known in spared)
        },
    )


def _emptied(folders: tuple[Path, ...], found: Found) -> tuple[Path, ...]:
    """Return the folders, ever added, in which no file is left."""
    return tuple(
        folder for folder in folders if not any(path.is_relative_to(folder) for path in found.files)
    )


def _is_within(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
