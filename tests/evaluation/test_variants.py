"""Axes -> setups: one at a time, or everything with everything."""

import pytest

from cytat.errors import UsageError
from cytat.evaluation.sweeps.setups import setups
from cytat.records import Setup, SweepAxes

BASELINE = Setup("structure:320", "e5-small", "hybrid", "best-shares")


def axes(
    chunking: tuple[str, ...] = (),
    budget: tuple[int, ...] = (),
    embedder: tuple[str, ...] = (),
    mode: tuple[str, ...] = (),
    fusion: tuple[str, ...] = (),
) -> SweepAxes:
    return SweepAxes(chunking, budget, embedder, mode, fusion)


def test_one_axis_at_a_time_keeps_all_others_as_they_are() -> None:
    tried = axes(("fixed:256+32",), (128,), ("minilm",), ("words",), ("reciprocal-ranks",))
    found = setups(BASELINE, tried, is_grid=False)
    assert [(one.name, one.differs) for one in found] == [
        ("baseline", ()),
        ("fixed:256+32", ("chunking",)),
        ("structure:128", ("budget",)),
        ("minilm", ("embedder",)),
        ("words", ("mode",)),
        ("reciprocal-ranks", ("fusion",)),
    ]
    assert found[2].setup == Setup("structure:128", "e5-small", "hybrid", "best-shares")
    assert found[4].setup == Setup("structure:320", "e5-small", "words", "best-shares")


def test_a_grid_tries_everything_with_everything_and_names_what_differs() -> None:
    tried = axes(chunking=("structure:320", "fixed"), budget=(), mode=("hybrid", "words"))
    found = setups(BASELINE, tried, is_grid=True)
    assert [one.name for one in found] == ["baseline", "words", "fixed", "fixed · words"]
    assert found[-1].differs == ("chunking", "mode")


def test_in_a_grid_budgets_go_with_each_chunking_that_has_none() -> None:
    tried = axes(chunking=("structure", "fixed+32", "sentences"), budget=(64, 128))
    with pytest.raises(UsageError, match="unknown chunking 'fixed\\+32'"):
        setups(BASELINE, tried, is_grid=True)
    tried = axes(chunking=("structure", "sentences"), budget=(64, 128))
    assert [one.setup.chunking for one in setups(BASELINE, tried, is_grid=True)[1:]] == [
        "structure:64",
        "structure:128",
        "sentences:5:64",
        "sentences:5:128",
    ]


def test_a_chunking_that_says_its_budget_is_given_no_other() -> None:
    with pytest.raises(UsageError, match="fixed:256 says its own budget"):
        setups(BASELINE, axes(chunking=("fixed:256",), budget=(64,)), is_grid=True)


def test_what_is_named_twice_or_is_the_baseline_is_tried_once() -> None:
    tried = axes(chunking=("fixed:64", "fixed:64", "structure:320"), mode=("hybrid",))
    found = setups(BASELINE, tried, is_grid=False)
    assert [one.name for one in found] == ["baseline", "fixed:64"]
