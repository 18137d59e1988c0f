"""A corpus' parts -> an answer or a refusal to one question."""

from collections.abc import Callable
from dataclasses import replace

from cytat.answering import AnswerObserver, Gate, Parts, Survey, answer_question, survey_of
from cytat.corpus.gating import Misfit, gate_in_force
from cytat.corpus.searching import CorpusRetriever
from cytat.corpus.texts import StoredTexts
from cytat.fulltext import WordsIndex
from cytat.protocols import Embedder, Generator
from cytat.records import (
    Answer,
    Citation,
    Coverage,
    DocumentState,
    DroppedStatement,
    Refusal,
    Statement,
)
from cytat.retrieval import Record, ignore
from cytat.store import Store

SURVEY_DEPTH = 50
"""Ranks kept of the one retrieval; answers look at fewer."""


class CorpusSurveyor:
    """Says how a question lies in the whole corpus; implements `answering.Surveyor`."""

    def __init__(self, store: Store, words: WordsIndex, retriever: CorpusRetriever) -> None:
        self._store = store
        self._words = words
        self._retriever = retriever

    def survey(self, question: str) -> Survey:
        """Return what the whole corpus says of the question's words and vector."""
        with self._store.reading() as connection:
            found = self._retriever.found(question, depth=SURVEY_DEPTH)
            terms = {term for group in found.query.content for term in group.alternatives}
            words = self._words.reader(connection)
            return survey_of(
                found.query,
                term_frequencies=words.document_frequencies(sorted(terms)),
                cosines=found.cosines,
                chunks=words.indexed,
                coverage=_coverage(self._store),
            )


def ask_corpus(  # noqa: PLR0913 - the parts of one answer
    question: str,
    store: Store,
    retriever: CorpusRetriever,
    *,
    words: WordsIndex,
    embedder: Embedder,
    generator: Generator | None,
    depth: int,
    record: Record,
    listen: Callable[[Statement | DroppedStatement | Citation], None] | None,
    gate: Gate | None = None,
) -> Answer | Refusal:
    """Return what the corpus answers; see `answering.answer_question`.

    `gate` None: the corpus' own, with a note where its calibration no longer fits.
    """
    texts = StoredTexts(store)
    in_force, misfit = (gate, None) if gate is not None else gate_in_force(store)
    parts = Parts(
        retriever=retriever,
        surveyor=CorpusSurveyor(store, words, retriever),
        embedder=embedder,
        texts=texts,
        is_stale=texts.is_stale,
        generator=generator,
        gate=in_force,
    )
    reply = answer_question(
        question, parts, depth=depth, watch=AnswerObserver(record, listen or ignore)
    )
    return reply if misfit is None else _with_note(reply, misfit)


def _with_note(reply: Answer | Refusal, misfit: Misfit) -> Answer | Refusal:
    return replace(reply, notes=(*reply.notes, misfit.text(reply.language)))


def _coverage(store: Store) -> Coverage:
    documents = store.documents()
    return Coverage(
        documents=len(documents),
        failed=sum(document.state is DocumentState.FAILED for document in documents),
        unread_parts=sum(
            document.ledger.empty + document.ledger.failed
            for document in documents
            if document.ledger is not None
        ),
    )
