"""Margins of questions -> a threshold and its errors, worked out by hand."""

import math
from collections.abc import Sequence

import pytest

from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import Calibrated, GateCase, calibrate
from cytat.evaluation.refitting import confidence_of, refit
from cytat.records import GateErrors, GateWeights

SHIPPED = GateWeights(0.0, {"nearness": 1.0, "shared": 0.0})


def cases_of(
    right: Sequence[float | None],
    wrong: Sequence[float | None],
    *,
    groups: Sequence[str | None] = (),
    answered: bool = True,
) -> list[GateCase]:
    """Return questions with these margins; None: let through by a rule, or refused by one."""

    def case(at: int, margin: float | None, *, is_answerable: bool) -> GateCase:
        group = None if is_answerable or not groups else groups[at]
        name = f"{'right' if is_answerable else 'wrong'}-{at:03}"
        return GateCase(name, group, is_answerable, answered, margin, None)

    return [
        *(case(at, margin, is_answerable=True) for at, margin in enumerate(right)),
        *(case(at, margin, is_answerable=False) for at, margin in enumerate(wrong)),
    ]


def calibrated(cases: Sequence[GateCase], cost: float = 1.0) -> Calibrated:
    return calibrate(cases, bluff_cost=cost, shipped=SHIPPED)


def counts(errors: GateErrors) -> tuple[int, int]:
    return errors.lost.wrong, errors.bluffs.wrong


def test_the_threshold_stands_midway_between_what_it_tells_apart() -> None:
    made = calibrated(cases_of([2.0] * 10, [1.0] * 10))
    assert made.gate.stricter == 1.5
    assert counts(made.shipped) == (0, 10)
    assert counts(made.chosen) == counts(made.held_out) == (0, 0)


def test_the_shipped_threshold_stays_where_another_would_be_no_better() -> None:
    made = calibrated(cases_of([2.0] * 10, [-1.0] * 10))
    assert made.gate.stricter == 0.0


def test_of_two_stretches_that_cost_the_same_the_one_nearer_to_the_shipped_is_taken() -> None:
    # Above 3: the right one at 2 is lost. Between 1 and 2: the wrong one at 3 is a bluff.
    made = calibrated(cases_of([2.0, *[4.0] * 9], [3.0, *[1.0] * 9]))
    assert made.gate.stricter == 1.5


# Right at 0.5 (four) and 2 (six), wrong at 1 (two) and -1 (eight): passing all above 0 bluffs
# two; passing only the 2s loses four.
OVERLAPPING = cases_of([*[0.5] * 4, *[2.0] * 6], [*[1.0] * 2, *[-1.0] * 8])


@pytest.mark.parametrize(
    ("cost", "stricter", "lost", "bluffs"), [(1.0, 0.0, 0, 2), (1.9, 0.0, 0, 2), (2.1, 1.5, 4, 0)]
)
def test_a_bluff_that_costs_more_lost_answers_makes_the_gate_stricter(
    cost: float, stricter: float, lost: int, bluffs: int
) -> None:
    made = calibrated(OVERLAPPING, cost)
    assert made.gate.stricter == stricter
    assert counts(made.chosen) == (lost, bluffs)


def test_where_everything_should_be_refused_the_threshold_stands_beyond_the_last_margin() -> None:
    made = calibrated(cases_of([-3.0] * 10, [1.0] * 10), cost=100)
    assert made.gate.stricter == 1.5
    lenient = calibrated(cases_of([-3.0] * 10, [None] * 10))
    assert lenient.gate.stricter == -3.5


def test_what_a_rule_decides_counts_as_an_error_and_moves_no_threshold() -> None:
    through = cases_of([2.0] * 10, [*[1.0] * 9, None])
    refused = [
        *cases_of([2.0] * 9, []),
        GateCase("refused", None, is_answerable=True, is_answered=False, margin=9, signals=None),
    ]
    made = calibrated([*refused, *[one for one in through if not one.is_answerable]])
    assert made.gate.stricter == 1.5
    assert counts(made.chosen) == (1, 1)
    assert any(note.startswith("2 questions come out alike") for note in made.notes)


def test_held_out_is_decided_without_the_question_itself() -> None:
    # Known, the wrong one at 0.9 puts the threshold above itself; unknown, it passes the shipped.
    made = calibrated(cases_of([1.0] * 10, [0.9, *[-5.0] * 9]))
    assert made.gate.stricter == 0.95
    assert counts(made.chosen) == (0, 0)
    assert counts(made.held_out) == (0, 1)


def test_groups_of_unanswerable_questions_are_shown_apart() -> None:
    groups = ["near"] * 4 + ["far"] * 6
    made = calibrated(cases_of([2.0] * 10, [*[3.0] * 2, *[-1.0] * 8], groups=groups))
    assert [(one.name, one.wrong, one.among) for one in made.shipped.groups] == [
        ("far", 0, 6),
        ("near", 2, 4),
    ]
    assert not any("`group`" in note for note in made.notes)
    assert any("`group`" in note for note in calibrated(cases_of([2.0] * 10, [0.0] * 10)).notes)


