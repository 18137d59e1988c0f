"""The synthetic corpus has the form it is said to have, and its exact answers are right."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.exact import Exact, overlap
from benchmarks.synthetic import (
    CHUNKS_A_DOCUMENT,
    DIMENSIONS,
    FUNCTION_WORDS,
    Asked,
    Slab,
    group_of,
    questions,
    slabs,
    terms_looked_for,
    words_by_id,
    write_slab,
)
from tests.stores import Store

from cytat.analysis import analyse_question, terms_in_order


@pytest.fixture(scope="module")
def slab() -> Slab:
    return next(slabs(400))


def test_a_smaller_size_is_the_beginning_of_a_larger(slab: Slab) -> None:
    larger = next(slabs(1_000))
    assert larger.texts()[:400] == slab.texts()
    assert np.array_equal(larger.vectors[:400], slab.vectors)


def test_chunks_have_about_110_words_two_fifths_of_them_function_words(slab: Slab) -> None:
    words = [word for text in slab.texts() for word in text.split()]
    assert len(words) / 400 == pytest.approx(110, abs=3)
    share = sum(word in FUNCTION_WORDS for word in words) / len(words)
    assert share == pytest.approx(0.4, abs=0.02)


def test_words_are_terms_of_their_own(slab: Slab) -> None:
    for text in slab.texts()[:40]:
        assert terms_in_order(text, None) == text.split()


def test_vectors_have_length_one_and_lie_together(slab: Slab) -> None:
    assert np.allclose(np.linalg.norm(slab.vectors, axis=1), 1, atol=1e-5)
    cosines = slab.vectors[:200] @ slab.vectors[200:].T
    assert float(cosines.mean()) == pytest.approx(0.775, abs=0.01)


def test_questions_have_six_to_eleven_words_and_ask_for_the_rare_ones() -> None:
    for asked in questions(400, 50):
        words = asked.text.removesuffix("?").split()
        assert 6 <= len(words) <= 11
        assert set(asked.terms) <= set(words) - set(FUNCTION_WORDS)
        assert 4 <= len(asked.terms) <= 7


def test_function_words_are_not_looked_for() -> None:
    word = words_by_id()[len(FUNCTION_WORDS)]
    assert terms_looked_for(f"which of the {word}?") == (word,)


def asked(*terms: str) -> Asked:
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    vector[0] = 1
    return Asked(" ".join(terms), terms, vector, 0)


def test_the_exact_ranking_is_that_of_the_formula() -> None:
    # Three chunks of 2, 4 and 2 words. w stands in two: log(1 + 1.5 / 2.5) = 0.470; in the first
    # once of 2 words, weight 2.2 / (1 + 1.2 * 0.8125) = 1.114; in the second twice of 4,
    # 4.4 / (2 + 1.2 * 1.375) = 1.205. The second is first; the third has no w and is no answer.
    w, x, y = (np.int32(len(FUNCTION_WORDS) + at) for at in range(3))
    words = [np.array(ids, dtype=np.int32) for ids in ([w, x], [w, w, x, x], [x, y])]
    vectors = np.zeros((3, DIMENSIONS), dtype=np.float32)
    vectors[:, 0] = [0.1, 0.3, 0.2]
    exact = Exact(vectors)
    exact.add(Slab(0, words, vectors))
    exact.finish()
    assert exact.by_words(asked(words_by_id()[w])) == [1, 0]
    assert exact.nearest(asked()) == [1, 2, 0]


def test_an_exact_list_within_a_group_holds_its_documents_alone(slab: Slab) -> None:
    exact = Exact(slab.vectors)
    found = exact.nearest_in_group(asked())
    assert len(found) == 10
    assert {group_of(chunk) for chunk in found} == {0}
    assert all(chunk < CHUNKS_A_DOCUMENT for chunk in found)


def test_overlap_is_the_share_of_the_exact_that_was_found() -> None:
    assert overlap([1, 2, 9], [1, 2, 3, 4]) == 0.5


def test_cytat_finds_the_exact_ten_by_words(slab: Slab, tmp_path: Path) -> None:
    exact = Exact(slab.vectors)
    exact.add(slab)
    exact.finish()
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        ids = write_slab(store, slab, slab.texts())
        shares = []
        with store.moment() as moment:
            for one in questions(400, 20):
                query = analyse_question(one.text, languages=())
                found = moment.by_words(query, depth=10, allowed=None).scored
                numbers = [ids.index(hit.chunk_id) for hit in found.hits]
                shares.append(overlap(numbers, exact.by_words(one)))
    assert min(shares) >= 0.9  # a tie may go either way
