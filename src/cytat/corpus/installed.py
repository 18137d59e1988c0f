"""A store -> the readers and sources that are installed, and what its documents are now."""

from cytat import plugins
from cytat.errors import ReadingError
from cytat.protocols import SourceOptions, Store
from cytat.records import StoredDocument, Version
from cytat.sources import SIZE_LIMIT_BYTES, FileSource, Sources
from cytat.text.identity import version_of


def open_sources(store: Store) -> Sources:
    """Return the sources of a store's documents; plug-ins are loaded when one is needed."""
    options = SourceOptions(base=store.base, corpus=store.file)
    return Sources(FileSource(options), lambda: plugins.load_sources(options), base=options.base)


class VersionsNow:
    """What the documents of a store are at their sources now; each is read at most once."""

    def __init__(self, store: Store) -> None:
        self._sources = open_sources(store)
        self._known: dict[str, Version | None] = {}

    def of(self, document: StoredDocument) -> Version | None:
        """Return the version there is now; None when its source cannot be read.

        A document that was added from memory is what it was: nobody else has it.
        """
        if document.file is None:
            return document.version
        if document.source not in self._known:
            self._known[document.source] = self._read(document.source)
        return self._known[document.source]

    def _read(self, source: str) -> Version | None:
        try:
            return version_of(self._sources.item(source).fetch(SIZE_LIMIT_BYTES).content)
        except ReadingError:
            return None
