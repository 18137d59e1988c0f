"""Paths -> a corpus brought up to date with them: once, or whenever they change."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cytat.chunking import DEFAULT_BUDGET_TOKENS, DEFAULT_CHUNKING, open_chunker, parse_chunker_name
from cytat.config import Settings
from cytat.corpus.models import EmbedderChoice
from cytat.ingestion import ingest, ingest_changes
from cytat.protocols import Chunker, Embedder, Store
from cytat.reading.process.pool import ReaderPool
from cytat.records import IngestReport, Progress, VectorSpace
from cytat.sources import Watch


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


def watch_store(  # noqa: PLR0913 - one call says all of it
    store: Store,
    watch: Watch,
    *,
    embedder: Embedder,
    chunker: Chunker,
    metadata: Mapping[str, str],
    label: str | None,
    password: str | None,
    on_report: Callable[[IngestReport], None],
    stop: threading.Event,
) -> None:
    """Bring in what changes until `stop` is set; nothing grows meanwhile but the corpus."""
    while not stop.wait(watch.interval_s):
        settled = watch.look()
        if settled is None:
            continue
        with ReaderPool() as readers:
            report = ingest_changes(
                store,
                settled,
                embedder=embedder,
                chunker=chunker,
                reader_for=readers.reader_for,
                metadata=metadata,
                label=label,
                password=password,
                on_event=lambda _: None,
            )
        if is_news(report):
            on_report(report)


def is_news(report: IngestReport) -> bool:
    """Say whether a report tells of more than files that were found unchanged."""
    changes = (report.added, report.updated, report.removed, report.skipped, report.failed)
    return any(changes) or bool(report.notes)


@dataclass(frozen=True, slots=True)
class Addition:
    """What is added, and what is said of it."""

    paths: Sequence[str | Path] | str | Path
    metadata: Mapping[str, str] | None
    label: str | None
    password: str | None
    prune: bool
    chunking: str | None
    on_progress: Callable[[Progress], None] | None

    @property
    def given(self) -> list[str | Path]:
        """The paths, also where there is one."""
        return [self.paths] if isinstance(self.paths, str | Path) else list(self.paths)


def add_to(
    store: Store, settings: Settings, choice: EmbedderChoice, addition: Addition
) -> IngestReport:
    """Bring a store up to date; only what changed is done."""
    embedder = choice.embedder(space_in(store))
    chunker = chunker_in_force(settings, store, embedder=embedder, chunking=addition.chunking)
    with ReaderPool() as readers:
        return ingest(
            store,
            addition.given,
            embedder=embedder,
            chunker=chunker,
            reader_for=readers.reader_for,
            prune=addition.prune,
            metadata=addition.metadata,
            label=addition.label,
            password=addition.password,
            on_event=addition.on_progress,
        )


def keep_adding(
    store: Store,
    settings: Settings,
    choice: EmbedderChoice,
    addition: Addition,
    *,
    on_report: Callable[[IngestReport], None],
    stop: threading.Event,
) -> None:
    """Add, then bring in what changes, until `stop` is set."""
    watch = Watch(addition.given, corpus=store.file)  # ahead of adding: no change is missed
    on_report(add_to(store, settings, choice, addition))
    embedder = choice.embedder(space_in(store))
    watch_store(
        store,
        watch,
        embedder=embedder,
        chunker=chunker_in_force(settings, store, embedder=embedder, chunking=addition.chunking),
        metadata=addition.metadata or {},
        label=addition.label,
        password=addition.password,
        on_report=on_report,
        stop=stop,
    )
