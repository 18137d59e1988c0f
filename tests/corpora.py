"""Small corpora for tests: made with the fake encoder, compared row by row."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from cytat.chunking import StructureChunker
from cytat.ingestion import ingest
from cytat.protocols import Embedder
from cytat.records import IngestReport
from cytat.store import Store
from cytat.testing.embedders import FakeEmbedder

CHUNK_TOKENS = 40

Content = Mapping[str, object]


def add(
    store: Store, *paths: Path | str, embedder: Embedder | None = None, **options: object
) -> IngestReport:
    encoder = embedder or FakeEmbedder()
    chunker = StructureChunker(budget_tokens=CHUNK_TOKENS, token_ends=encoder.token_ends)
    return ingest(store, paths, embedder=encoder, chunker=chunker, **options)  # type: ignore[arg-type]


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def terms_by_row(store: Store) -> dict[int, list[tuple[str, str, int]]]:
    """Return every term of the words index as (column, term, position), by chunk row."""
    with store.writing() as connection:
        connection.execute(
            "create virtual table if not exists temp.term using fts5vocab(main, words, instance)"
        )
        terms = defaultdict(list)
        for row, column, term, position in connection.execute(
            "select doc, col, term, offset from temp.term"
        ):
            terms[row].append((column, term, position))
    return terms


def content_of(store: Store) -> Content:
    """Return all that a corpus holds, by names made from content: no row numbers, no times."""
    terms = terms_by_row(store)
    with store.reading() as connection:
        vectors = dict(connection.execute("select chunk, vector from vector"))
        documents = store.documents()
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
                        sorted(terms[stored.row]),
                        bytes(vectors.get(stored.row, b"")),
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
        words = set(connection.execute("select rowid from words"))
        vectors = set(connection.execute("select chunk from vector"))
        assert chunks == words == vectors
        assert connection.pragma("integrity_check") == "ok"
        assert not list(connection.execute("pragma foreign_key_check"))
        for document in store.documents():
            assert len(store.text(document.id)) == document.characters
            for stored in store.chunks(document.id):
                assert stored.chunk.span.end <= document.characters
