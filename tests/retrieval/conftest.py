"""A searchable corpus from short texts: each is one document of one chunk."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cytat.analysis import AllowedRows, detect_language
from cytat.fulltext import ChunkWords, WordsIndex, index_chunks
from cytat.protocols import Embedder
from cytat.records import Block, BlockKind, Chunk, Document, DocumentState, Ledger, Span, Stamp
from cytat.retrieval import Fusion, HybridRetriever, Mode, Retrieved
from cytat.store import NewVersion, Store
from cytat.text.identity import chunk_id, document_id, version_of
from cytat.vectors import VectorIndex, write_vectors

READ = Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=())


def plain_version(source: str, text: str) -> NewVersion:
    name = document_id(source)
    version = version_of(text.encode("utf-8", "surrogatepass"))
    span = Span(0, len(text))
    return NewVersion(
        document=Document(
            id=name,
            source=source,
            version=version,
            title="",
            media_type="text/plain",
            text=text,
            blocks=(Block(BlockKind.PARAGRAPH, span, ()),),
            pages=(),
            metadata={},
            ledger=READ,
            reader="plain/0",
        ),
        chunks=(Chunk(chunk_id(name, (), text, occurrence=0), name, span, (), ""),),
        state=DocumentState.INDEXED,
        code=None,
        message=None,
        hint=None,
        file=None,
        language=detect_language(text),
        given={},
        stamp=Stamp(version, "plain/0", "whole/0", "fake", 64, "0", 1),
    )


class Searchable:
    """A Store with words, and vectors where an embedder is given; asked by source name."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self.store = store
        self.embedder = embedder
        self.words = WordsIndex()
        self.index = VectorIndex()

    def add(self, texts: Mapping[str, str], *, embedded: bool = True) -> None:
        with self.store.writing() as connection:
            for source, text in texts.items():
                new = plain_version(source, text)
                (row,) = self.store.replace(new)
                index_chunks(connection, [ChunkWords(row, "", text, new.language)])
                if self.embedder is not None and embedded:
                    write_vectors(connection, [row], self.embedder.embed_documents([text]))

    def retrieve(
        self,
        question: str,
        *,
        depth: int = 10,
        mode: Mode = Mode.HYBRID,
        fusion: Fusion = Fusion.BEST_SHARES,
        only: frozenset[str] | None = None,
    ) -> Retrieved:
        retriever = HybridRetriever(
            self.store,
            embedder=self.embedder,
            words=self.words,
            index=self.index,
            fusion=fusion,
        )
        allowed = None
        if only is not None:
            rows = {
                chunk.row
                for document in self.store.documents()
                if document.source in only
                for chunk in self.store.chunks(document.id)
            }
            allowed = AllowedRows(rows)
        return retriever.retrieve(question, depth=depth, mode=mode, allowed=allowed)

    def found(self, question: str, **options: object) -> list[str]:
        """Return the sources found, best first."""
        retrieved = self.retrieve(question, **options)  # type: ignore[arg-type]
        return [hit.source for hit in self.store.hits(retrieved.candidates)]


@pytest.fixture
def searchable(tmp_path: Path) -> Iterator[Callable[..., Searchable]]:
    """Return a maker of corpora."""
    stores: list[Store] = []

    def make(texts: Mapping[str, str], *, embedder: Embedder | None = None) -> Searchable:
        store = Store.open_or_create(tmp_path / f"{len(stores)}.db")
        stores.append(store)
        corpus = Searchable(store, embedder)
        corpus.add(texts)
        return corpus

    yield make
    for store in stores:
        store.close()
