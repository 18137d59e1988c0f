"""Metrics of one ranking, with values worked out by hand, and against two public evaluators."""

import math

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from cytat.metrics import (
    distinct,
    hit_at,
    mean_of,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
)


def test_a_document_ranked_twice_counts_once() -> None:
    ranked, grades = ["d1", "d1", "d2"], {"d1": 1, "d3": 1}
    assert recall_at(ranked, grades, depth=3) == 0.5
    assert precision_at(ranked, grades, depth=3) == pytest.approx(1 / 3)
    assert reciprocal_rank(ranked, grades) == 1.0
    assert ndcg_at(ranked, grades, depth=3) == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert ndcg_at(ranked, grades, depth=3) == pytest.approx(0.6131, abs=5e-5)


def test_ndcg_of_the_only_relevant_document_at_rank_two_is_one_over_log2_three() -> None:
    assert ndcg_at(["b", "a"], {"a": 1}, depth=5) == pytest.approx(1 / math.log2(3))


def test_a_grade_of_two_gains_three_times_a_grade_of_one() -> None:
    best = 3 + 1 / math.log2(3)
    assert ndcg_at(["a", "b"], {"a": 1, "b": 2}, depth=2) == pytest.approx(
        (1 + 3 / math.log2(3)) / best
    )


def test_a_short_ranking_is_divided_by_the_depth_all_the_same() -> None:
    assert precision_at(["a"], {"a": 1}, depth=5) == 0.2


def test_what_stands_below_the_depth_is_not_found() -> None:
    assert hit_at(["x", "y", "a"], {"a": 1}, depth=2) == 0
    assert recall_at(["x", "y", "a"], {"a": 1}, depth=3) == 1
    assert reciprocal_rank(["x", "y"], {"a": 1}) == 0


def test_a_question_without_a_relevant_document_is_an_error_and_no_zero() -> None:
    for grades in ({}, {"a": 0}):
        with pytest.raises(ValueError, match="no id is relevant"):
            recall_at(["a"], grades, depth=1)


def test_what_was_not_measured_spoils_no_mean() -> None:
    mean = mean_of([0.8, math.nan, 0.6])
    assert mean.value == pytest.approx(0.7)
    assert (mean.n, mean.not_measured) == (2, 1)
    assert mean_of([None, math.nan]).value is None


rankings = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=10, unique=True)
judgments = st.dictionaries(st.sampled_from("abcdefghijkl"), st.integers(0, 3), min_size=1).filter(
    lambda grades: any(grades.values())
)


@given(ranked=rankings, grades=judgments)
def test_metrics_are_those_of_trec_eval(ranked: list[str], grades: dict[str, int]) -> None:
    gains = {one: 2**grade - 1 for one, grade in grades.items()}
    measures = {"recall.5", "P.5", "ndcg_cut.5", "recip_rank", "success.5"}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": gains}, measures)
    theirs = evaluator.evaluate({"q": {one: 100.0 - at for at, one in enumerate(ranked)}})["q"]
    assert recall_at(ranked, grades, depth=5) == pytest.approx(theirs["recall_5"], abs=1e-9)
    assert precision_at(ranked, grades, depth=5) == pytest.approx(theirs["P_5"], abs=1e-9)
    assert ndcg_at(ranked, grades, depth=5) == pytest.approx(theirs["ndcg_cut_5"], abs=1e-9)
    assert reciprocal_rank(ranked, grades) == pytest.approx(theirs["recip_rank"], abs=1e-9)
    assert hit_at(ranked, grades, depth=5) == theirs["success_5"]


@given(ranked=st.lists(st.sampled_from("abcde"), max_size=20), grades=judgments)
def test_no_metric_leaves_the_range_of_zero_to_one(
    ranked: list[str], grades: dict[str, int]
) -> None:
    for metric in (recall_at, precision_at, hit_at, ndcg_at):
        for depth in (1, 3, 50):
            assert 0 <= metric(ranked, grades, depth=depth) <= 1 + 1e-12
    assert len(distinct(ranked)) == len(set(ranked))


def test_a_grade_below_zero_gains_nothing_and_costs_nothing() -> None:
    grades = {"right": 1, "spam": -2}
    # DCG = 0 + 1 / log2(3); the best order has 1.
    assert ndcg_at(["spam", "right"], grades, depth=5) == pytest.approx(1 / math.log2(3))
