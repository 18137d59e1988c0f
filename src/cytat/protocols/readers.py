"""Bytes -> documents, documents -> chunks: what a reader and a chunker must offer.

A reader is registered under `cytat.readers` by its `FileFormat`: everything about the format that
is asked before a file is parsed is there and nowhere else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, runtime_checkable

from cytat.records import Chunk, Document, LocatorKind, PageBox, ReadingOptions, Span


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
