"""A corpus -> another file of the same documents, cut or embedded otherwise. Reads no source.

Text, blocks and parts are those of the corpus, so that the two files differ in what was asked for
and in nothing else. A group of documents is on disk as soon as it is made: a run can be stopped at
any moment and goes on where it was. Stages run one after the other, so that each can be timed.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from cytat.embedding import embed_passages
from cytat.errors import UsageError
from cytat.ingestion.groups import GROUP_DOCUMENTS, GROUP_PASSAGES
from cytat.ingestion.preparing import Ready, Recipe, is_known_to, is_same, passage_of, wanted_stamp
from cytat.ingestion.progress import Teller, remaining_of
from cytat.ingestion.writing import write_group
from cytat.protocols import Chunker, Embedder, Moment, Store, Vectors, space_of
from cytat.records import Document, Making, Progress, StoredDocument
from cytat.text.identity import text_hash

NOTHING_MADE = Making(0.0, 0, 0.0, 0, 0.0, 0)

Listen = Callable[[Progress], None]

_Member: TypeAlias = tuple[StoredDocument, Ready | None]
"""A document of the corpus, and what is to be written of it; None: it is there already."""


def begin_derived(store: Store) -> None:
    """Mark an empty corpus as one that another is derived into; one that is marked goes on.

    Raises:
        UsageError: it is a corpus of somebody's own.
    """
    with store.moment() as moment:
        if moment.making() is not None:
            return
        is_own = moment.count_documents() > 0
    if is_own:
        raise UsageError(
            f"{store.name} is a corpus of its own", hint="name another folder, or move it away"
        )
    with store.writing() as writing:
        writing.set_making(NOTHING_MADE)


def derive(
    corpus: Store,
    target: Store,
    *,
    chunker: Chunker,
    embedder: Embedder,
    donors: Sequence[Store],
    listen: Listen,
) -> Making:
    """Bring `target` up to date with the documents of `corpus`; only what differs is made.

    Args:
        corpus: is read, and not changed.
        target: marked by `begin_derived`.
        chunker: cuts the documents of `target`.
        embedder: is asked for the vectors that none of `target`, `corpus` and `donors` holds.
        donors: corpora derived before.
        listen: called with how far it is.

    Returns:
        How long the stages took, earlier runs included.

    Raises:
        BackendError: the embedder cannot be reached; what is made stays.
    """
    recipe = _recipe(chunker, embedder)
    space = space_of(embedder)
    holders = [target]
    for store in (corpus, *donors):
        with store.moment() as moment:
            known = moment.space()
        if known is not None and known.is_same_as(space):
            holders.append(store)
    return _Deriving(corpus, target, recipe, holders).run(listen)


def _recipe(chunker: Chunker, embedder: Embedder) -> Recipe:
    """Return the recipe of documents that are not read: it says how they are cut and embedded."""
    return Recipe(chunker, embedder, given={}, label=None)


class _Deriving:
    """One run."""

    def __init__(
        self, corpus: Store, target: Store, recipe: Recipe, holders: Sequence[Store]
    ) -> None:
        """Take the two corpora, and where vectors of the recipe's embedder are looked for."""
        self._corpus = corpus
        self._target = target
        self._recipe = recipe
        self._holders = holders
        with target.moment() as moment:
            self._clock = _StageClock(moment.making() or NOTHING_MADE)

    def run(self, listen: Listen) -> Making:
        """Return how long all took, when everything is written."""
        with self._corpus.moment() as moment:
            documents = [
                document for document in moment.documents() if document.version is not None
            ]
        self._remove_others(documents)
        remaining = remaining_of(sum(document.characters for document in documents))
        teller = Teller(listen, files=len(documents), remaining=remaining)
        for group in self._groups(documents):
            self._write([ready for _, ready in group if ready is not None])
            for stored, ready in group:
                remaining.read(stored.characters)
                teller.done(stored.source, chunks=0 if ready is None else len(ready.chunks))
        with self._target.writing() as writing:
            writing.set_making(self._clock.making)
        return self._clock.making

    def _remove_others(self, documents: Sequence[StoredDocument]) -> None:
        with self._target.writing() as writing:
            for document_id in writing.sources().keys() - {document.id for document in documents}:
                writing.remove(document_id)

    def _groups(self, documents: Sequence[StoredDocument]) -> Iterator[list[_Member]]:
        """Yield documents, cut, that are embedded and written together."""
        group: list[_Member] = []
        passages = 0
        for stored in documents:
            ready = None if self._is_made(stored) else self._cut(stored)
            group.append((stored, ready))
            passages += 0 if ready is None else len(ready.passages)
            if passages >= GROUP_PASSAGES or len(group) >= GROUP_DOCUMENTS:
                yield group
                group, passages = [], 0
        yield group

    def _is_made(self, stored: StoredDocument) -> bool:
        """Say whether the target holds a document as it would be made now."""
        known = self._known(stored)
        if known is None or stored.stamp is None:
            return False
        stamp = wanted_stamp(stored.stamp.version, stored.stamp.reader, self._recipe)
        return is_same(known, stored.source, stamp) and _told_of(known) == _told_of(stored)

    def _cut(self, stored: StoredDocument) -> Ready:
        with self._clock.stage("cutting_s"):
            with self._corpus.moment() as moment:
                document = stored_document(moment, stored)
            chunks = tuple(self._recipe.chunker.cut(document))
        self._clock.count("cut_characters", len(document.text))
        passages = map(passage_of(document), chunks)
        is_embedded = is_known_to(self._recipe.embedder, stored.language)
        return Ready(
            document=document,
            chunks=chunks,
            passages={text_hash(passage): passage for passage in passages} if is_embedded else {},
            language=stored.language,
            file=stored.file,
            given=stored.given,
            known=self._known(stored),
        )

    def _known(self, stored: StoredDocument) -> StoredDocument | None:
        """Return what the target holds of a document."""
        with self._target.moment() as moment:
            return moment.document(stored.id)

    def _write(self, group: Sequence[Ready]) -> None:
        if not group:
            return
        passages = {key: text for prepared in group for key, text in prepared.passages.items()}
        vectors = self._held(list(passages))
        vectors |= self._embedded({key: passages[key] for key in passages.keys() - vectors.keys()})
        with self._clock.stage("writing_s"), self._target.writing() as writing:
            write_group(self._target, group, vectors, self._recipe)
            self._clock.count("written_chunks", sum(len(prepared.chunks) for prepared in group))
            writing.set_making(self._clock.making)

    def _held(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Return the vectors that need not be made."""
        found: dict[bytes, Vectors] = {}
        for store in self._holders:
            with store.moment() as moment:
                found |= moment.vectors_of([key for key in keys if key not in found])
        return found

    def _embedded(self, passages: Mapping[bytes, str]) -> dict[bytes, Vectors]:
        embedder, keys = self._recipe.embedder, sorted(passages)
        texts = [passages[key] for key in keys]
        with self._clock.stage("embedding_s"):
            made = embed_passages(embedder, texts)
        seen = (min(len(embedder.token_ends(text)), embedder.max_tokens) for text in texts)
        self._clock.count("embedded_tokens", sum(seen))
        return {key: made.vectors[at] for at, key in enumerate(keys) if at not in made.missing}


def stored_document(moment: Moment, stored: StoredDocument) -> Document:
    """Return a document as its reader made it, from what the corpus keeps of it.

    Raises:
        ValueError: no version of it is stored.
    """
    if stored.version is None or stored.stamp is None or stored.ledger is None:
        raise ValueError(f"{stored.source} has no version")
    return Document(
        id=stored.id,
        source=stored.source,
        version=stored.version,
        title=stored.title,
        media_type=stored.media_type,
        text=moment.text(stored.id),
        blocks=tuple(moment.blocks(stored.id)),
        parts=tuple(moment.parts(stored.id)),
        fragments=moment.fragments(stored.id),
        metadata=stored.metadata,
        ledger=stored.ledger,
        reader=stored.stamp.reader,
    )


def _told_of(document: StoredDocument) -> tuple[object, ...]:
    """Return what cutting, embedding and filters look at beside the text."""
    return document.title, document.characters, document.language, document.metadata


class _StageClock:
    """Adds up how long stages take and what is done, from where an earlier run left off."""

    def __init__(self, making: Making) -> None:
        self.making = making

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage: the name of one of the fields of `Making`."""
        began = time.perf_counter()
        yield
        took = time.perf_counter() - began
        self.making = replace(self.making, **{name: getattr(self.making, name) + took})

    def count(self, name: str, more: int) -> None:
        """Count what was done: the name of one of the fields of `Making`."""
        self.making = replace(self.making, **{name: getattr(self.making, name) + more})
