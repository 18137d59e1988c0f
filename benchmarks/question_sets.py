"""Passages -> a small corpus that can be asked without a store; an embedder that keeps its vectors.

Shared by `quoting.py`, `gate_cases.py` and `fit_gate.py`. Vectors are kept in a folder given by
`--cache`, since embedding is most of the work; everything else runs through cytat's own code.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from benchmarks.arguments import options_of

from cytat.analysis import analyse_question, terms_of
from cytat.answering.survey import Survey, survey_of
from cytat.backends.e5.embedder import open_embedder
from cytat.grounding import read_passage
from cytat.protocols import Embedder, Spread, Vectors
from cytat.records import (
    ChunkId,
    Coverage,
    DocumentId,
    Hit,
    Locator,
    LocatorKind,
    Query,
    Span,
    Why,
)
from cytat.retrieval import QuestionStatistics
from cytat.text.identity import passage_text

WORDS_WEIGHT = 0.3 / 0.7
"""Of BM25 in the sum of standardised scores by which passages are ranked here."""
K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Question:
    """A question, its right passage, and what counts as its answer; no answers: unanswerable."""

    text: str
    gold: str
    answers: tuple[str, ...]

    @classmethod
    def of(cls, row: dict[str, object], *, gold: str) -> "Question":
        """Return the question of a line of `queries.jsonl`."""
        metadata = row["metadata"]
        assert isinstance(metadata, dict)
        return cls(str(row["text"]), gold, tuple(_answers(metadata)))


def _answers(metadata: dict[str, object]) -> list[str]:
    found = metadata.get("answers")
    assert isinstance(found, list)
    return [one["text"] if isinstance(one, dict) else one for one in found]


def hit_of(name: str, title: str, text: str) -> Hit:
    """Return a passage as a hit that no ranking has seen yet."""
    nowhere = Locator(LocatorKind.LINE, "line 1", "#char=0,0")
    return Hit(
        ChunkId(name), DocumentId(name), name, title, 1, 0.0, Span(0, len(text)), nowhere, (), text,
        Why(None, None, None, None, None),
    )  # fmt: skip


class KeptEmbedder:
    """An embedder whose vectors are kept in a folder between runs."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._file = folder / f"vectors-{embedder.weights[:12]}.npz"
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.max_tokens, self.weights = embedder.max_tokens, embedder.weights
        self.languages = embedder.languages
        self._kept: dict[str, Vectors] = {}
        if self._file.exists():
            held = np.load(self._file)
            self._kept = dict(zip(held["keys"].tolist(), held["vectors"], strict=True))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, from the folder where it has them."""
        keys = [_key("passage", text) for text in texts]
        new = [at for at, key in enumerate(keys) if key not in self._kept]
        if new:
            vectors = self._embedder.embed_documents([texts[at] for at in new])
            self._kept.update((keys[at], row) for at, row in zip(new, vectors, strict=True))
        return np.array([self._kept[key] for key in keys], dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question, from the folder where it has it."""
        key = _key("query", text)
        if key not in self._kept:
            self._kept[key] = self._embedder.embed_query(text)
        return self._kept[key]

    def token_ends(self, text: str) -> Sequence[int]:
        """Return the encoder's own."""
        return self._embedder.token_ends(text)

    def save(self) -> None:
        """Write what is kept."""
        np.savez(self._file, keys=list(self._kept), vectors=np.array(list(self._kept.values())))


def open_kept(cache: Path) -> KeptEmbedder:
    """Return the default encoder, its vectors kept in `cache`."""
    options = options_of(cache)
    return KeptEmbedder(open_embedder(options), cache)


def _key(role: str, text: str) -> str:
    return hashlib.sha256(f"{role}:{text}".encode()).hexdigest()[:24]


class SmallCorpus:
    """Some passages as a corpus: ranks them and says what the whole of them says of a question."""

    def __init__(self, passages: Sequence[Hit], *, embedder: Embedder) -> None:
        self._passages = list(passages)
        languages = [read_passage(hit).language for hit in passages]
        self._languages = set(languages)
        self._embedder = embedder
        self._vectors = embedder.embed_documents([_embedded(hit) for hit in passages])
        self._terms = [
            _terms(" ".join((hit.title, *hit.heading_path, hit.text)), language)
            for hit, language in zip(passages, languages, strict=True)
        ]
        self._lengths = np.array([len(hit.text) for hit in passages], dtype=np.float64)

    def ask(self, question: str, *, depth: int) -> tuple[Survey, tuple[Hit, ...]]:
        """Return the survey of a question and its best passages."""
        query = analyse_question(question, languages=self._languages)
        cosines = self._vectors @ self._embedder.embed_query(question)
        words = self._words(query)
        order = np.argsort(-(_standard(cosines) + WORDS_WEIGHT * _standard(words)), kind="stable")
        statistics = QuestionStatistics(
            chunks=len(self._passages),
            frequencies=self._frequencies(query),
            cosines=Spread(float(cosines.mean()), float(cosines.std())),
        )
        survey = survey_of(
            query,
            statistics,
            language=query.language or "en",
            coverage=Coverage(len(self._passages), 0, 0),
        )
        hits = tuple(
            replace(
                self._passages[at], rank=rank, score=1.0 / rank,
                why=Why(None, float(words[at]), None, float(cosines[at]), None),
            )
            for rank, at in enumerate(order[:depth], start=1)
        )  # fmt: skip
        return survey, hits

    def _frequencies(self, query: Query) -> dict[str, int]:
        terms = {term for group in query.content for term in group.alternatives}
        return {term: sum(term in held for held in self._terms) for term in terms}

    def _words(self, query: Query) -> Vectors:
        scores = np.zeros(len(self._passages), dtype=np.float32)
        frequencies = self._frequencies(query)
        damped = 1 / (1 + K1 * (1 - B + B * self._lengths / self._lengths.mean()))
        for group in query.content:
            count = max(frequencies[term] for term in group.alternatives)
            idf = np.log(1 + (len(scores) - count + 0.5) / (count + 0.5))
            held = np.array([group.met_by(terms) for terms in self._terms])
            scores += (held * idf * (K1 + 1) * damped).astype(np.float32)
        return scores


@cache
def _terms(text: str, language: str | None) -> frozenset[str]:
    return terms_of(text, language)


def _embedded(hit: Hit) -> str:
    return passage_text(hit.title, hit.heading_path, "", hit.text)


def _standard(scores: Vectors) -> Vectors:
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread else scores * 0
