"""A watch -> reports, one for each time that something was brought in, until it is stopped."""

import threading
from collections.abc import Callable, Mapping

from cytat.ingestion import ingest_changes
from cytat.protocols import Chunker, Embedder
from cytat.reading.process.pool import ReaderPool
from cytat.records import IngestReport
from cytat.sources import Watch
from cytat.store import Store


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
