"""The best sums found by skipping are those of adding everything up, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cytat.analysis.places import PlaceSet
from cytat.fulltext import Postings, norms_of, rarity
from cytat.fulltext.postings import NOWHERE, united
from cytat.fulltext.skipping import all_scores, best_sums, scores_at
from cytat.fulltext.words import QuestionWord

PLACES = 3_000


def word(chance: np.random.Generator, size: int, *, is_whole: bool) -> QuestionWord:
    places = np.sort(chance.choice(PLACES, size=size, replace=False)).astype(np.int32)
    counts = np.minimum(chance.geometric(0.5, size=size), 255).astype(np.uint8)
    leading = places[chance.random(size) < 0.3] if is_whole else NOWHERE.places
    return QuestionWord(Postings(places, counts), rarity(size, PLACES), leading, is_whole)


def words_of(seed: int, sizes: list[int]) -> tuple[list[QuestionWord], np.ndarray]:
    chance = np.random.default_rng(seed)
    lengths = chance.integers(1, 300, size=PLACES)
    words = [word(chance, size, is_whole=bool(chance.random() < 0.2)) for size in sizes]
    return words, norms_of(lengths, mean=float(lengths.mean()))


def best_of_all(
    words: list[QuestionWord], norms: np.ndarray, *, depth: int, allowed: PlaceSet | None
) -> tuple[list[int], list[float]]:
    """Add everything up, as if there were nothing to skip."""
    scores = all_scores(words, norms)
    may_be = np.ones(PLACES, dtype=np.bool_) if allowed is None else allowed.mask
    found = [place for place in range(PLACES) if may_be[place] and scores[place] > 0]
    ranked = sorted((scores[place] for place in found), reverse=True)
    last = ranked[depth - 1] if len(ranked) > depth else 0.0
    kept = [place for place in found if scores[place] >= last]
    return kept, [float(scores[place]) for place in kept]


# Few postings and many, so that some words alone decide and some never do.
sizes = st.lists(
    st.one_of(st.integers(1, 30), st.integers(1, 400), st.integers(1, PLACES)),
    max_size=9,
)


@settings(deadline=None, max_examples=150)
@given(
    st.integers(0, 2**32 - 1),
    sizes,
    st.sampled_from([1, 3, 10, 200, 5_000]),
    st.sampled_from([None, 0.0, 0.002, 0.1, 0.9]),
)
def test_the_best_are_those_of_the_full_sum_whatever_is_skipped(
    seed: int, sizes: list[int], depth: int, allowed_share: float | None
) -> None:
    words, norms = words_of(seed, sizes)
    allowed = None
    if allowed_share is not None:
        allowed = PlaceSet(np.random.default_rng(seed).random(PLACES) < allowed_share)
    places, scores = best_sums(
        words, norms, lowest_norm=float(norms.min()), depth=depth, allowed=allowed
    )
    expected = best_of_all(words, norms, depth=depth, allowed=allowed)
    assert (places.tolist(), scores.tolist()) == expected


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), sizes, st.sets(st.integers(0, PLACES - 1), max_size=50))
def test_scores_on_demand_are_those_of_the_full_sum(
    seed: int, sizes: list[int], wanted: set[int]
) -> None:
    words, norms = words_of(seed, sizes)
    places = np.array(sorted(wanted), dtype=np.int32)
    assert scores_at(words, norms, places).tolist() == all_scores(words, norms)[places].tolist()


def test_frequent_words_are_not_added_up_where_rare_ones_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = np.random.default_rng(7)
    rare = word(chance, 20, is_whole=False)
    frequent = QuestionWord(
        Postings(np.arange(PLACES, dtype=np.int32), np.ones(PLACES, dtype=np.uint8)),
        rarity(PLACES, PLACES),
        NOWHERE.places,
        is_whole_identifier=False,
    )
    norms = norms_of(np.full(PLACES, 100), mean=100.0)
    added: list[int] = []
    plain = QuestionWord.scores

    def counted(self: QuestionWord, all_norms: np.ndarray) -> np.ndarray:
        added.append(len(self))
        return plain(self, all_norms)

    monkeypatch.setattr(QuestionWord, "scores", counted)
    places, _ = best_sums(
        [frequent, rare], norms, lowest_norm=float(norms.min()), depth=10, allowed=None
    )
    assert added == [20]
    assert set(places.tolist()) <= set(rare.postings.places.tolist())


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 60), max_size=5),
    st.sampled_from([60, 50_000]),
)
def test_forms_of_one_word_count_once_in_the_most_frequent_form(
    seed: int, sizes: list[int], places: int
) -> None:
    chance = np.random.default_rng(seed)
    found = [
        Postings(
            np.sort(chance.choice(60, size=size, replace=False)).astype(np.int32),
            chance.integers(1, 256, size=size).astype(np.uint8),
        )
        for size in sizes
    ]
    expected: dict[int, int] = {}
    for each in found:
        for place, count in zip(each.places.tolist(), each.counts.tolist(), strict=True):
            expected[place] = max(expected.get(place, 0), count)
    together = united(found, places=places)
    assert together.places.tolist() == sorted(expected)
    assert together.counts.tolist() == [expected[place] for place in sorted(expected)]
