"""A searchable corpus from short texts: each is one document of one chunk."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cytat.analysis import detect_language
from cytat.fulltext import terms_of_chunk
from cytat.plugins import open_store
from cytat.protocols import Embedder, NewVersion, Store
from cytat.records import (
    PIPELINE,
    Block,
    BlockKind,
    Chunk,
    Condition,
    Document,
    DocumentState,
    FragmentStyle,
    Ledger,
    Span,
    Stamp,
)
from cytat.retrieval import Fusion, FusionRule, Mode, Retrieved, SearchRequest, retrieve
from cytat.text.identity import chunk_id, document_id, text_hash, version_of

READ = Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=())


def plain_version(source: str, text: str, embedder: Embedder | None) -> NewVersion:
    name = document_id(source)
    version = version_of(text.encode("utf-8", "surrogatepass"))
    span, language = Span(0, len(text)), detect_language(text)
    chunk = Chunk(chunk_id(name, (), text, occurrence=0), name, span, (), "")
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
        chunks=(chunk,),
        terms=(terms_of_chunk(chunk, title="", words=text, language=language),),
        vectors={} if embedder is None else {text_hash(text): embedder.embed_documents([text])[0]},
        state=DocumentState.INDEXED,
        code=None,
        message=None,
        hint=None,
        file=None,
        language=language,
        given={},
        stamp=Stamp(version, "plain/0", "whole/0", "fake", 64, "0", PIPELINE),
    )


class Searchable:
    """A store with words, and vectors where an embedder is given; asked by source name."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self.store = store
        self.embedder = embedder

    def add(self, texts: Mapping[str, str], *, embedded: bool = True) -> None:
        embedder = self.embedder if embedded else None
        with self.store.writing() as writing:
            for source, text in texts.items():
                writing.replace(plain_version(source, text, embedder))

    def retrieve(
        self,
        question: str,
        *,
        depth: int = 10,
        mode: Mode = Mode.HYBRID,
        fusion: Fusion = Fusion.BEST_SHARES,
        only: frozenset[str] | None = None,
    ) -> Retrieved:
        conditions = () if only is None else (Condition("source", "=", tuple(sorted(only))),)
        request = SearchRequest(question, depth, mode, conditions, FusionRule(fusion, None))
        with self.store.moment() as moment:
            return retrieve(moment, request, embedder=self.embedder)

    def found(self, question: str, **options: object) -> list[str]:
        """Return the sources found, best first."""
        return [hit.source for hit in self.retrieve(question, **options).hits]  # type: ignore[arg-type]


@pytest.fixture(params=["file", "memory"])
def searchable(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[..., Searchable]]:
    """Return a maker of corpora, in files and in memory: the rules of a search are the same."""
    stores: list[Store] = []

    def make(texts: Mapping[str, str], *, embedder: Embedder | None = None) -> Searchable:
        name = f"{len(stores)}.db"
        is_file = request.param == "file"
        place = str(tmp_path / name) if is_file else f"memory://{tmp_path.name}-{name}"
        store = open_store(place, create=True)
        stores.append(store)
        corpus = Searchable(store, embedder)
        corpus.add(texts)
        return corpus

    yield make
    for store in stores:
        store.close()
