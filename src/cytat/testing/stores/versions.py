"""What the suites of a store are given: corpora, and small versions of documents to fill them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Protocol

import numpy as np
import pytest

from cytat.fulltext import terms_of_chunk
from cytat.protocols import NewVersion, Store, Vectors
from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    Document,
    DocumentState,
    FileStamp,
    FragmentStyle,
    Ledger,
    Query,
    Span,
    Stamp,
    TermGroup,
    Unread,
    VectorSpace,
)
from cytat.text.identity import chunk_id, document_id, passage_text, text_hash, version_of


class OpenCorpus(Protocol):
    """Opens corpora of one test; those of different names have nothing in common."""

    def __call__(self, name: str, *, labels: Collection[str] | None) -> Store:
        """Open the corpus of a name: for its owner, and made if need be, without labels."""
        ...


class StoreFixtures:
    """The fixtures; the class that inherits provides `open_corpus`."""

    @pytest.fixture
    def store(self, open_corpus: OpenCorpus) -> Iterator[Store]:
        """Return an empty corpus, open for its owner."""
        with closing(open_corpus("corpus", labels=None)) as store:
            yield store


def elsewhere(*acts: Callable[[], object]) -> None:
    """Carry out acts at once, each in a thread of its own; raise what one of them raises."""
    with ThreadPoolExecutor(max_workers=len(acts)) as threads:
        for done in [threads.submit(act) for act in acts]:
            done.result()


WHOLE = Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=())
SPACE = VectorSpace(embedder="fake", dimensions=4, weights="w")


def make_version(
    source: str,
    text: str,
    *,
    chunk_characters: int = 10,
    given: Mapping[str, str] | None = None,
    vectors: Mapping[bytes, Vectors] | None = None,
) -> NewVersion:
    """Return a version of a plain text, cut every `chunk_characters`."""
    name = document_id(source)
    spans = [
        Span(start, min(start + chunk_characters, len(text)))
        for start in range(0, len(text), chunk_characters)
    ]
    document = Document(
        id=name,
        source=source,
        version=version_of(text.encode()),
        title=source,
        media_type="text/plain",
        text=text,
        blocks=(Block(BlockKind.PARAGRAPH, Span(0, len(text)), ()),),
        parts=(),
        fragments=FragmentStyle.CHARACTERS,
        metadata={"author": "Ala"},
        ledger=WHOLE,
        reader="fake/1",
    )
    chunks = tuple(
        Chunk(chunk_id(name, (), span.of(text), occurrence=at), name, span, (), "")
        for at, span in enumerate(spans)
    )
    return NewVersion(
        document=document,
        chunks=chunks,
        terms=[
            terms_of_chunk(chunk, title=source, words=chunk.span.of(text), language="pl")
            for chunk in chunks
        ],
        vectors=vectors or {},
        state=DocumentState.INDEXED,
        code=None,
        message=None,
        hint=None,
        file=FileStamp(size=len(text.encode()), modified_ns=0),
        language="pl",
        given=given or {},
        stamp=Stamp(document.version, "fake/1", "fake/1:10", "fake", 4, "w", 1),
    )


def make_unread(source: str, state: DocumentState, code: str) -> Unread:
    """Return a file that could not be read."""
    return Unread(
        document_id(source), source, state, code, f"{source} is {code}", "fix it", None, None
    )


def make_passages(
    source: str,
    passages: Sequence[str],
    *,
    vectors: "Sequence[Vectors | None]" = (),
    given: Mapping[str, str] | None = None,
    language: str | None = "pl",
    title: str = "",
) -> NewVersion:
    """Return a version whose chunks are these passages, one a line.

    Args:
        source: of the document.
        passages: each is a chunk, and its words between blanks are its index terms.
        vectors: of the passages, each shape (dimensions,), length 1; None and those that are
            wanting: it has none.
        given: what a person added.
        language: of the document, ISO 639-1.
        title: of the document; not among the terms.
    """
    text = "\n".join(passages)
    new = make_version(source, text, chunk_characters=max(len(text), 1), given=given)
    name = new.document.id
    chunks, start = [], 0
    for at, passage in enumerate(passages):
        span = Span(start, start + len(passage))
        chunks.append(Chunk(chunk_id(name, (), passage, occurrence=at), name, span, (), ""))
        start = span.end + 1
    hashes = [text_hash(passage_text(title, (), "", passage)) for passage in passages]
    pairs = zip(hashes, vectors, strict=False)
    return replace(
        new,
        document=replace(new.document, title=title),
        chunks=tuple(chunks),
        terms=[passage.split() for passage in passages],
        vectors={key: vector for key, vector in pairs if vector is not None},
        language=language,
    )


def put(store: Store, *versions: NewVersion) -> None:
    """Write document versions, all in one transaction."""
    with store.writing() as writing:
        for version in versions:
            writing.replace(version)


def ids(version: NewVersion) -> tuple[ChunkId, ...]:
    """Return the ids of a version's chunks."""
    return tuple(chunk.id for chunk in version.chunks)


def unit(*numbers: float) -> Vectors:
    """Return a vector in this direction: shape (len(numbers),), float32, length 1."""
    vector = np.array(numbers, dtype=np.float64)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def word(*alternatives: str, parts: Sequence[Sequence[str]] = ()) -> TermGroup:
    """Return a word of a question that any of these terms is; a compound has parts."""
    return _group(alternatives, parts, is_identifier=False)


def identifier(*alternatives: str, parts: Sequence[Sequence[str]]) -> TermGroup:
    """Return an identifier of a question; the first alternative is as it was written."""
    return _group(alternatives, parts, is_identifier=True)


def _group(
    alternatives: tuple[str, ...], parts: Sequence[Sequence[str]], *, is_identifier: bool
) -> TermGroup:
    return TermGroup(
        surface=alternatives[0],
        alternatives=alternatives,
        parts=tuple(map(tuple, parts)),
        is_identifier=is_identifier,
        is_stop=False,
    )


def asked(*groups: TermGroup) -> Query:
    """Return a question of these words."""
    return Query(" ".join(group.surface for group in groups), "pl", groups)


EAST, NORTH = unit(1, 0, 0, 0), unit(0, 1, 0, 0)
