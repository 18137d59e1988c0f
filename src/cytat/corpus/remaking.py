"""A corpus -> the same one made anew, with the encoder and the cutter that are in force."""

from collections.abc import Callable

from cytat.config import Settings
from cytat.corpus.adding import open_tools
from cytat.corpus.models import EmbedderChoice
from cytat.ingestion import reindex, unheard
from cytat.protocols import Store
from cytat.records import AddOptions, IngestReport, Progress


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
