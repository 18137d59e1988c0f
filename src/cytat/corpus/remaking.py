"""A corpus -> the same one made anew, with the encoder and the cutter that are in force."""

from collections.abc import Callable
from dataclasses import dataclass

from cytat.config import Settings
from cytat.corpus.adding import chunker_in_force
from cytat.corpus.models import EmbedderChoice
from cytat.ingestion import reindex
from cytat.protocols import Store
from cytat.reading.process.pool import ReaderPool
from cytat.records import IngestReport, Progress


@dataclass(frozen=True, slots=True)
class Remaking:
    """What is said of one call."""

    password: str | None
    chunking: str | None
    on_progress: Callable[[Progress], None] | None


def remake_store(
    store: Store, settings: Settings, choice: EmbedderChoice, wanted: Remaking
) -> IngestReport:
    """Make every document again that its file, the settings or damage call for."""
    with store.moment() as moment:
        space = moment.pending_space() or moment.space()
    embedder = choice.embedder(space)
    chunker = chunker_in_force(settings, store, embedder=embedder, chunking=wanted.chunking)
    with ReaderPool() as readers:
        return reindex(
            store,
            embedder=embedder,
            chunker=chunker,
            reader_for=readers.reader_for,
            password=wanted.password,
            on_event=wanted.on_progress,
        )
