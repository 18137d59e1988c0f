"""A name -> the back-end of that name. Built-in back-ends use the same entry points as others.

Entry points: a distribution registers a factory under `cytat.embedders` or `cytat.generators`;
the factory takes `ModelOptions` and returns an `Embedder` or a `Generator`. Under `cytat.models` it
registers a `Model`, the record of the data files that one of them needs; under `cytat.stores` an
`OpenStore`, by the scheme of the URLs that it opens; under `cytat.readers` a `FileFormat`; under
`cytat.sources` a factory that takes `SourceOptions` and returns a `Source`. A built-in name cannot
be taken by another distribution. What reads entry points is imported when it is needed: a search
by words in a file needs none.
"""

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cytat.errors import SettingsError
from cytat.protocols import (
    Embedder,
    FileFormat,
    Generator,
    ModelOptions,
    OpenStore,
    Source,
    SourceOptions,
    Store,
    Vectors,
)
from cytat.records import Model

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from cytat.reading.choice import Formats

EMBEDDERS = "cytat.embedders"
GENERATORS = "cytat.generators"
MODELS = "cytat.models"
STORES = "cytat.stores"
READERS = "cytat.readers"
SOURCES = "cytat.sources"

FILE_SOURCE = "files"
"""The source of files and folders, which is tried last."""
_EMBEDDER_HAS = ("name", "dimensions", "embed_documents", "embed_query", "token_ends")
_GENERATOR_HAS = ("name", "generate", "count_tokens")
_SOURCE_HAS = ("name", "claims", "find", "item")

FILES, IN_MEMORY = "sqlite", "memory"
"""The back-ends of plain paths, and of `:memory:`."""
_URL = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


def names(group: str) -> list[str]:
    """Return the names registered in an entry-point group, sorted."""
    return sorted(_all_entries(group).names)


def load_embedder(name: str, options: ModelOptions) -> Embedder:
    """Return the embedder registered as `name`, opened.

    Its own name begins with the one it is registered under, so that a corpus made with it finds it
    again: a stamp such as "acme:small-2" is that of the embedder "small-2" of the plug-in "acme".
    """
    embedder = cast("Embedder", _opened(EMBEDDERS, name, options, _EMBEDDER_HAS))
    own = embedder.name
    return embedder if own.partition(":")[0] == name else _Renamed(embedder, f"{name}:{own}")


def load_generator(name: str, options: ModelOptions) -> Generator:
    """Return the generator registered as `name`, opened."""
    return cast("Generator", _opened(GENERATORS, name, options, _GENERATOR_HAS))


def load_formats() -> "Formats":
    """Return the formats of all readers that are installed, the built-in ones first."""
    from cytat.reading.choice import Formats, InstalledReader  # noqa: PLC0415 - see the top

    installed = []
    for entry in _entries_in_order(READERS):
        found = _loaded(entry)
        if not isinstance(found, FileFormat):
            raise _misregistered(READERS, entry.name, found, "a cytat.protocols.FileFormat")
        installed.append(InstalledReader(entry.name, entry.value, found))
    return Formats(installed)


def load_sources(options: SourceOptions) -> list[Source]:
    """Return the sources that are installed, but for that of files and folders."""
    entries = [entry for entry in _entries_in_order(SOURCES) if entry.name != FILE_SOURCE]
    return [
        cast("Source", _called(SOURCES, entry.name, _loaded(entry), options, _SOURCE_HAS))
        for entry in entries
    ]


def open_store(
    name: str | Path, *, create: bool = False, labels: Collection[str] | None = None
) -> Store:
    """Open a corpus: a file, a URL whose scheme names the back-end, or `:memory:`.

    Raises:
        SettingsError: no back-end is registered for the scheme.
        CorpusMissingError: there is no such corpus, and `create` is false.
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
            return _loaded(entry)
    role = group.removeprefix("cytat.").removesuffix("s")
    raise SettingsError(
        f"there is no {role} named {name!r}",
        hint=f"known: {', '.join(names(group))}",
    )


def _opened(group: str, name: str, options: object, has: Sequence[str]) -> object:
    return _called(group, name, _factory(group, name), options, has)


def _called(group: str, name: str, factory: object, options: object, has: Sequence[str]) -> object:
    """Return what a factory makes, or say what is wrong with the plug-in.

    Raises:
        SettingsError: it is not a function of the options, or makes something else.
    """
    if not callable(factory) or not _takes_one(factory):
        raise _misregistered(group, name, factory, f"a function of {type(options).__name__}")
    made: object = factory(options)
    missing = [attribute for attribute in has if not hasattr(made, attribute)]
    if missing:
        needed = f"a function whose result has {', '.join(missing)}"
        raise _misregistered(group, name, factory, needed)
    return made


def _loaded(entry: "EntryPoint") -> object:
    """Return what an entry point names; SettingsError where the plug-in is broken."""
    try:
        found: object = entry.load()
    except (ImportError, AttributeError) as error:
        raise SettingsError(
            f"the plug-in {entry.name!r} of {entry.group} cannot be loaded: {error}",
            hint="repair or uninstall the package that registers it",
        ) from error
    return found


def _takes_one(factory: Callable[..., object]) -> bool:
    from inspect import signature  # noqa: PLC0415 - see the top

    try:
        signature(factory).bind(object())
    except (TypeError, ValueError):
        return False
    return True


def _misregistered(group: str, name: str, found: object, needed: str) -> SettingsError:
    kind = "class" if isinstance(found, type) else type(found).__name__
    given = getattr(found, "__qualname__", repr(found))
    return SettingsError(
        f"the plug-in {name!r} of {group} registers the {kind} {given}, not {needed}",
        hint="the page on plug-ins in the documentation shows what to register",
    )


class _Renamed:
    """An embedder under the name of its entry point; everything else is its own."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self.name = name
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens
        self.weights = embedder.weights
        self.languages = embedder.languages
        self._embedder = embedder

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return the embedder's vectors."""
        return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """Return the embedder's vector."""
        return self._embedder.embed_query(text)

    def token_ends(self, text: str) -> Sequence[int]:
        """Return where the embedder's tokens end."""
        return self._embedder.token_ends(text)


def _entries_in_order(group: str) -> "list[EntryPoint]":
    """Return all entries of a group: the built-in ones first, others by name; each name once."""
    entries = {entry.name: entry for entry in _own_entries(group)}
    for entry in sorted(_all_entries(group), key=lambda entry: (entry.name, entry.value)):
        entries.setdefault(entry.name, entry)
    return list(entries.values())


def _own_entries(group: str) -> "EntryPoints":
    """Return the built-in back-ends: one file is read, where all can be hundreds."""
    from importlib.metadata import Distribution, EntryPoints  # noqa: PLC0415 - see the top

    own = Distribution.discover(name="cytat")
    return EntryPoints(
        entry for distribution in own for entry in distribution.entry_points.select(group=group)
    )


def _all_entries(group: str) -> "EntryPoints":
    from importlib.metadata import entry_points  # noqa: PLC0415 - see the top

    return entry_points(group=group)
