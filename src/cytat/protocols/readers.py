"""Bytes -> documents, documents -> chunks: what a reader and a chunker must offer."""

from collections.abc import Sequence
from typing import Protocol

from cytat.records import Chunk, Document


class Reader(Protocol):
    """Bytes -> Document. A pure function without global state: it can run in a child process."""

    name: str
    """Name and version, such as "pdf/1"; part of the stamp."""

    def read(self, content: bytes, *, source: str, password: str | None) -> Document:
        """Return the document; raise `ReadingError` with a code when nothing can be had of it."""
        ...


class Chunker(Protocol):
    """Document -> Chunks. Pure."""

    name: str
    """Name with the settings that matter, such as "structure/1:320"; part of the stamp."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order."""
        ...
