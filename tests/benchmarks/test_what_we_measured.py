"""The page on what was measured is that of its files; its statistics are those worked by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.blind_cutting import blind_pieces
from benchmarks.compare import results_here
from benchmarks.findings import DEFAULT, Runs, corrected, setup, share, told
from benchmarks.kept_runs import Found, KeptRun, Price, read_runs, write_run
from benchmarks.needles_refusal import Row
from benchmarks.refusing import at, cosine, fewest_lost_at, gate, held_out
from benchmarks.what_we_measured import PAGE, page

from cytat.records import EQUAL, Span


def found(rank: int | None, group: str = "en-user") -> Found:
    return Found(group, rank, is_destroyed=False, ndcg=None)


def run(*ranks: int | None, mode: str = "hybrid") -> KeptRun:
    questions = {f"en-{at:02d}-user": found(rank) for at, rank in enumerate(ranks, start=1)}
    fusion = DEFAULT[3] if mode == "hybrid" else "none"
    return KeptRun(
        "needles", DEFAULT[0], DEFAULT[1], mode, fusion, 50, 18, Price(9, 900, 90), questions
    )


def test_the_page_is_made_of_the_runs() -> None:
    made = page(read_runs(), results_here())
    assert made == PAGE.read_text("utf-8"), "run python -m benchmarks.what_we_measured"


def test_a_run_that_is_kept_is_read_again_as_it_was(tmp_path: Path) -> None:
    one = run(1, None, 7)
    write_run(one, tmp_path)
    assert list(read_runs(tmp_path)) == [one]


def test_questions_that_differ_are_counted_and_six_of_six_are_told_apart() -> None:
    before = run(6, 9, 7, None, 8, 20, 1, 2, mode="words")
    after = run(1, 2, 5, 3, 4, 5, 1, 3)
    runs = Runs([before, after])
    (one,) = corrected([runs.compare("needles", setup(mode="words"), setup(), "found@5")])
    assert (one.metric.better, one.metric.worse) == (6, 0)
    assert one.metric.p == pytest.approx(2 / 2**6)
    assert one.metric.verdict == "better"
    assert one.cells[0].startswith("0.25 [")
    assert one.cells[2] == "+6 / −0"


def test_two_tests_of_one_question_are_corrected_for_being_two() -> None:
    runs = Runs([run(6, 9, 7, None, 8, 20, mode="words"), run(1, 2, 5, 3, 4, 5)])
    first = runs.compare("needles", setup(mode="words"), setup(), "found@5")
    (one, other) = corrected([first, first])
    assert one.metric.p_corrected == pytest.approx(2 * 2 / 2**6)
    assert one.metric.verdict == other.metric.verdict == EQUAL
    assert told([one, other], what="Both are", shown=str) == (
        "In none of the 2 rows can the two be told apart."
    )


def test_a_share_has_wilsons_interval() -> None:
    assert share(4, 32) == "4 of 32: 0.12 [0.05, 0.28]"


def test_blind_pieces_share_characters_and_cover_the_text() -> None:
    assert list(blind_pieces(10, 4, 1)) == [Span(0, 4), Span(3, 7), Span(6, 10)]
    assert list(blind_pieces(9, 4, 0)) == [Span(0, 4), Span(4, 8), Span(8, 9)]
    assert list(blind_pieces(3, 4, 0)) == [Span(0, 3)]


# ---------------------------------------------------------------- refusing


def row(number: int, *, answerable: bool, value: float) -> Row:
    name, group = ("en", "en-user") if answerable else ("near", "refuse-near")
    return Row(f"{name}-{number:02d}", group, answerable, value, value, answers_open=True)


def test_a_threshold_answers_what_lies_above_it() -> None:
    rows = [row(at, answerable=True, value=0.5 + at / 10) for at in range(4)]
    rows += [row(at, answerable=False, value=0.3 + at / 10) for at in range(4)]
    errors = at(rows, cosine, 0.55)
    assert errors.user == (1, 4)
    assert errors.near == (1, 4)
    assert errors.lost == (1, 4)
    assert errors.far == (0, 0)


def test_a_threshold_is_chosen_without_the_questions_it_decides() -> None:
    rows = [row(at, answerable=True, value=0.8) for at in range(1, 5)]
    rows += [row(at, answerable=False, value=0.2) for at in range(1, 5)]
    # The question of fold 0 is alone in it: the rest asks for a threshold of 0.5, which bluffs.
    rows.append(row(5, answerable=False, value=0.6))
    assert held_out(rows, cosine, bluff_cost=1.0).near == (1, 5)
    assert fewest_lost_at(rows, cosine, most_bluffs=0.0).lost == (0, 4)


def test_a_question_that_a_rule_decides_is_moved_by_no_threshold() -> None:
    refused = replace(row(1, answerable=False, value=0.0), margin=None, answers_open=False)
    answered = replace(row(2, answerable=False, value=0.0), margin=None)
    silent = replace(row(3, answerable=True, value=9.0), answers_open=False)
    assert at([refused, answered], gate, -40.0).near == (1, 2)
    assert at([refused, answered], gate, 40.0).near == (1, 2)
    assert at([silent], gate, -40.0).user == (1, 1)
