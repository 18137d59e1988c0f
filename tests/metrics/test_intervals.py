"""Intervals and tests: published values, and scipy's for the rest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cytat import metrics
from cytat.metrics import auc, bootstrap_mean, holm, interval_of, sign_test, wilson


@given(data=st.data(), trials=st.integers(1, 400))
def test_wilson_is_that_of_scipy(data: st.DataObject, trials: int) -> None:
    successes = data.draw(st.integers(0, trials))
    theirs = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    ours = wilson(successes, trials)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_of_no_trials_nothing_is_known() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_more_successes_than_trials_are_no_share() -> None:
    with pytest.raises(ValueError, match="not a share"):
        wilson(3, 2)


@given(better=st.integers(0, 60), worse=st.integers(0, 60), equal=st.integers(0, 5))
def test_the_sign_test_is_the_exact_binomial_test_of_scipy(
    better: int, worse: int, equal: int
) -> None:
    pairs = [(0.0, 1.0)] * better + [(1.0, 0.0)] * worse + [(0.5, 0.5)] * equal
    ours = sign_test(pairs)
    assert (ours.better, ours.worse, ours.equal) == (better, worse, equal)
    if better + worse:
        theirs = stats.binomtest(better, better + worse, 0.5).pvalue
        assert ours.p == pytest.approx(theirs, abs=1e-12)
    else:
        assert ours.p == 1


def test_eighteen_better_and_three_worse_is_no_chance() -> None:
    # 2 * (1 + 21 + 210 + 1330) / 2^21
    assert sign_test([(0, 1)] * 18 + [(1, 0)] * 3).p == pytest.approx(0.00149, abs=5e-6)


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_bootstrap_is_seeded_and_lies_around_the_mean() -> None:
    values = list(np.linspace(0, 1, 50) ** 2)
    one, two = bootstrap_mean(values), bootstrap_mean(values)
    assert one == two
    assert one.low < float(np.mean(values)) < one.high


def test_another_seed_moves_the_ends_by_less_than_a_twentieth_of_the_width() -> None:
    values = list(np.linspace(0, 1, 50) ** 2)
    one, two = bootstrap_mean(values, seed=1), bootstrap_mean(values, seed=2)
    width = one.high - one.low
    assert abs(one.low - two.low) < width / 20
    assert abs(one.high - two.high) < width / 20


def test_rates_have_the_interval_of_rates() -> None:
    assert interval_of([0, 1, 1]).method == "wilson"
    assert interval_of([0, 0.5, 1]).method == "bootstrap"


@given(
    right=st.lists(st.integers(0, 5), min_size=1, max_size=12),
    wrong=st.lists(st.integers(0, 5), min_size=1, max_size=12),
)
def test_the_area_is_the_share_of_pairs_in_order(right: list[int], wrong: list[int]) -> None:
    pairs = [(one > two) + 0.5 * (one == two) for one in right for two in wrong]
    assert auc(right, wrong) == pytest.approx(sum(pairs) / len(pairs))


def test_how_many_values_are_drawn_at_once_changes_no_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = [(7 * at % 11) / 10 for at in range(39)]
    at_once = bootstrap_mean(values)
    monkeypatch.setattr(metrics, "DRAWN_AT_ONCE", 100)
    assert bootstrap_mean(values) == at_once
