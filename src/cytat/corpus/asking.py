"""A store and a retriever -> what answering asks of them: a survey and a ranking of one question.

A question is retrieved once; survey and ranking are two views of what was found.
"""

from collections.abc import Collection

from cytat.answering import Survey, survey_of
from cytat.fulltext import count_indexed, document_frequencies
from cytat.query import Query
from cytat.records import Coverage, DocumentState, Ranking
from cytat.retrieval import HybridRetriever, Mode, Retrieved
from cytat.store import Store

SURVEY_DEPTH = 50
"""Ranks kept of the one retrieval; answers look at fewer."""


class CorpusQuestions:
    """Questions to one corpus, with mode and filter bound; a `QuestionRetriever` and `Surveyor`."""

    def __init__(
        self,
        store: Store,
        retriever: HybridRetriever,
        *,
        mode: Mode,
        allowed: Collection[int] | None,
        notes: tuple[str, ...],
    ) -> None:
        self._store = store
        self._retriever = retriever
        self._mode = mode
        self._allowed = allowed
        self._notes = notes
        self._asked: tuple[str, Retrieved] | None = None

    def retrieve(self, question: str, *, depth: int) -> Ranking:
        """Return the best chunks of the corpus, with the raw scores of each list."""
        with self._store.reading():
            found = self._found(question, depth=depth)
            hits = self._store.hits(found.candidates[:depth])
        return Ranking(question, self._mode.value, hits, None, (*self._notes, *found.notes))

    def survey(self, question: str) -> Survey:
        """Return how the question's words and vector lie in the whole corpus."""
        with self._store.reading() as connection:
            found = self._found(question, depth=SURVEY_DEPTH)
            terms = {term for group in found.query.content for term in group.alternatives}
            return survey_of(
                found.query,
                term_frequencies=document_frequencies(connection, sorted(terms)),
                cosines=found.cosines,
                chunks=count_indexed(connection),
                coverage=self._coverage(),
            )

    def account(self, *, depth: int) -> tuple[dict[str, object], dict[str, object]]:
        """Return what the last retrieval received and returned, for its trace."""
        if self._asked is None:
            raise ValueError("nothing was asked yet")
        question, found = self._asked
        given = {"question": question, "depth": depth, "mode": self._mode.value}
        if self._allowed is not None:
            given["allowed_chunks"] = len(self._allowed)
        return given, _seen(found.query, found, depth)

    def _found(self, question: str, *, depth: int) -> Retrieved:
        if self._asked is None or self._asked[0] != question:
            found = self._retriever.retrieve(
                question, depth=depth, mode=self._mode, allowed=self._allowed
            )
            self._asked = (question, found)
        return self._asked[1]

    def _coverage(self) -> Coverage:
        documents = self._store.documents()
        return Coverage(
            documents=len(documents),
            failed=sum(document.state is DocumentState.FAILED for document in documents),
            unread_parts=sum(
                document.ledger.empty + document.ledger.failed
                for document in documents
                if document.ledger is not None
            ),
        )


def _seen(query: Query, found: Retrieved, depth: int) -> dict[str, object]:
    rows = found.candidates[:depth]
    return {
        "language": query.language,
        "words": [group.surface for group in query.content],
        "cosines": found.cosines,
        "hits": [
            f"{rank}: {one.score:.4f} (words {one.why.words_rank}, vectors {one.why.vectors_rank})"
            for rank, one in enumerate(rows, start=1)
        ],
        "notes": list(found.notes),
    }
