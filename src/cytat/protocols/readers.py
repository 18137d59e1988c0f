"""Where documents come from and how they are read and cut: sources, readers and chunkers.

A reader is registered under `cytat.readers` by its `FileFormat`: everything about the format that
is asked before a file is parsed is there and nowhere else.

A source is registered under `cytat.sources` by a factory that takes `SourceOptions`. Files and
folders are the built-in one; a plug-in may read archives, mailboxes, sites or another system.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from cytat.records import Chunk, Document, LocatorKind, PageBox, ReadingOptions, SourceItem, Span


class Reader(Protocol):
    """Bytes -> Document. A pure function without global state: it can run in a child process."""

    name: str
    """Name and version, such as "pdf/1"; part of the stamp."""

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        """Return the document; raise `ReadingError` with a code when nothing can be had of it."""
        ...


@runtime_checkable
class DrawsBoxes(Protocol):
    """A reader that can also say where characters are on the pages of its format."""

    def boxes(
        self, content: bytes, span: Span, *, source: str, options: ReadingOptions
    ) -> Sequence[PageBox]:
        """Return a box for each line that `span` of the document's text touches, in text order."""
        ...


class Fit(IntEnum):
    """How sure a format is that a file is of it. Of all installed, the surest reads it."""

    NONE = 0
    ANY_TEXT = 1
    """It reads any text, for want of anything better."""
    NAME = 2
    """The name says so, or the server that sent it."""
    FAMILY = 3
    """The content is of a wider kind: some archive, some XML."""
    CONTENT = 4
    """The content says so."""


@dataclass(frozen=True, slots=True)
class FileSample:
    """What a file shows before it is parsed."""

    name: str
    """Without folders."""
    suffix: str
    """Of the name, in lower case, with its dot; empty if there is none."""
    head: bytes
    """The first 4,096 bytes."""
    members: frozenset[str]
    """Names inside a ZIP archive, the first thousand; empty for other files."""
    media_type: str | None
    """What its source says it is."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """What a reader plug-in registers: the format it reads, known without loading its parser."""

    reader: str
    """Name and version of the reader: that of `Reader.name`."""
    titles: Mapping[str, str]
    """What people call a file of it, by language: {"en": "a PDF file", "pl": "plik PDF"}."""
    places: frozenset[LocatorKind]
    """What its places are. `PAGE` and other kinds of `Part`, `HEADING`, `LINE`."""
    fits: Callable[[FileSample], Fit]
    """Says how sure it is of a file. Quick: it is asked about every file, in the main process."""
    open: Callable[[], Reader]
    """Returns the reader; its parser is imported here."""
    read_here_bytes: int = 0
    """Files up to this size may be read in the main process, for want of anything that can crash.

    Larger ones, and by default all, are read in a child process with limits.
    """
    draws_boxes: bool = False
    """Whether the reader is a `DrawsBoxes`."""


class Chunker(Protocol):
    """Document -> Chunks. Pure."""

    name: str
    """Name with the settings that matter, such as "structure/1:320"; part of the stamp."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order."""
        ...


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
