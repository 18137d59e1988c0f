"""Words and vectors of chunks by row, for tests of the SQLite back-end's indexes."""

from collections.abc import Iterable, Sequence

import apsw

from cytat.backends.sqlite.chunks import read_rows_of
from cytat.backends.sqlite.vector_matrix import write_vectors
from cytat.backends.sqlite.words_writing import ChunkTerms
from cytat.fulltext import terms_of_words
from cytat.protocols import Vectors
from cytat.records import ChunkId, DocumentId
from cytat.store import Store


def chunk_words(row: int, heading: str, body: str, language: str | None) -> ChunkTerms:
    """Return what is indexed of a chunk."""
    return row, terms_of_words(heading, body, language)


def put_vectors(
    connection: apsw.Connection, rows: Sequence[int], vectors: Iterable[Vectors]
) -> None:
    """Write one vector for each row."""
    write_vectors(connection, list(zip(rows, vectors, strict=True)))


def rows_of(store: Store, *document_ids: str) -> dict[ChunkId, int]:
    """Return the rows of the chunks of some documents, in text order."""
    with store.moment() as moment:
        ids = [stored.chunk.id for one in document_ids for stored in moment.chunks(DocumentId(one))]
        found = read_rows_of(moment.connection, ids)
    return {chunk_id: found[chunk_id] for chunk_id in ids}
