"""Where documents come from: what a source must offer.

A source is registered under `cytat.sources` by a factory that takes `SourceOptions`. Files and
folders are the built-in one; a plug-in may read archives, mailboxes, sites or another system.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cytat.records import SourceItem


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What a factory of a source is given."""

    base: Path
    """The folder that documents are named from."""
    corpus: Path | None
    """The corpus file, which is never a document; None if it is not a file."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source found at some addresses. Everything is named as documents are."""

    items: tuple[SourceItem, ...]
    """Each once, in a fixed order."""
    roots: tuple[str, ...] = ()
    """Folders and the like that were listed whole: documents in them that were not found leave."""
    closed: Mapping[str, str] = field(default_factory=dict)
    """What could not be listed, with why: nothing is known of what is in it, so it stays."""
    absent: tuple[str, ...] = ()
    """Addresses at which there is nothing, where that was allowed."""
    passed_over: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Why, in a sentence -> names of what was found and is not read."""


class Source(Protocol):
    """Addresses -> items. Lists without reading; what is read is read by the items' `fetch`."""

    name: str

    def claims(self, address: str) -> bool:
        """Say whether an address, or the name of a document, is this source's. Touches nothing.

        It is asked about files that a folder holds, too: an archive's source claims the archive,
        and its members' names. A name with neither `://` nor `!/` is that of a file.
        """
        ...

    def find(self, addresses: Sequence[str], *, absent_ok: bool) -> Listing:
        """Return what is at addresses that it claims.

        Raises:
            UsageError: something is not there, and that is not allowed; it names all such.
            ReadingError: an address is there and cannot be listed.
        """
        ...

    def item(self, name: str) -> SourceItem:
        """Return the item of a document as it is now; if it is gone, its `fetch` says so."""
        ...
