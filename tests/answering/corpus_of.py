"""Texts as a small corpus in memory: what answering is given, without a store."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from tests.grounding.passages import HeldTexts, evidence_of, is_fresh

from cytat.analysis import analyse_question, terms_of
from cytat.answering import (
    AnswerObserver,
    Gate,
    Parts,
    Survey,
    answer_question,
    shipped_gate,
    survey_of,
)
from cytat.protocols import Embedder, Generator
from cytat.records import (
    Answer,
    Citation,
    Coverage,
    DroppedStatement,
    Hit,
    Ranking,
    Refusal,
    Statement,
    TraceStage,
    Why,
)
from cytat.testing.embedders import FakeEmbedder

LANGUAGES = ("pl", "en")


@dataclass
class SmallCorpus:
    """A retriever and a surveyor over a few hits, by cosine alone."""

    hits: Sequence[Hit]
    texts: HeldTexts
    embedder: Embedder = field(default_factory=FakeEmbedder)
    coverage: Coverage | None = None

    def survey(self, question: str) -> Survey:
        query = analyse_question(question, languages=LANGUAGES)
        terms = {term for group in query.content for term in group.alternatives}
        held = [self._terms(hit) for hit in self.hits]
        cosines = self._cosines(question)
        return survey_of(
            query,
            term_frequencies={term: sum(term in one for one in held) for term in terms},
            cosines=(float(np.mean(cosines)), float(np.std(cosines))) if len(cosines) else None,
            chunks=len(self.hits),
            coverage=self.coverage or Coverage(len(self.hits), 0, 0),
        )

    def retrieve(self, question: str, *, depth: int) -> Ranking:
        cosines = self._cosines(question)
        order = sorted(range(len(self.hits)), key=lambda at: -cosines[at])[:depth]
        hits = tuple(
            replace(
                self.hits[at],
                rank=rank,
                score=cosines[at],
                why=Why(None, None, rank, cosines[at], None),
            )
            for rank, at in enumerate(order, start=1)
        )
        return Ranking(question, "vectors", hits, None, ())

    def ask(
        self,
        question: str,
        *,
        generator: Generator | None = None,
        context_tokens: int = 4096,
        gate: Gate | None = None,
    ) -> "Asked":
        asked = Asked()
        parts = Parts(
            self, self, self.embedder, self.texts, is_fresh, generator, gate or shipped_gate()
        )
        asked.reply = answer_question(
            question,
            parts,
            depth=12,
            watch=AnswerObserver(asked.stages.append, asked.heard.append),
            context_tokens=context_tokens,
        )
        return asked

    def _cosines(self, question: str) -> list[float]:
        if not self.hits:
            return []
        vectors = self.embedder.embed_documents([hit.text for hit in self.hits])
        return [float(value) for value in vectors @ self.embedder.embed_query(question)]

    def _terms(self, hit: Hit) -> frozenset[str]:
        text = "\n".join((*hit.heading_path, hit.text))
        return frozenset[str]().union(*(terms_of(text, one) for one in (*LANGUAGES, None)))


@dataclass
class Asked:
    """A reply, the stages recorded on the way, and what a listener was told."""

    reply: Answer | Refusal | None = None
    stages: list[TraceStage] = field(default_factory=list)
    heard: list[Statement | DroppedStatement | Citation] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        assert isinstance(self.reply, Answer), self.reply
        return self.reply

    @property
    def refusal(self) -> Refusal:
        assert isinstance(self.reply, Refusal), self.reply
        return self.reply

    def stage(self, name: str) -> TraceStage:
        (found,) = [stage for stage in self.stages if stage.name == name]
        return found


def corpus_of(
    *texts: str, heading_path: Sequence[str] = (), coverage: Coverage | None = None
) -> SmallCorpus:
    """Return a corpus of texts, each a document of its own."""
    hits, held = evidence_of(*texts, heading_path=heading_path)
    return SmallCorpus(hits, held, coverage=coverage)
