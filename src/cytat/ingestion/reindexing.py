"""A corpus -> the same corpus rebuilt: other vectors, other settings, damage repaired.

Four steps, each of which can be stopped and taken again:

1. vectors that are damaged are thrown away;
2. for another encoder, vectors of all chunks are made from the stored text beside those in use,
   a batch on disk at a time, and put in their place in one transaction;
3. every document is brought up to date with its file; damaged ones are made from it again;
4. the words index is rebuilt if it does not hold the words of the text.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from cytat.fulltext import terms_of_chunk
from cytat.ingestion.ingest import NOTHING_SAID, Tools, ingest_again, unheard
from cytat.ingestion.reembedding import reembed
from cytat.ingestion.tally import listed
from cytat.ingestion.writing import set_chunking
from cytat.protocols import Store
from cytat.records import AddOptions, DocumentId, IngestReport, Progress


def reindex(
    store: Store,
    tools: Tools,
    options: AddOptions = NOTHING_SAID,
    *,
    on_event: Callable[[Progress], None] = unheard,
) -> IngestReport:
    """Rebuild the corpus with this encoder and these settings; searches go on meanwhile.

    Raises:
        BackendError: the encoder went away before all vectors were there; those made are kept,
            and nothing has changed for searches.
    """
    damaged = store.upkeep.discard_damage()
    notes = reembed(store, tools.embedder, on_event=on_event)
    set_chunking(store, tools.chunker.name)
    again = frozenset(damaged)
    report = ingest_again(store, tools, options, again=again, on_event=on_event)
    made_again = {outcome.source for outcome in (*report.added, *report.updated)}
    notes += _note_damage(damaged, made_again)
    if made_again.issuperset(damaged.values()):  # words of a damaged text would be no better
        notes += _repair_words(store)
    store.upkeep.seal()
    return replace(report, notes=(*notes, *report.notes))


def _repair_words(store: Store) -> tuple[str, ...]:
    if not store.upkeep.repair_words(terms_of_chunk):
        return ()
    return ("the words index was rebuilt from the stored text",)


def _note_damage(damaged: Mapping[DocumentId, str], made_again: Collection[str]) -> tuple[str, ...]:
    rebuilt = sorted(source for source in damaged.values() if source in made_again)
    left = sorted(source for source in damaged.values() if source not in made_again)
    notes = []
    if rebuilt:
        notes.append(f"damaged, and rebuilt from their files: {listed(rebuilt)}")
    if left:
        notes.append(
            f"damaged, and cannot be rebuilt from their files: {listed(left)}; "
            "restore a backup, or `cytat remove` them"
        )
    return tuple(notes)