def test_thirty_refused_questions_promise_no_more_than_eleven_in_a_hundred_bluffs() -> None:
    made = calibrated(cases_of([2.0] * 30, [-2.0] * 30))
    assert made.held_out.bluffs.high == pytest.approx(0.1135, abs=1e-4)
    assert "0 of 30 unanswerable questions" in made.notes[0]
    assert "as high as 11%" in made.notes[0]
    assert "do not differ significantly" in made.notes[1]


def test_a_cost_that_chance_does_not_explain_is_said_to_be_lower() -> None:
    made = calibrated(cases_of([3.0] * 10, [1.0] * 10))
    assert made.notes[1] == (
        "Held out, the calibrated gate costs 0 lost answers and the shipped one 10: more than "
        "chance explains, the calibrated one is better."
    )


def test_a_bluff_counts_as_many_lost_answers_as_it_costs() -> None:
    right = [0.1 + at / 100 for at in range(20)]
    made = calibrated(cases_of(right, [*[0.35] * 5, *[-1.0] * 5]), cost=10)
    assert counts(made.shipped) == (0, 5)
    assert counts(made.held_out) == (20, 0)
    assert "costs 20 lost answers and the shipped one 50" in made.notes[1]


def test_the_sweep_steps_over_all_margins_and_holds_the_threshold_that_was_chosen() -> None:
    made = calibrated(cases_of([1.0] * 10, [0.25] * 10))
    places = [step.stricter for step in made.sweep]
    assert places == [0.0, 0.25, 0.5, 0.625, 0.75, 1.0, 1.25]
    assert [counts(step.errors) for step in made.sweep] == [
        (0, 10), (0, 10), (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    ]  # fmt: skip


def test_the_order_of_the_questions_changes_nothing() -> None:
    assert calibrated(OVERLAPPING[::-1]) == calibrated(OVERLAPPING)


@pytest.mark.parametrize(
    ("right", "wrong", "said"), [(10, 0, "no unanswerable"), (10, 9, "9 unan"), (3, 10, "3 answ")]
)
def test_too_few_questions_of_a_kind_are_refused(right: int, wrong: int, said: str) -> None:
    with pytest.raises(GoldSetError, match=said):
        calibrated(cases_of([1.0] * right, [-1.0] * wrong))


@pytest.mark.parametrize("cost", [0.0, -1.0, 1e308, math.inf, math.nan])
def test_a_bluff_costs_a_number_above_zero_and_no_absurd_one(cost: float) -> None:
    with pytest.raises(UsageError, match="cannot cost"):
        calibrated(OVERLAPPING, cost)


# ---------------------------------------------------------------- weights and confidence


def with_signals(count: int) -> list[GateCase]:
    """Return questions that the shipped weights cannot tell apart and `shared` can."""
    return [
        GateCase(
            f"{at:03}-{is_answerable}",
            None,
            is_answerable,
            is_answered=True,
            margin=0.1,
            signals={"nearness": 0.1, "shared": (at % 10) / 10 + is_answerable},
        )
        for at in range(count)
        for is_answerable in (True, False)
    ]


def test_many_questions_fit_the_weights_again_and_few_do_not() -> None:
    few, many = calibrated(with_signals(40)), calibrated(with_signals(80))
    assert few.gate.refitted is None
    assert counts(few.held_out)[0] + counts(few.held_out)[1] == 40
    assert many.gate.refitted is not None
    assert many.gate.refitted.of["shared"] > 1
    assert many.gate.refitted.of["nearness"] == 1.0, "it is the same in all: nothing pulls at it"
    assert counts(many.held_out) == (0, 0)


def test_weights_that_tell_held_out_questions_apart_no_better_are_not_taken() -> None:
    same = [
        GateCase(str(at), None, at % 2 == 0, is_answered=True, margin=1.0 if at % 2 == 0 else -1.0,
                 signals={"nearness": 1.0 if at % 2 == 0 else -1.0, "shared": (at // 2) % 5 / 5})
        for at in range(200)
    ]  # fmt: skip
    hold = refit([(one.signals or {}, one.is_answerable) for one in same], SHIPPED)
    assert abs(hold.of["shared"]) < 0.2
    assert calibrated(same).gate.stricter == 0.0


def test_confidence_of_margins_that_lie_evenly_about_nought_is_even_at_nought() -> None:
    slope, offset = confidence_of([(1.0, True), (2.0, True), (-1.0, False), (-2.0, False)])
    assert offset == pytest.approx(0.0, abs=1e-4)
    assert slope > 0


def test_confidence_of_margins_that_speak_against_answers_is_the_share_of_answers() -> None:
    backwards = [(-5.0, True)] * 30 + [(5.0, False)] * 10
    slope, offset = confidence_of(backwards)
    assert slope == 0.0
    assert offset == pytest.approx(math.log(31 / 11), abs=1e-4)


def test_no_question_at_all_gives_an_even_chance() -> None:
    assert confidence_of([]) == (0.0, 0.0)
