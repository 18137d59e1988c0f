"""A name -> the back-end of that name. Built-in back-ends come through the same door as others.

Entry points: a distribution registers a factory under `cytat.embedders` or `cytat.generators`;
the factory takes `ModelOptions` and returns an `Embedder` or a `Generator`.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import cast

from cytat.errors import SettingsError
from cytat.protocols import Embedder, Generator, ModelOptions

EMBEDDERS = "cytat.embedders"
GENERATORS = "cytat.generators"


def names(group: str) -> list[str]:
    """Return the names registered in an entry-point group, sorted."""
    return sorted(entry_points(group=group).names)


def load_embedder(name: str, options: ModelOptions) -> Embedder:
    """Return the embedder registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Embedder]", _factory(EMBEDDERS, name))(options)


def load_generator(name: str, options: ModelOptions) -> Generator:
    """Return the generator registered as `name`, opened."""
    return cast("Callable[[ModelOptions], Generator]", _factory(GENERATORS, name))(options)


def _factory(group: str, name: str) -> object:
    found = entry_points(group=group, name=name)
    for entry in found:
        return entry.load()
    role = group.removeprefix("cytat.").removesuffix("s")
    raise SettingsError(
        f"there is no {role} named {name!r}",
        hint=f"known: {', '.join(names(group))}",
    )
