"""A corpus -> the same corpus made anew: other vectors, other settings, damage undone.

Four steps, each of which can be stopped and taken again:

1. vectors that are damaged are thrown away;
2. for another encoder, vectors of all chunks are made from the stored text beside those in use,
   a batch on disk at a time, and put in their place in one transaction;
3. every document is brought up to date with its file; damaged ones are made from it again;
4. the words index is filled anew where it does not hold the words of the text.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from cytat.fulltext import (
    ChunkWords,
    WordsFaults,
    check_words,
    rebuild_words,
    words_of_chunk,
)
from cytat.ingestion.ingest import ingest_again
from cytat.ingestion.preparing import ReaderFor
from cytat.ingestion.reembedding import reembed
from cytat.ingestion.tally import listed
from cytat.ingestion.writing import set_chunking
from cytat.protocols import Chunker, Embedder
from cytat.reading import reader_for as built_in_reader_for
from cytat.records import DocumentId, IngestReport, Progress
from cytat.store import Store
from cytat.store.reindexing import drop_vectors_of, reset_record
from cytat.store.seals import ALL_PARTS, SealedPart, seal_unsealed
from cytat.store.verifying import faults_of_documents, unsealed_documents
from cytat.text.identity import document_id

RECORD = frozenset({SealedPart.RECORD})
VECTORS = frozenset({SealedPart.VECTORS})


def reindex(
    store: Store,
    *,
    embedder: Embedder,
    chunker: Chunker,
    reader_for: ReaderFor = built_in_reader_for,
    password: str | None = None,
    on_event: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Make the corpus anew with this encoder and these settings; searches go on meanwhile.

    Raises:
        BackendError: the encoder went away before all vectors were there; those made are kept,
            and nothing has changed for searches.
    """
    listen = on_event or _ignore
    damaged = _throw_away_damage(store)
    notes = reembed(store, embedder, on_event=listen)
    set_chunking(store, chunker.name)
    report = ingest_again(
        store,
        embedder=embedder,
        chunker=chunker,
        reader_for=reader_for,
        again=frozenset(damaged),
        password=password,
        on_event=listen,
    )
    made_again = {outcome.source for outcome in (*report.added, *report.updated)}
    notes += _note_damage(damaged, made_again)
    if made_again.issuperset(damaged.values()):  # words of a damaged text would be no better
        notes += _mend_words(store)
    _seal_what_never_was(store)
    return replace(report, notes=(*notes, *report.notes))


def chunk_words(store: Store, rows: Collection[int] | None = None) -> Iterator[ChunkWords]:
    """Yield what the words index is to hold of chunks, all by default.

    Call inside one transaction. The texts of documents without such chunks are not read.
    """
    if rows is not None and not rows:
        return
    for document in store.documents():
        wanted = [
            stored for stored in store.chunks(document.id) if rows is None or stored.row in rows
        ]
        text = store.text(document.id) if wanted else ""
        for stored in wanted:
            yield words_of_chunk(
                stored.row,
                stored.chunk,
                title=document.title,
                words=stored.chunk.span.of(text),
                language=document.language,
            )


def wrong_words(store: Store) -> WordsFaults:
    """Compare the words index with the text; call inside one transaction."""
    ranges = store.row_ranges()
    rows = chain.from_iterable(range(first, first + count) for _, first, count in ranges)
    return check_words(store.connection, rows, lambda some: chunk_words(store, some))


def _ignore(_: Progress) -> None:
    return


# ---------------------------------------------------------------- damage


def _throw_away_damage(store: Store) -> dict[DocumentId, str]:
    """Return the damaged documents by id, with their sources; what of them misleads is gone."""
    with store.reading() as connection:
        faults = list(faults_of_documents(connection, full=True))
    if not faults:
        return {}
    known = store.sources()
    names = {DocumentId(fault.document_id) for fault in faults} & known.keys()
    with store.writing():
        for name in names:
            parts = {fault.part for fault in faults if fault.document_id == name}
            _throw_away(store, name, known[name], parts)
    return {name: known[name] for name in names}


def _throw_away(store: Store, name: DocumentId, source: str, parts: set[str]) -> None:
    store.mark_changed()
    if name != document_id(source):
        store.remove(name)  # its very name is damaged: nothing can be made again under it
        return
    if "vectors" in parts:
        store.mark_written(name, VECTORS)
        drop_vectors_of(store.connection, name)
    if "documents" in parts and not _is_readable(store, name):
        store.mark_written(name, RECORD)
        reset_record(store.connection, name)


def _is_readable(store: Store, name: DocumentId) -> bool:
    try:
        return store.document(name) is not None
    except (ValueError, TypeError, KeyError, AttributeError):
        return False


def _note_damage(damaged: Mapping[DocumentId, str], made_again: Collection[str]) -> tuple[str, ...]:
    mended = sorted(source for source in damaged.values() if source in made_again)
    left = sorted(source for source in damaged.values() if source not in made_again)
    notes = []
    if mended:
        notes.append(f"damaged, and made again from their files: {listed(mended)}")
    if left:
        notes.append(
            f"damaged, and not to be made again from their files: {listed(left)}; "
            "restore a backup, or `cytat remove` them"
        )
    return tuple(notes)


def _seal_what_never_was(store: Store) -> None:
    """Seal the documents of an older program that are sound, so that later damage shows."""
    with store.writing() as connection:
        unsealed = set(unsealed_documents(connection))
        if unsealed:
            faults = faults_of_documents(connection, full=False)
            for name in unsealed - {fault.document_id for fault in faults}:
                store.mark_written(name, ALL_PARTS)


def _mend_words(store: Store) -> tuple[str, ...]:
    with store.reading():
        before = store.generation
        faults = wrong_words(store)
    if not faults.rows and not faults.is_broken:
        _seal_words(store, before)
        return ()
    with store.writing() as connection:
        store.mark_changed()
        rebuild_words(connection, chunk_words(store))
    return ("the words index was filled anew from the stored text",)


def _seal_words(store: Store, generation: int) -> None:
    """Seal what an older program wrote, if it is still what has just been compared."""
    with store.writing() as connection:
        if store.generation == generation:
            seal_unsealed(connection)
