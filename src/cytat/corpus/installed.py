"""A store -> the readers and sources that are installed, and what its documents are now."""

from cytat import plugins
from cytat.errors import ReadingError
from cytat.protocols import SourceOptions, Store
from cytat.records import FileStamp, Version
from cytat.sources import SIZE_LIMIT_BYTES, FileSource, Sources
from cytat.text.identity import version_of


def open_sources(store: Store) -> Sources:
    """Return the sources of a store's documents; plug-ins are loaded when one is needed."""
    options = SourceOptions(base=store.base, corpus=store.file)
    return Sources(FileSource(options), lambda: plugins.load_sources(options), base=options.base)


class VersionsNow:
    """What documents of a store are at their sources now; each is read at most once."""

    def __init__(self, store: Store) -> None:
        self._sources = open_sources(store)
        self._known: dict[str, Version | None] = {}

    def of(self, source: str, stored: Version | None, file: FileStamp | None) -> Version | None:
        """Return the version of a source there is now; None when it cannot be read.

        A document that was added from memory, without a `file`, is what is stored of it.
        """
        if file is None:
            return stored
        if source not in self._known:
            self._known[source] = self._read(source)
        return self._known[source]

    def _read(self, source: str) -> Version | None:
        try:
            return version_of(self._sources.item(source).fetch(SIZE_LIMIT_BYTES).content)
        except ReadingError:
            return None
