"""Small corpora for tests: made with the fake encoder, compared row by row."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import numpy as np
from tests.indexes import rows_of
from tests.reading.looking import reader_for as read_here
from tests.stores import Store

from cytat.backends.sqlite.postings import indexed_rows, read_batches, read_postings, read_removed
from cytat.chunking import StructureChunker
from cytat.corpus.installed import open_sources
from cytat.ingestion import Tools, ingest, unheard
from cytat.ingestion.preparing import ReaderFor
from cytat.protocols import Chunker, Embedder
from cytat.records import AddKeywords, AddOptions, IngestReport, Progress, SourceItem
from cytat.testing.embedders import FakeEmbedder

CHUNK_TOKENS = 40

Content = Mapping[str, object]


def add(
    store: Store,
    *what: Path | str | SourceItem,
    embedder: Embedder | None = None,
    reader_for: ReaderFor | None = None,
    limit_bytes: int | None = None,
    metadata: Mapping[str, str] | None = None,
    on_event: Callable[[Progress], None] | None = None,
    **options: Unpack[AddKeywords],
) -> IngestReport:
    tools = tools_of(store, embedder or FakeEmbedder())
    if reader_for is not None:
        tools = replace(tools, reader_for=reader_for)
    if limit_bytes is not None:
        tools = replace(tools, limit_bytes=limit_bytes)
    said = AddOptions(metadata or {}, **options)
    return ingest(store, what, tools, said, on_event=on_event or unheard)


def tools_of(store: Store, embedder: Embedder, chunker: Chunker | None = None) -> Tools:
    """Return what a run works with: by default small chunks; readers in this process."""
    cutter = chunker or StructureChunker(budget_tokens=CHUNK_TOKENS, token_ends=embedder.token_ends)
    return Tools(embedder, cutter, read_here, open_sources(store))


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def terms_by_row(store: Store) -> dict[int, dict[str, int]]:
    """Return how often each term stands in each chunk, by the words index."""
    with store.reading() as connection:
        removed = set(read_removed(connection).tolist())
        terms: dict[int, dict[str, int]] = {
            row: {}
            for batch in read_batches(connection)
            for row in batch.rows.tolist()
            if row not in removed
        }
        for batch in read_batches(connection):
            for term, rows, counts in read_postings(connection, batch):
                for row, count in zip(np.frombuffer(rows, "<u4").tolist(), counts, strict=True):
                    if row not in removed:
                        terms[row][term] = count
    return terms


def content_of(store: Store) -> Content:
    """Return all that a corpus holds, by names made from content: no row numbers, no times."""
    terms = terms_by_row(store)
    with store.reading() as connection:
        vectors = dict(connection.execute("select chunk, vector from vector"))
        documents = store.documents()
        rows = rows_of(store, *(document.id for document in documents))
        return {
            document.id: (
                document.source,
                document.version,
                document.state,
                document.metadata,
                document.stamp,
                store.text(document.id),
                store.blocks(document.id),
                tuple(
                    (
                        stored.chunk,
                        stored.passage_hash,
                        terms[rows[stored.chunk.id]],
                        bytes(vectors.get(rows[stored.chunk.id], b"")),
                    )
                    for stored in store.chunks(document.id)
                ),
            )
            for document in documents
        }


def check_whole(store: Store) -> None:
    """Fail unless every document has its whole text, and each chunk its words and its vector."""
    with store.reading() as connection:
        chunks = set(connection.execute("select row from chunk"))
        words = {(row,) for row in indexed_rows(connection).tolist()}
        vectors = set(connection.execute("select chunk from vector"))
        assert chunks == words == vectors
        assert connection.pragma("integrity_check") == "ok"
        assert not list(connection.execute("pragma foreign_key_check"))
        for document in store.documents():
            assert len(store.text(document.id)) == document.characters
            for stored in store.chunks(document.id):
                assert stored.chunk.span.end <= document.characters
