"""A name -> the back-end of that name. Built-in back-ends come through the same door as others.

Entry points: a distribution registers a factory under `cytat.embedders` or `cytat.generators`;
the factory takes `ModelOptions` and returns an `Embedder` or a `Generator`. Under `cytat.models` it
registers a `Model`, the record of the data files that one of them needs. A built-in name cannot be
taken by another distribution. What reads entry points is imported when a back-end is opened: a
search by words opens none.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from cytat.errors import SettingsError
from cytat.protocols import Embedder, Generator, ModelOptions
from cytat.records import Model

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

EMBEDDERS = "cytat.embedders"
GENERATORS = "cytat.generators"
MODELS = "cytat.models"


def names(group: str) -> list[str]:
    """Return the names registered in an entry-point group, sorted."""
    return sorted(_all_entries(group).names)


def load_embedder(name: str, options: ModelOptions) -> Embedder:
    """Return the embedder registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Embedder]", _factory(EMBEDDERS, name))(options)


def load_generator(name: str, options: ModelOptions) -> Generator:
    """Return the generator registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Generator]", _factory(GENERATORS, name))(options)


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
