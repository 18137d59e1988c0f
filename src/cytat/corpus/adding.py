"""Paths -> a corpus brought up to date with them: once, or whenever they change."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.config import Settings
from cytat.corpus.cutting import chunker_in_force
from cytat.corpus.models import EmbedderChoice
from cytat.corpus.watching import watch_store
from cytat.ingestion import ingest
from cytat.reading.process.pool import ReaderPool
from cytat.records import IngestReport, Progress
from cytat.sources import Watch
from cytat.store import Store


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
    embedder = choice.embedder(store.space())
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
    watch = Watch(addition.given, corpus=store.path)  # ahead of adding: no change is missed
    on_report(add_to(store, settings, choice, addition))
    embedder = choice.embedder(store.space())
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
