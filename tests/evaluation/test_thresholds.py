"""Outcomes of a run -> both errors of the gate, wherever its threshold stood."""

import pytest

from cytat.evaluation import errors_by_threshold
from cytat.records import JudgedBy, Outcome, QuestionOutcome, Reply


def outcome(margin: float | None, *, is_answerable: bool) -> QuestionOutcome:
    """Return a question that the gate gave this margin."""
    return QuestionOutcome(
        id=f"{is_answerable}:{margin}",
        question="?",
        group=None,
        language=None,
        type=None,
        is_answerable=is_answerable,
        expected=None,
        judged_by=JudgedBy.NOTHING,
        targets=(),
        hits=(),
        reply=Reply(Outcome.NOT_JUDGED, "", None, (), (), 0, margin),
        judged=(),
        cause=None,
        scores={},
    )


def test_a_stricter_threshold_loses_more_answers_and_lets_fewer_bluffs_through() -> None:
    right = [outcome(margin, is_answerable=True) for margin in (-1.0, 1.0, 2.8)]
    wrong = [outcome(margin, is_answerable=False) for margin in (-2.8, 1.0)]
    steps = errors_by_threshold([*right, *wrong, outcome(None, is_answerable=False)])
    # From 0.2 below the least margin to 0.2 above the greatest, in 60 steps of 0.1.
    assert [round(one.stricter, 9) for one in steps[:2]] == [-3.0, -2.9]
    counts = {
        round(one.stricter, 9): (one.errors.lost.wrong, one.errors.bluffs.wrong) for one in steps
    }
    assert counts[-3.0] == (0, 2)
    assert counts[-0.5] == (1, 1)
    assert counts[1.5] == (2, 0)
    assert counts[3.0] == (3, 0)
    assert {one.errors.bluffs.among for one in steps} == {2}


def test_the_ends_of_the_interval_are_wilsons() -> None:
    both = [outcome(0.0, is_answerable=True), outcome(1.0, is_answerable=False)]
    first = errors_by_threshold(both)[0].errors
    # None of one question lost: from 0 to z² / (1 + z²), z = 1.96.
    assert first.lost.low == 0.0
    assert first.lost.high == pytest.approx(0.79346, abs=1e-5)


@pytest.mark.parametrize("is_answerable", [True, False])
def test_questions_of_one_kind_have_nothing_to_be_weighed_against(*, is_answerable: bool) -> None:
    assert errors_by_threshold([outcome(1.0, is_answerable=is_answerable)]) == ()
