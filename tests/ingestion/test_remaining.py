"""The time that is left, with a clock that the test turns."""

import random

import pytest

from cytat.ingestion.progress import TOLD_AFTER_S, Remaining


class Clock:
    """A clock that stands until it is turned."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_nothing_is_told_before_anything_is_measured(clock: Clock) -> None:
    remaining = Remaining(size=1000, clock=clock)
    assert remaining.seconds() is None
    clock.now += 100
    assert remaining.seconds() is None
    remaining.read(100)
    remaining.asked_for(50)
    assert remaining.seconds() is None  # nothing is encoded yet
    assert remaining.share_done() == 0


def test_the_rest_takes_what_the_encoder_needs_for_the_characters_to_come(clock: Clock) -> None:
    remaining = Remaining(size=1000, clock=clock)
    remaining.read(100)
    remaining.asked_for(50)
    clock.now += 10
    remaining.encoded(25)
    # 1000 bytes ask for 500 characters; 25 took 10 s, so the other 475 take 190 s.
    assert remaining.seconds() == pytest.approx(190)
    assert remaining.share_done() == pytest.approx(10 / 200)


def test_a_folder_of_which_all_is_known_already_takes_what_reading_takes(clock: Clock) -> None:
    remaining = Remaining(size=1000, clock=clock)
    clock.now += 5
    remaining.read(250)
    assert remaining.seconds() == pytest.approx(15)


def test_a_rate_measured_on_too_little_is_not_told(clock: Clock) -> None:
    remaining = Remaining(size=100_000, clock=clock)
    remaining.read(1000)
    remaining.asked_for(1000)
    clock.now += TOLD_AFTER_S + 1
    remaining.encoded(1999)  # of 100,000 characters: under two in a hundred
    assert remaining.seconds() is None
    remaining.encoded(2000)
    assert remaining.seconds() is not None


def test_time_passes_between_two_signs_of_life(clock: Clock) -> None:
    remaining = Remaining(size=100, clock=clock)
    remaining.read(100)
    remaining.asked_for(100)
    clock.now += 10
    remaining.encoded(10)
    assert remaining.seconds() == pytest.approx(90)
    clock.now += 7
    assert remaining.seconds() == pytest.approx(83)
    clock.now += 1000
    assert remaining.seconds() == 0  # late, and never below nothing


def test_what_is_told_moves_slowly_however_the_encoder_staggers(clock: Clock) -> None:
    dice = random.Random(5)  # noqa: S311 - staggering, not secrets
    remaining = Remaining(size=3000, clock=clock)
    remaining.read(3000)
    remaining.asked_for(3000)
    done, before = 0, None
    while done < 3000:
        clock.now += 1
        if dice.random() < 0.5:  # now nothing, now a batch four times as large
            done = min(done + dice.choice((5, 10, 20)), 3000)
            remaining.encoded(done)
        told = remaining.seconds()
        if told is not None and before is not None:
            # A second has passed; a tenth of the difference to what is measured may be added.
            assert abs(told - (before - 1)) < 0.1 * max(before, 30)
        before = told if told is not None else before
    assert before == pytest.approx(0, abs=15)


def test_files_that_grow_while_they_are_read_leave_nothing_below_zero(clock: Clock) -> None:
    remaining = Remaining(size=10, clock=clock)
    clock.now += 5
    remaining.read(1000)
    assert remaining.seconds() == 0
    assert remaining.share_done() == 1
