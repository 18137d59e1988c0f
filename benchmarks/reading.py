"""Bytes -> Document in this process, by the reader that fits; and what `ingest` works with."""

from cytat import plugins
from cytat.corpus.installed import open_sources
from cytat.ingestion import Tools
from cytat.protocols import Chunker, Embedder, Reader, Store
from cytat.records import Document, ReadingOptions

FORMATS = plugins.load_formats()


def reader_for(
    content: bytes, source: str, *, named: str | None = None, media_type: str | None = None
) -> Reader:
    """Return the reader for a file."""
    found = FORMATS.reader_for(content, source, named=named, media_type=media_type)
    return found.format.open()


def read_document(content: bytes, *, source: str) -> Document:
    """Return the document of a file."""
    return FORMATS.read(content, source=source, options=ReadingOptions())


def tools_of(store: Store, embedder: Embedder, chunker: Chunker) -> Tools:
    """Return what a run works with whose files are read in this process."""
    return Tools(embedder, chunker, reader_for, open_sources(store))
