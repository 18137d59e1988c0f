"""Texts as a small corpus in memory: what answering is given, without a store."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from tests.grounding.passages import HeldTexts, evidence_of, is_fresh

from cytat.analysis import analyse_question, terms_of
from cytat.answering import (
    AskOutcome,
    Gate,
    Material,
    Means,
    answer_question,
    check_question,
    shipped_gate,
)
from cytat.protocols import Embedder, Generator, Spread
from cytat.records import (
    Answer,
    Citation,
    Coverage,
    DroppedStatement,
    Hit,
    Query,
    Refusal,
    Statement,
    TraceStage,
    Why,
)
from cytat.retrieval import Mode, QuestionStatistics, Retrieved
from cytat.testing.embedders import FakeEmbedder

LANGUAGES = ("pl", "en")


@dataclass
class SmallCorpus:
    """What a moment would hold for a question: a few hits, ranked by cosine alone."""

    hits: Sequence[Hit]
    texts: HeldTexts
    embedder: Embedder = field(default_factory=FakeEmbedder)
    coverage: Coverage | None = None

    def found(self, question: str) -> Retrieved:
        query = analyse_question(question, languages=LANGUAGES)
        return Retrieved(query, Mode.VECTORS, 1, self._ranked(question), self._seen(query), (), ())

    def _seen(self, query: Query) -> QuestionStatistics:
        terms = {term for group in query.content for term in group.alternatives}
        held = [self._terms(hit) for hit in self.hits]
        cosines = self._cosines(query.text)
        return QuestionStatistics(
            chunks=len(self.hits),
            frequencies={term: sum(term in one for one in held) for term in terms},
            cosines=Spread(float(np.mean(cosines)), float(np.std(cosines))) if cosines else None,
        )

    def _ranked(self, question: str) -> tuple[Hit, ...]:
        cosines = self._cosines(question)
        order = sorted(range(len(self.hits)), key=lambda at: -cosines[at])
        return tuple(
            replace(
                self.hits[at],
                rank=rank,
                score=cosines[at],
                why=Why(None, None, rank, cosines[at], None),
            )
            for rank, at in enumerate(order, start=1)
        )

    def ask(
        self,
        question: str,
        *,
        generator: Generator | None = None,
        context_tokens: int = 4096,
        gate: Gate | None = None,
    ) -> "AskedCorpus":
        check_question(question)
        coverage = self.coverage or Coverage(len(self.hits), 0, 0)
        material = Material(self.found(question), 12, coverage, self.texts, is_fresh)
        means = Means(self.embedder, generator, gate or shipped_gate(), context_tokens)
        heard: list[Statement | DroppedStatement | Citation] = []
        return AskedCorpus(answer_question(material, means, listen=heard.append), heard)

    def _cosines(self, question: str) -> list[float]:
        if not self.hits:
            return []
        vectors = self.embedder.embed_documents([hit.text for hit in self.hits])
        return [float(value) for value in vectors @ self.embedder.embed_query(question)]

    def _terms(self, hit: Hit) -> frozenset[str]:
        text = "\n".join((*hit.heading_path, hit.text))
        return frozenset[str]().union(*(terms_of(text, one) for one in (*LANGUAGES, None)))


@dataclass
class AskedCorpus:
    """What became of a question, and what a listener was given."""

    outcome: AskOutcome
    heard: list[Statement | DroppedStatement | Citation]

    @property
    def reply(self) -> Answer | Refusal:
        return self.outcome.reply

    @property
    def stages(self) -> tuple[TraceStage, ...]:
        return self.outcome.stages

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
