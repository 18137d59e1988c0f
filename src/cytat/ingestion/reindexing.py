"""A corpus -> the same corpus indexed again: other vectors, other settings, damage undone.

Four steps, each of which can be stopped and taken again:

1. vectors that are damaged are thrown away;
2. for another encoder, vectors of all chunks are made from the stored text beside those in use,
   a batch on disk at a time, and put in their place in one transaction;
3. every document is brought up to date with its file; damaged ones are made from it again;
4. the words index is rebuilt if it does not hold the words of the text.

A batch of step 2 is on disk as soon as it is made, so that a run can be killed at any moment and
goes on where it was. Documents that others add or remove meanwhile are met by the next round; the
switch comes when a round, inside the switch's own transaction, finds nothing left to do.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Self

from cytat.errors import BackendError, CorpusError
from cytat.fulltext import terms_of_chunk
from cytat.ingestion.groups import EncodingBeside, PassageEncoder
from cytat.ingestion.ingest import NOTHING_SAID, Tools, ingest_again, unheard
from cytat.ingestion.preparing import is_known_to
from cytat.ingestion.progress import Remaining, remaining_of
from cytat.ingestion.tally import listed
from cytat.ingestion.writing import NO_WEIGHTS, account_of, set_chunking
from cytat.protocols import Embedder, Moment, Store, space_of
from cytat.records import (
    AddOptions,
    ChunkId,
    DocumentId,
    DocumentState,
    DocumentUpdate,
    IngestReport,
    PassageToEmbed,
    Progress,
    StoredDocument,
    VectorSpace,
)

BATCH_PASSAGES = 128
"""Embedded and committed together: what a kill can cost."""


def reembed(
    store: Store, embedder: Embedder, *, on_event: Callable[[Progress], None]
) -> tuple[str, ...]:
    """Bring all vectors into the embedder's space and say so; nothing to do when they are in it.

    Raises:
        BackendError: the encoder went away; what was made is kept, and searches see no change.
    """
    target = space_of(embedder)
    with store.moment() as moment:
        known, pending = moment.space(), moment.pending_space()
    if known is None or known.is_same_as(target):
        return _give_up(store, pending)
    store.upkeep.begin_space(target)
    vectors = None
    with _Run(store, embedder, on_event) as run:
        while vectors is None:
            run.fill()
            vectors = run.switch_if_complete()
    switched = f"the corpus has switched from {known.embedder} to {target.embedder}"
    return (f"{vectors} chunks were embedded again: {switched}",)


def _give_up(store: Store, pending: VectorSpace | None) -> tuple[str, ...]:
    if pending is None:
        return ()
    store.upkeep.drop_pending_space()
    return (f"the reindex to {pending.embedder} that was unfinished is abandoned",)


class _Run:
    """One run towards another space."""

    def __init__(
        self, store: Store, embedder: Embedder, on_event: Callable[[Progress], None]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._on_event = on_event
        self._encoder = PassageEncoder(embedder)
        self._beside = EncodingBeside(self._encoder)
        self._remaining: Remaining | None = None
        self._progress: Progress | None = None
        self._failed: set[tuple[ChunkId, bytes]] = set()
        """Chunks the encoder failed on in this run; they are not asked for again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._beside.close()

    def fill(self) -> None:
        """Make the vectors that are missing, from the first chunk to the last."""
        after: ChunkId | None = None
        while batch := self._missing(after=after, limit=BATCH_PASSAGES):
            after = batch[-1].chunk_id
            self._make([passage for passage in batch if not self._has_failed(passage)])

    def switch_if_complete(self) -> int | None:
        """Switch and return how many vectors there are; None when something is missing again."""
        with self._store.writing() as writing:
            self._check_ours(writing)
            missing = self._missing(after=None, limit=len(self._failed) + 1)
            if not all(map(self._has_failed, missing)):
                return None
            vectors = self._store.upkeep.count_pending_vectors()
            self._switch(writing.documents())
        return vectors

    def _switch(self, documents: Sequence[StoredDocument]) -> None:
        """All vectors, the space and every stamp at once; call inside the writing."""
        lacking = self._store.upkeep.pending_without_vector()
        updates = (
            _update(document, self._embedder, missing=lacking.get(document.id, 0))
            for document in documents
            if document.stamp is not None
        )
        self._store.upkeep.switch_space(space_of(self._embedder), updates)

    def _missing(self, *, after: ChunkId | None, limit: int) -> Sequence[PassageToEmbed]:
        return self._store.upkeep.passages_to_embed(
            languages=self._embedder.languages, after=after, limit=limit
        )

    def _check_ours(self, moment: Moment) -> None:
        """Refuse to add to what another program has begun meanwhile."""
        if moment.pending_space() != space_of(self._embedder):
            raise CorpusError(
                f"another program has ended or replaced this reindex to {self._embedder.name}",
                hint="`cytat status` shows the encoder in use; run `cytat reindex` again",
            )

    def _has_failed(self, passage: PassageToEmbed) -> bool:
        return (passage.chunk_id, passage.passage_hash) in self._failed

    def _make(self, wanted: Sequence[PassageToEmbed]) -> None:
        encoding = self._beside.begin({lacked.passage_hash: lacked.passage for lacked in wanted})
        vectors = encoding.wait(on_tick=self._tick)
        upkeep = self._store.upkeep
        with self._store.writing() as writing:
            self._check_ours(writing)
            upkeep.add_pending_vectors(wanted, vectors)
            done = upkeep.count_pending_vectors()
            total = upkeep.count_passages_wanted(languages=self._embedder.languages)
        if self._encoder.is_away:
            raise BackendError(
                f"{self._encoder.failure}; {done} of {total} vectors of {self._embedder.name} "
                "are made and kept, and searches go on with the old ones",
                hint="run `cytat reindex` again to go on where it stopped",
            )
        lacking = [lacked for lacked in wanted if lacked.passage_hash not in vectors]
        self._failed |= {(lacked.chunk_id, lacked.passage_hash) for lacked in lacking}
        self._tell(total, done, made=len(wanted))

    def _tell(self, total: int, done: int, *, made: int) -> None:
        if self._remaining is None:
            self._remaining = remaining_of(total - done + made)
        self._remaining.read(made)
        self._progress = Progress(
            files=total,
            files_done=done,
            chunks=done,
            source=f"vectors of {self._embedder.name}",
            share=done / total if total else 1.0,
            seconds_left=self._remaining.seconds(),
        )
        self._on_event(self._progress)

    def _tick(self) -> None:
        """Repeat the last report, with the time that is left now."""
        if self._progress is not None and self._remaining is not None:
            self._on_event(replace(self._progress, seconds_left=self._remaining.seconds()))


