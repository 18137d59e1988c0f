"""Paths -> a corpus brought up to date with them; a corpus -> the same one indexed again."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from cytat import plugins
from cytat.chunking import DEFAULT_BUDGET_TOKENS, DEFAULT_CHUNKING, open_chunker, parse_chunker_name
from cytat.config import Settings
from cytat.corpus.installed import open_sources
from cytat.corpus.models import EmbedderChoice
from cytat.errors import UsageError
from cytat.ingestion import Tools, ingest, ingest_changes, reindex, unheard
from cytat.protocols import Chunker, Embedder, Store
from cytat.reading.choice import AUTO
from cytat.reading.process.pool import ReaderPool
from cytat.records import AddOptions, IngestReport, Progress, SourceItem, VectorSpace
from cytat.sources import Watch

Addable: TypeAlias = str | Path | SourceItem
"""A file, a folder or another address; or an item that is added as it is."""


def space_in(store: Store) -> VectorSpace | None:
    """Return the space of a store's vectors; None before the first."""
    with store.moment() as moment:
        return moment.space()


def chunker_in_force(
    settings: Settings, store: Store, *, embedder: Embedder, chunking: str | None
) -> Chunker:
    """Return the cutter.

    Args:
        settings: `chunking` and `chunk_tokens` count where they are set.
        store: goes on with its own chunking otherwise.
        embedder: counts the tokens.
        chunking: named for this call; counts above all.

    Raises:
        UsageError: no cutter has such a name.
    """
    with store.moment() as moment:
        own = moment.chunking()
    named = chunking or settings.chunking
    if named is not None:
        return open_chunker(
            named, embedder=embedder, budget_tokens=settings.chunk_tokens or DEFAULT_BUDGET_TOKENS
        )
    if settings.chunk_tokens is None:
        return open_chunker(own or DEFAULT_CHUNKING, embedder=embedder)
    parts = replace(parse_chunker_name(own or DEFAULT_CHUNKING), tokens=settings.chunk_tokens)
    return open_chunker(parts.text, embedder=embedder)


@dataclass(frozen=True, slots=True)
class AddRequest:
    """One call of `add` or `watch`: what is added, what is said of it, who hears how far it is."""

    what: Sequence[Addable] | Addable
    options: AddOptions
    on_progress: Callable[[Progress], None] | None

    @property
    def given(self) -> list[Addable]:
        """What is added, also where it is one thing."""
        return [self.what] if isinstance(self.what, str | Path | SourceItem) else list(self.what)


def is_news(report: IngestReport) -> bool:
    """Say whether a report tells of more than files that were found unchanged."""
    changes = (report.added, report.updated, report.removed, report.skipped, report.failed)
    return any(changes) or bool(report.notes)


def add_to(
    store: Store,
    settings: Settings,
    choice: EmbedderChoice,
    request: AddRequest,
) -> IngestReport:
    """Bring a store up to date; only what changed is done."""
    embedder = choice.embedder(space_in(store))
    with open_tools(store, settings, embedder, request.options) as tools:
        return ingest(
            store, request.given, tools, request.options, on_event=request.on_progress or unheard
        )


def keep_adding(
    store: Store,
    settings: Settings,
    choice: EmbedderChoice,
    request: AddRequest,
    *,
    on_report: Callable[[IngestReport], None],
    stop: threading.Event,
) -> None:
    """Add, then bring in what changes, until `stop` is set; nothing grows but the corpus."""
    watch = Watch(_addresses(request), sources=open_sources(store))  # ahead: no change is missed
    on_report(add_to(store, settings, choice, request))
    while not stop.wait(watch.interval_s):
        settled = watch.look()
        if settled is None:
            continue
        embedder = choice.embedder(space_in(store))
        with open_tools(store, settings, embedder, request.options) as tools:
            report = ingest_changes(store, settled, tools, request.options, on_event=unheard)
        if is_news(report):
            on_report(report)


@contextmanager
def open_tools(
    store: Store, settings: Settings, embedder: Embedder, options: AddOptions
) -> Iterator[Tools]:
    """Open what a run works with; readers in child processes end with it."""
    formats = plugins.load_formats()
    if options.reader is not None and options.reader != AUTO:
        formats.named(options.reader)  # ahead of everything: an unknown name reads nothing
    chunker = chunker_in_force(settings, store, embedder=embedder, chunking=options.chunking)
    with ReaderPool(formats) as readers:
        yield Tools(embedder, chunker, readers.reader_for, open_sources(store))


def _addresses(request: AddRequest) -> list[str | Path]:
    addresses = [one for one in request.given if not isinstance(one, SourceItem)]
    if len(addresses) < len(request.given):
        raise UsageError(
            "a text from memory cannot be watched", hint="watch files and folders alone"
        )
    return addresses


def remake_store(
    store: Store,
    settings: Settings,
    choice: EmbedderChoice,
    options: AddOptions,
    on_progress: Callable[[Progress], None] | None,
) -> IngestReport:
    """Make every document again that its file, the settings or damage call for."""
    with store.moment() as moment:
        space = moment.pending_space() or moment.space()
    with open_tools(store, settings, choice.embedder(space), options) as tools:
        return reindex(store, tools, options, on_event=on_progress or unheard)
