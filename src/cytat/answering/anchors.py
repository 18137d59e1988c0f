"""Vectors of a question and of sentences -> how near they are, compared with texts on all things.

An encoder's cosines mean nothing by themselves: e5's lie between 0.7 and 0.9 whatever is compared,
some questions are near to everything, and so are some sentences. So each cosine is measured
against the nearest of a few sentences, and of a few questions, that have nothing to do with the
documents (`anchors.json`; "cross-domain similarity local scaling"). What is left can be compared
between questions, languages and corpora of any size.

Source:
    Conneau et al. 2018, arXiv:1710.04087, section 2.3.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from io import BytesIO
from weakref import WeakKeyDictionary

import numpy as np

from cytat.protocols import Embedder, Vectors

NEAREST_ANCHORS = 5
"""Anchors whose mean cosine is what a question, or a sentence, reaches with anything at all."""
HASH_DIGITS = 16
"""Of the encoder's weights, in the name of the file with its anchors' vectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """Vectors of the anchors by language; under None, all of them."""

    sentences: dict[str | None, Vectors]
    questions: dict[str | None, Vectors]


def nearness(
    question: Vectors,
    sentences: Vectors,
    *,
    question_language: str | None,
    sentence_languages: Sequence[str | None],
    anchors: Anchors,
) -> list[float]:
    """Return how near each sentence is to the question, above what both reach with anything.

    2 cos(q, s) - (mean of the highest cosines of q to anchor sentences in the language of s)
                - (mean of the highest cosines of s to anchor questions in the language of q)

    Every text of one's own language is nearer than any of another: hence the languages.
    """
    reached = {
        language: _highest(_of(anchors.sentences, language) @ question)
        for language in set(sentence_languages)
    }
    asked = _of(anchors.questions, question_language)
    return [
        float(2 * (vector @ question) - reached[language] - _highest(asked @ vector))
        for vector, language in zip(sentences, sentence_languages, strict=True)
    ]


def anchors_of(embedder: Embedder) -> Anchors:
    """Return the anchors' vectors: the shipped ones, or made once for each embedder."""
    if embedder not in _KEPT:
        _KEPT[embedder] = _shipped(embedder.weights) or embed_anchors(embedder)
    return _KEPT[embedder]


_KEPT: WeakKeyDictionary[Embedder, Anchors] = WeakKeyDictionary()


def embed_anchors(embedder: Embedder) -> Anchors:
    """Return the anchors' vectors, all embedded now."""
    texts = _texts()
    sentences = {
        language: embedder.embed_documents(one["sentences"]) for language, one in texts.items()
    }
    questions = {
        language: np.stack([embedder.embed_query(text) for text in one["questions"]])
        for language, one in texts.items()
    }
    return _anchors(sentences, questions)


def anchors_file(weights: str) -> str:
    """Return the name of the file, in this package, with the vectors for an encoder's weights."""
    return f"anchors-{weights[:HASH_DIGITS]}.npz"


def _shipped(weights: str) -> Anchors | None:
    """Return the vectors shipped for an encoder; None where there are none."""
    file = resources.files("cytat.answering").joinpath(anchors_file(weights))
    if not file.is_file():
        return None
    with np.load(BytesIO(file.read_bytes())) as held:
        vectors = {name: held[name].astype(np.float32) for name in held.files}
    languages = _texts()
    return _anchors(
        {language: vectors[f"sentences-{language}"] for language in languages},
        {language: vectors[f"questions-{language}"] for language in languages},
    )


def _texts() -> dict[str, dict[str, list[str]]]:
    text = resources.files("cytat.answering").joinpath("anchors.json").read_text("utf-8")
    read: dict[str, dict[str, list[str]]] = json.loads(text)
    return read


def _anchors(sentences: dict[str, Vectors], questions: dict[str, Vectors]) -> Anchors:
    return Anchors(_with_all(sentences), _with_all(questions))


def _with_all(vectors: dict[str, Vectors]) -> dict[str | None, Vectors]:
    kept: dict[str | None, Vectors] = dict(vectors.items())
    kept[None] = np.concatenate(list(vectors.values()))
    return kept


def _of(vectors: dict[str | None, Vectors], language: str | None) -> Vectors:
    return vectors.get(language, vectors[None])


def _highest(cosines: Vectors) -> float:
    return float(np.mean(np.sort(cosines)[-NEAREST_ANCHORS:]))