def _update(document: StoredDocument, embedder: Embedder, *, missing: int) -> DocumentUpdate:
    """Return state and stamp of a document with vectors of `embedder`; `missing` have none."""
    if document.ledger is None or document.stamp is None:
        raise ValueError(f"{document.source} has text and no ledger or stamp")
    missing = missing if is_known_to(embedder, document.language) else 0
    account = account_of(document.ledger, missing=missing)
    stamp = replace(
        document.stamp,
        embedder=embedder.name,
        dimensions=embedder.dimensions,
        weights=NO_WEIGHTS if missing else embedder.weights,
    )
    of = document if document.state is DocumentState.STALE else account
    return DocumentUpdate(
        document.id, of.state, of.code, of.message, of.hint, account.ledger, stamp
    )


def reindex(
    store: Store,
    tools: Tools,
    options: AddOptions = NOTHING_SAID,
    *,
    on_event: Callable[[Progress], None] = unheard,
) -> IngestReport:
    """Rebuild the corpus with this encoder and these settings; searches go on meanwhile.

    Raises:
        BackendError: the encoder went away before all vectors were there; those made are kept,
            and nothing has changed for searches.
    """
    damaged = store.upkeep.discard_damage()
    notes = reembed(store, tools.embedder, on_event=on_event)
    set_chunking(store, tools.chunker.name)
    again = frozenset(damaged)
    report = ingest_again(store, tools, options, again=again, on_event=on_event)
    made_again = {outcome.source for outcome in (*report.added, *report.updated)}
    notes += _note_damage(damaged, made_again)
    if made_again.issuperset(damaged.values()):  # words of a damaged text would be no better
        notes += _repair_words(store)
    store.upkeep.seal()
    return replace(report, notes=(*notes, *report.notes))


def _repair_words(store: Store) -> tuple[str, ...]:
    if not store.upkeep.repair_words(terms_of_chunk):
        return ()
    return ("the words index was rebuilt from the stored text",)


def _note_damage(damaged: Mapping[DocumentId, str], made_again: Collection[str]) -> tuple[str, ...]:
    rebuilt = sorted(source for source in damaged.values() if source in made_again)
    left = sorted(source for source in damaged.values() if source not in made_again)
    notes = []
    if rebuilt:
        notes.append(f"damaged, and rebuilt from their files: {listed(rebuilt)}")
    if left:
        notes.append(
            f"damaged, and cannot be rebuilt from their files: {listed(left)}; "
            "restore a backup, or `cytat remove` them"
        )
    return tuple(notes)
