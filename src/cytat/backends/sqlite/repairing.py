"""Damage -> the words index filled anew, and nothing of a document that misleads."""

from collections.abc import Collection, Iterator, Mapping
from itertools import chain

import apsw

from cytat.backends.sqlite.chunks import read_chunks, read_rows_of
from cytat.backends.sqlite.documents import read_document_rows
from cytat.backends.sqlite.index_writing import ChunkTerms, rebuild_words
from cytat.backends.sqlite.pending_space import drop_vectors_of, reset_record
from cytat.backends.sqlite.seals import SealedPart, seal_unsealed
from cytat.backends.sqlite.status import read_row_ranges
from cytat.backends.sqlite.store import SqliteStore
from cytat.backends.sqlite.texts import read_text
from cytat.backends.sqlite.verifying import DAMAGE, faults_of_documents
from cytat.backends.sqlite.words_checking import WordsFaults, check_words
from cytat.backends.sqlite.writing import SqliteWriting
from cytat.errors import CorpusFormatError
from cytat.protocols import TermsOf
from cytat.records import PIPELINE, DocumentId, StoreFault
from cytat.text.identity import document_id


def faults_of_words(connection: apsw.Connection, terms_of: TermsOf) -> Iterator[StoreFault]:
    """Compare the words index with the text; that of a damaged text cannot be compared.

    Nor can the words of an earlier pipeline, whose terms were others.
    """
    try:
        faults = _wrong_words(connection, terms_of)
        documents = read_document_rows(connection)
        outdated = {one.source for one in documents if one.stamp and one.stamp.pipeline != PIPELINE}
        sources = {
            row: document.source for document in documents for row in _rows(connection, document.id)
        }
    except DAMAGE as damage:
        what = f"cannot be compared ({type(damage).__name__}: {damage})"
        yield StoreFault("words", "", "", what)
        return
    for source in sorted({sources.get(row, "") for row in faults.rows} - outdated):
        yield StoreFault("words", "", source, "the words index holds other words than its text")
    if faults.is_broken:
        yield StoreFault("words", "", "", "the words index is not as it was written")


def repair_words(store: SqliteStore, terms_of: TermsOf) -> bool:
    """Fill the words index anew where it does not hold the terms of the text; say if it was."""
    with store.moment() as moment:
        before = moment.generation
        faults = _wrong_words(moment.connection, terms_of)
    if not faults.rows and not faults.is_broken:
        _seal_words(store, before)
        return False
    with store.writing() as writing:
        writing.mark_changed()
        rebuild_words(writing.connection, terms_of_chunks(writing.connection, terms_of))
    return True


def _seal_words(store: SqliteStore, generation: int) -> None:
    """Seal what an older program wrote, if it is still what has just been compared."""
    with store.writing() as writing:
        if writing.generation == generation:
            seal_unsealed(writing.connection)


def _wrong_words(connection: apsw.Connection, terms_of: TermsOf) -> WordsFaults:
    ranges = read_row_ranges(connection)
    rows = chain.from_iterable(range(first, first + count) for _, first, count in ranges)
    return check_words(connection, rows, lambda some: terms_of_chunks(connection, terms_of, some))


def terms_of_chunks(
    connection: apsw.Connection, terms_of: TermsOf, wanted: Collection[int] | None = None
) -> Iterator[ChunkTerms]:
    """Yield the terms of chunks, all by default; other documents' texts are not read."""
    if wanted is not None and not wanted:
        return
    for document in read_document_rows(connection):
        chunks = [stored.chunk for stored in read_chunks(connection, document.id)]
        rows = read_rows_of(connection, [chunk.id for chunk in chunks])
        kept = [chunk for chunk in chunks if wanted is None or rows[chunk.id] in wanted]
        text = read_text(connection, document.id) if kept else ""
        for chunk in kept:
            words = chunk.span.of(text)
            terms = terms_of(chunk, title=document.title, words=words, language=document.language)
            yield rows[chunk.id], terms


def _rows(connection: apsw.Connection, document_id: DocumentId) -> Collection[int]:
    chunks = read_chunks(connection, document_id)
    return read_rows_of(connection, [stored.chunk.id for stored in chunks]).values()


RECORD = frozenset({SealedPart.RECORD})
VECTORS = frozenset({SealedPart.VECTORS})


def discard_damage(store: SqliteStore) -> Mapping[DocumentId, str]:
    """Take away what of damaged documents misleads; return all of these with their sources."""
    with store.moment() as moment:
        faults = list(faults_of_documents(moment.connection, full=True))
    if not faults:
        return {}
    with store.writing() as writing:
        known = writing.sources()
        names = {DocumentId(fault.document_id) for fault in faults} & known.keys()
        for name in names:
            checks = {fault.check for fault in faults if fault.document_id == name}
            _discard(writing, name, known[name], checks)
    return {name: known[name] for name in names}


def _discard(
    writing: SqliteWriting, name: DocumentId, source: str, checks: Collection[str]
) -> None:
    writing.mark_changed()
    if name != document_id(source):
        writing.remove(name)  # its very id is damaged: nothing can be made again under it
        return
    if "vectors" in checks:
        writing.mark_written(name, VECTORS)
        drop_vectors_of(writing.connection, name)
    if "documents" in checks and not _is_readable(writing, name):
        writing.mark_written(name, RECORD)
        reset_record(writing.connection, name)


def _is_readable(writing: SqliteWriting, name: DocumentId) -> bool:
    try:
        return writing.document(name) is not None
    except (ValueError, CorpusFormatError):
        return False
