"""A corpus' parts -> an answer or a refusal to one question."""

from collections.abc import Callable
from dataclasses import replace

from cytat.answering import AnswerObserver, Gate, Parts, Survey, answer_question, survey_of
from cytat.corpus.gating import Misfit, gate_in_force
from cytat.corpus.searching import CorpusRetriever
from cytat.corpus.texts import StoredTexts
from cytat.protocols import Embedder, Generator
from cytat.records import (
    Answer,
    Citation,
    DroppedStatement,
    Refusal,
    Statement,
)
from cytat.retrieval import Record, ignore
from cytat.store import Store
from cytat.store.ranking import WordsIndex

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
        with self._store.moment() as moment:
            found = self._retriever.found(question, depth=SURVEY_DEPTH)
            terms = {term for group in found.query.content for term in group.alternatives}
            return survey_of(
                found.query,
                term_frequencies=moment.frequencies(terms),
                cosines=found.cosines,
                chunks=moment.count_chunks(),
                coverage=moment.coverage(),
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
