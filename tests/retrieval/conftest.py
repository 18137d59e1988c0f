"""A searchable corpus from short texts: each is one document of one chunk."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.indexes import rows_of

from cytat.analysis import AllowedRows, detect_language
from cytat.backends.sqlite.vector_index import VectorIndex
from cytat.backends.sqlite.words_index import WordsIndex
from cytat.fulltext import terms_of_words
from cytat.protocols import Embedder, NewVersion
from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    Document,
    DocumentState,
    FragmentStyle,
    Ledger,
    Span,
    Stamp,
)
from cytat.retrieval import Fusion, HybridRetriever, Mode, Retrieved
from cytat.store import Store
from cytat.text.identity import chunk_id, document_id, text_hash, version_of

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
            parts=(),
            fragments=FragmentStyle.CHARACTERS,
            metadata={},
            ledger=READ,
            reader="plain/0",
        ),
        chunks=(Chunk(chunk_id(name, (), text, occurrence=0), name, span, (), ""),),
        terms=[terms_of_words("", text, detect_language(text))],
        vectors={},
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
        with self.store.writing() as writing:
            for source, text in texts.items():
                new = plain_version(source, text)
                if self.embedder is not None and embedded:
                    (vector,) = self.embedder.embed_documents([text])
                    new = replace(new, vectors={text_hash(text): vector})
                writing.replace(new)

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
            wanted = [one.id for one in self.store.documents() if one.source in only]
            allowed = AllowedRows(rows_of(self.store, *wanted).values())
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
