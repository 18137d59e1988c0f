"""Kappa against the tables of its paper's kind, worked out by hand."""

import pytest

from cytat.metrics import kappa, kappa_interval


def pairs(both: int, first: int, second: int, neither: int) -> list[tuple[bool, bool]]:
    return (
        [(True, True)] * both
        + [(True, False)] * first
        + [(False, True)] * second
        + [(False, False)] * neither
    )


def test_kappa_is_agreement_beyond_what_chance_gives() -> None:
    # 35 of 50 agree; by chance 0.5 x 0.6 + 0.5 x 0.4 = 0.5 would.
    assert kappa(pairs(20, 5, 10, 15)) == pytest.approx(0.4)
    assert kappa(pairs(5, 0, 0, 5)) == 1
    assert kappa(pairs(0, 5, 5, 0)) == -1


def test_kappa_is_not_measured_where_both_have_but_one_verdict() -> None:
    assert kappa(pairs(7, 0, 0, 0)) is None
    assert kappa([]) is None
    assert kappa_interval(pairs(0, 0, 0, 3)) is None


def test_its_interval_holds_it_narrows_with_more_pairs_and_repeats_itself() -> None:
    few, many = kappa_interval(pairs(20, 5, 10, 15)), kappa_interval(pairs(200, 50, 100, 150))
    assert few is not None
    assert many is not None
    assert few.low < many.low < 0.4 < many.high < few.high
    # The large-sample standard error is about 0.127 for 50 pairs (Fleiss, 1969).
    assert few.high - few.low == pytest.approx(2 * 1.96 * 0.127, abs=0.05)
    assert kappa_interval(pairs(20, 5, 10, 15)) == few
