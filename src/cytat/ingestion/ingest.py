"""Addresses -> IngestReport: read, cut, embed, write. Idempotent, and safe to kill at any moment.

Content decides what is done: every item is hashed, and one whose version and stamp are known is
left alone. Documents are on disk in groups as they are ready, so that a run that was stopped goes
on where it was. What vanished is removed last, so that a renamed file still finds its vectors.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cytat.ingestion.preparing import READ_WITH, ReaderFor, ReadingPlan, Recipe
from cytat.ingestion.run import Run
from cytat.ingestion.writing import check_chunking
from cytat.protocols import Chunker, Embedder, Listing, Store, space_of
from cytat.records import AddOptions, DocumentId, IngestReport, Progress, SourceItem
from cytat.sources import SIZE_LIMIT_BYTES, Settled, Sources
from cytat.text.identity import absolute_name, path_text


@dataclass(frozen=True, slots=True)
class Tools:
    """What a run works with."""

    embedder: Embedder
    """Must be the one the corpus was made with."""
    chunker: Chunker
    reader_for: ReaderFor
    sources: Sources
    limit_bytes: int = SIZE_LIMIT_BYTES
    """Larger items fail."""


NOTHING_SAID = AddOptions()


def unheard(_: Progress) -> None:
    """Hear how far a run is, and do nothing."""


def ingest(
    store: Store,
    given: Sequence[str | Path | SourceItem],
    tools: Tools,
    options: AddOptions = NOTHING_SAID,
    *,
    on_event: Callable[[Progress], None] = unheard,
) -> IngestReport:
    """Bring the corpus up to date, and return what was done with each item.

    Args:
        store: the corpus.
        given: files, folders and other addresses, all of which must be there, or nothing is read;
            and items that are added as they are.
        tools: what the run works with.
        options: they hold for all that is added.
        on_event: called with how far the run is; an item counts as done when it is on disk.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(tools.embedder))
        check_chunking(moment, tools.chunker.name)
        folders = moment.folders()
        before = moment.sources()  # ahead of the walk: what others add meanwhile has not vanished
    found = _found(given, tools.sources, folders, prune=options.prune)
    run = Run(store, _recipe(tools, options), _reading(tools, options), before, found, on_event)
    run.take_all()
    run.remove_vanished(found.absent, prune=options.prune)
    return run.tally.report(encoder=tools.embedder.name, seconds=time.monotonic() - started)


def ingest_again(
    store: Store,
    tools: Tools,
    options: AddOptions,
    *,
    again: frozenset[DocumentId],
    on_event: Callable[[Progress], None],
) -> IngestReport:
    """Bring every document up to date with its source, and find no new ones.

    A document whose file is gone keeps its last version, marked stale, and is reported as failed.
    Those in `again` are rebuilt although nothing has changed.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(tools.embedder))
        before = moment.sources()
    found = Listing(tuple(map(tools.sources.item, before.values())))
    run = Run(store, _recipe(tools, options), _reading(tools, options), before, found, on_event)
    run.make_again(again)
    return run.tally.report(encoder=tools.embedder.name, seconds=time.monotonic() - started)


def ingest_changes(
    store: Store,
    settled: Settled,
    tools: Tools,
    options: AddOptions,
    *,
    on_event: Callable[[Progress], None],
) -> IngestReport:
    """Bring in the items that changed, and take out those that are gone.

    What is in motion stays as it is, and so does a folder that was emptied, as with `ingest`.
    """
    started = time.monotonic()
    with store.moment() as moment:
        moment.check_space(space_of(tools.embedder))
        before = moment.sources()
    found = settled.found
    run = Run(store, _recipe(tools, options), _reading(tools, options), before, found, on_event)
    run.spare(settled.in_motion)
    run.take_changes(settled.changed)
    run.remove_vanished((), prune=False)
    return run.tally.report(encoder=tools.embedder.name, seconds=time.monotonic() - started)


def _found(
    given: Sequence[str | Path | SourceItem],
    sources: Sources,
    folders: Sequence[Path],
    *,
    prune: bool,
) -> Listing:
    """Return what is there. What is absent was a folder that is to be pruned; all else is an error.

    Raises:
        UsageError: something is not there; nothing was read.
    """
    found = sources.find(given, absent_ok=prune)
    known = {path_text(folder) for folder in folders}
    if any(absolute_name(name, base=sources.base) not in known for name in found.absent):
        there = sources.find(given, absent_ok=False)  # raises, and names all that is not there
        return replace(there, absent=())
    return found


def _recipe(tools: Tools, options: AddOptions) -> Recipe:
    named = {} if options.reader is None else {READ_WITH: options.reader}
    given = {**options.metadata, **named}
    return Recipe(tools.chunker, tools.embedder, given, options.label)


def _reading(tools: Tools, options: AddOptions) -> ReadingPlan:
    return ReadingPlan(tools.reader_for, options.reading, tools.limit_bytes)
