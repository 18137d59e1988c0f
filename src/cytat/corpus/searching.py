"""A store, a retriever, a mode and a filter -> rankings of hits, each question retrieved once."""

from cytat.query import AllowedRows
from cytat.records import Ranking, VectorSpace
from cytat.retrieval import HybridRetriever, Mode, Record, Retrieved
from cytat.store import Store


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
