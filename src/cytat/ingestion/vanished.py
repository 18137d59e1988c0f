"""Documents and what was found -> the documents whose files are gone.

A folder that is missing or suddenly empty is more often an unplugged disk than a wish, so nothing
of it leaves the index until that is asked for.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cytat.protocols import Listing
from cytat.records import DocumentId
from cytat.text.identity import lies_in


@dataclass(frozen=True, slots=True)
class Vanished:
    """What is no longer there."""

    documents: frozenset[DocumentId]
    """Those to remove."""
    spared: Mapping[str, int]
    """How many documents stay although the whole folder they are in seems to be gone."""


def find_vanished(
    known_folders: Iterable[str],
    before: Mapping[DocumentId, str],
    found: Listing,
    *,
    base: Path,
    prune: bool,
) -> Vanished:
    """Return the documents under the folders just listed that were not found.

    Args:
        known_folders: those ever added.
        before: names of the documents there were before the listing, apart from those that were
            found. What another program has added since is not among them.
        found: what is there; documents outside its roots are not looked at.
        base: the folder that documents are named from.
        prune: spare nothing.
    """

    def is_in(name: str, places: Collection[str]) -> bool:
        return any(lies_in(name, place, base=base) for place in places)

    gone = {
        document_id: name
        for document_id, name in before.items()
        if is_in(name, found.roots) and not is_in(name, found.closed)
    }
    spared = Counter[str]()
    names = [item.name for item in found.items]
    for folder in () if prune else dict.fromkeys((*known_folders, *found.roots)):
        if any(lies_in(name, folder, base=base) for name in names):
            continue
        within = [known for known, name in gone.items() if lies_in(name, folder, base=base)]
        spared[folder] += len(within)
        for known in within:
            del gone[known]
    return Vanished(documents=frozenset(gone), spared=+spared)
