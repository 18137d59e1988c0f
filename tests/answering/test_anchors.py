"""How near a sentence is, above what it and the question reach with anything."""

import numpy as np
import pytest

from cytat.answering.anchors import Anchors, anchors_of, nearness
from cytat.testing.embedders import FakeEmbedder


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_nearness_is_twice_the_cosine_less_what_both_reach_anyway() -> None:
    question, sentence = unit(1, 0), unit(0.6, 0.8)
    anchors = Anchors(
        sentences={"pl": np.array([unit(0.8, 0.6), unit(0, 1)]), None: np.array([unit(0, 1)])},
        questions={"pl": np.array([unit(0, 1)]), None: np.array([unit(0, 1)])},
    )
    (found,) = nearness(
        question, np.array([sentence]), question_language="pl", sentence_languages=["pl"],
        anchors=anchors,
    )  # fmt: skip
    # cos(q, s) = 0.6; q reaches (0.8 + 0) / 2 with anchor sentences, s reaches 0.8 with a question
    assert found == pytest.approx(2 * 0.6 - 0.4 - 0.8, abs=1e-6)


def test_a_sentence_in_a_language_without_anchors_is_compared_with_all() -> None:
    everything = np.array([unit(0, 1)])
    anchors = Anchors(
        sentences={"pl": np.array([unit(1, 0)]), None: everything},
        questions={"pl": everything, None: everything},
    )
    own, other = nearness(
        unit(1, 0), np.array([unit(1, 0), unit(1, 0)]), question_language="pl",
        sentence_languages=["pl", "fi"], anchors=anchors,
    )  # fmt: skip
    assert own == pytest.approx(2 - 1 - 0)
    assert other == pytest.approx(2 - 0 - 0)


def test_the_anchors_are_embedded_once_for_each_embedder() -> None:
    embedder = FakeEmbedder()
    assert anchors_of(embedder) is anchors_of(embedder)
    assert set(anchors_of(embedder).sentences) == {"pl", "en", None}
