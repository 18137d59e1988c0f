"""A name -> the back-end of that name. Built-in back-ends come through the same door as others.

Entry points: a distribution registers a factory under `cytat.embedders` or `cytat.generators`;
the factory takes `ModelOptions` and returns an `Embedder` or a `Generator`. Under `cytat.models` it
registers a `Model`, the record of the data files that one of them needs; under `cytat.stores` an
`OpenStore`, by the scheme of the URLs that it opens. A built-in name cannot be taken by another
distribution. What reads entry points is imported when it is needed: a search by words in a file
needs none.
"""

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cytat.errors import SettingsError
from cytat.protocols import Embedder, Generator, ModelOptions, OpenStore, Store
from cytat.records import Model

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

EMBEDDERS = "cytat.embedders"
GENERATORS = "cytat.generators"
MODELS = "cytat.models"
STORES = "cytat.stores"

FILES, IN_MEMORY = "sqlite", "memory"
"""The back-ends of plain paths, and of `:memory:`."""
_URL = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


def names(group: str) -> list[str]:
    """Return the names registered in an entry-point group, sorted."""
    return sorted(_all_entries(group).names)


def load_embedder(name: str, options: ModelOptions) -> Embedder:
    """Return the embedder registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Embedder]", _factory(EMBEDDERS, name))(options)


def load_generator(name: str, options: ModelOptions) -> Generator:
    """Return the generator registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Generator]", _factory(GENERATORS, name))(options)


def open_store(
    name: str | Path, *, create: bool = False, labels: Collection[str] | None = None
) -> Store:
    """Open a corpus: a file, a URL whose scheme names the back-end, or `:memory:`.

    Raises:
        SettingsError: no back-end is registered for the scheme.
        CorpusMissingError: there is no such corpus, and it is not to be made (`create`).
    """
    factory = _store_factory(_back_end_of(str(name)))
    return factory(str(name), create=create, labels=labels)


def store_engine(back_end: str) -> str:
    """Return name and version of what a back-end keeps its corpora in."""
    return _store_factory(back_end).engine


def _store_factory(back_end: str) -> OpenStore:
    """Return what opens the stores of a back-end; for files no entry point has to be read."""
    if back_end == FILES:
        from cytat.backends.sqlite import open_store as open_file  # noqa: PLC0415 - see the top

        return open_file
    return cast("OpenStore", _factory(STORES, back_end))


def _back_end_of(name: str) -> str:
    if name == ":memory:":
        return IN_MEMORY
    url = _URL.match(name)
    return FILES if url is None else url[1].lower()


def load_models() -> list[Model]:
    """Return the models whose data files `cytat models` looks after, by name."""
    return [cast("Model", _factory(MODELS, name)) for name in names(MODELS)]


def load_model(name: str) -> Model:
    """Return the model registered as `name`."""
    return cast("Model", _factory(MODELS, name))


def _factory(group: str, name: str) -> object:
    """Return what `name` is registered for, looking at our own distribution before all others."""
    for entries in (_own_entries, _all_entries):
        for entry in entries(group).select(name=name):
            return entry.load()
    role = group.removeprefix("cytat.").removesuffix("s")
    raise SettingsError(
        f"there is no {role} named {name!r}",
        hint=f"known: {', '.join(names(group))}",
    )


def _own_entries(group: str) -> "EntryPoints":
    """Return the built-in back-ends: one file is read, where all can be hundreds."""
    from importlib.metadata import Distribution, EntryPoints  # noqa: PLC0415 - see the top

    own = Distribution.discover(name="cytat")
    return EntryPoints(entry for one in own for entry in one.entry_points.select(group=group))


def _all_entries(group: str) -> "EntryPoints":
    from importlib.metadata import entry_points  # noqa: PLC0415 - see the top

    return entry_points(group=group)
