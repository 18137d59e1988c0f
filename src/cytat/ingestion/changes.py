"""What a watch has settled -> IngestReport: only the files that changed are read."""

import time
from collections.abc import Callable, Mapping

from cytat.ingestion.ingest import Run
from cytat.ingestion.preparing import ReaderFor, Recipe
from cytat.protocols import Chunker, Embedder, space_of
from cytat.records import IngestReport, Progress
from cytat.sources import SIZE_LIMIT_BYTES, Settled
from cytat.store import Store


def ingest_changes(  # noqa: PLR0913 - one call says all of a run
    store: Store,
    settled: Settled,
    *,
    embedder: Embedder,
    chunker: Chunker,
    reader_for: ReaderFor,
    metadata: Mapping[str, str],
    label: str | None,
    password: str | None,
    on_event: Callable[[Progress], None],
) -> IngestReport:
    """Bring in the files that changed, and take out those that are gone.

    What is in motion stays as it is, and so does a folder that was emptied, as with `ingest`.
    """
    started = time.monotonic()
    store.check_space(space_of(embedder))
    recipe = Recipe(reader_for, chunker, embedder, password, metadata, SIZE_LIMIT_BYTES, label)
    run = Run(store, recipe, store.sources(), settled.found, on_event, only=settled.changed)
    run.spare(settled.in_motion)
    run.take_changes()
    run.remove_vanished((), prune=False)
    return run.tally.report(encoder=embedder.name, seconds=time.monotonic() - started)
