"""A store, a retriever, a mode and a filter -> rankings of hits, each question retrieved once."""

from cytat.analysis import AllowedRows
from cytat.analysis.filters import Where, parse_where
from cytat.corpus.filtering import DocumentFilter
from cytat.corpus.models import EmbedderChoice
from cytat.errors import BackendError, ModelMissingError, UsageError
from cytat.protocols import Embedder, space_of
from cytat.records import PIPELINE, Ranking, VectorSpace
from cytat.retrieval import (
    DEFAULT_FUSION,
    FusionRule,
    HybridRetriever,
    Mode,
    Record,
    Retrieved,
)
from cytat.store import Store
from cytat.store.ranking import VectorIndex, WordsIndex


class CorpusRetriever:
    """Ranks the chunks of one corpus; the last question's candidates are kept for its survey."""

    def __init__(  # noqa: PLR0913 - the parts of one search
        self,
        store: Store,
        retriever: HybridRetriever,
        *,
        mode: Mode,
        allowed: AllowedRows | None,
        space: VectorSpace | None,
        notes: tuple[str, ...],
        record: Record,
    ) -> None:
        """Take the parts; `space` is that of the retriever's embedder, None without one."""
        self._store = store
        self._retriever = retriever
        self._mode = mode
        self._allowed = allowed
        self._space = space
        self._notes = notes
        self._record = record
        self._last: tuple[str, int, Retrieved] | None = None

    def retrieve(self, question: str, *, depth: int) -> Ranking:
        """Return the best chunks of the corpus, with the raw scores of each list."""
        with self._store.reading():
            found = self.found(question, depth=depth)
            hits = self._store.hits(found.candidates[:depth])
        return Ranking(question, self._mode.value, hits, None, (*self._notes, *found.notes))

    def found(self, question: str, *, depth: int) -> Retrieved:
        """Return at least the best `depth` candidates; call inside the store's `reading`."""
        if self._space is not None:
            self._store.check_space(self._space)  # in the moment that is searched
        if self._last is None or self._last[0] != question or self._last[1] < depth:
            found = self._retriever.retrieve(
                question,
                depth=depth,
                mode=self._mode,
                allowed=self._allowed,
                record=self._record,
            )
            self._last = (question, depth, found)
        return self._last[2]


def open_retriever(  # noqa: PLR0913 - the parts of one search
    store: Store,
    choice: EmbedderChoice,
    words: WordsIndex,
    index: VectorIndex,
    documents: DocumentFilter,
    *,
    mode: str,
    where: Where,
    record: Record,
    fusion: FusionRule = DEFAULT_FUSION,
) -> CorpusRetriever:
    """Return what ranks one question; raise `UsageError` for a mode or a filter that is none."""
    known = Mode(_known_mode(mode))
    conditions = parse_where(where)
    embedder, notes = _searching_embedder(store, choice, known)
    retriever = HybridRetriever(
        store,
        embedder=embedder,
        words=words,
        index=index,
        fusion=fusion.fusion,
        vectors_weight=fusion.vectors_weight,
    )
    allowed, unmatched = documents.allowed_rows(store, conditions, record)
    return CorpusRetriever(
        store,
        retriever,
        mode=known,
        allowed=allowed,
        space=None if embedder is None else space_of(embedder),
        notes=(*notes, *unmatched, *_half_way(store), *_outdated(store)),
        record=record,
    )


def _known_mode(mode: str) -> str:
    if mode not in set(Mode):
        raise UsageError(f"there is no mode {mode!r}", hint=f"one of: {', '.join(Mode)}")
    return mode


def _searching_embedder(
    store: Store, choice: EmbedderChoice, mode: Mode
) -> tuple[Embedder | None, tuple[str, ...]]:
    """Return the embedder to search with; or None, saying why."""
    space = store.space()
    if mode is Mode.WORDS or space is None:
        return None, ()
    try:
        embedder = choice.embedder(space)
    except (BackendError, ModelMissingError) as failure:
        if mode is Mode.VECTORS:
            raise
        return None, (f"{failure.message}; {failure.hint}.",)
    store.check_space(space_of(embedder))
    return embedder, ()


def _half_way(store: Store) -> tuple[str, ...]:
    pending = store.pending_space()
    if pending is None:
        return ()
    return (f"A reindex to {pending.embedder} is half way: run `cytat reindex` to finish.",)


def _outdated(store: Store) -> tuple[str, ...]:
    """Say that words are looked for as this program cuts them, and stand there otherwise."""
    count = store.outdated(PIPELINE)
    note = (
        f"{count} document(s) were indexed by another version of cytat, and words can be missed "
        "in them: run `cytat reindex`."
    )
    return (note,) if count else ()
