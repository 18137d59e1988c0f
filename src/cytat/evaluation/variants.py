"""A baseline + what is tried on each axis -> the setups to be measured, and their costs. Pure.

One axis at a time by default: what a figure then shows has one cause. As a grid, everything is
tried with everything.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cytat.chunking import parse_chunker_name
from cytat.errors import UsageError
from cytat.records import Setup, SweepAxes
from cytat.text.identity import passage_text


@dataclass(frozen=True, slots=True)
class PassageParts:
    """What is embedded of a chunk."""

    title: str
    heading_path: tuple[str, ...]
    context: str
    words: str


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Passages, their tokens, those of heading paths, and how many exceed the window."""

    chunks: int
    tokens: int
    heading_tokens: int
    past_window: int


def count_passages(
    passages: Iterable[PassageParts], *, token_ends: Callable[[str], Sequence[int]], window: int
) -> PassageCounts:
    """Return what passages hold; `window` is how many tokens of one the encoder sees.

    What a heading path costs is the head of its passage less that of a title alone.
    """
    costs: dict[tuple[str, tuple[str, ...]], int] = {}
    chunks = tokens = heading_tokens = past_window = 0
    for one in passages:
        head = (one.title, one.heading_path)
        if head not in costs:
            with_path = passage_text(one.title, one.heading_path, "", "")
            alone = passage_text(one.title, (), "", "")
            costs[head] = len(token_ends(with_path)) - len(token_ends(alone))
        count = len(token_ends(passage_text(*head, one.context, one.words)))
        chunks, tokens = chunks + 1, tokens + count
        heading_tokens += costs[head]
        past_window += count > window
    return PassageCounts(chunks, tokens, heading_tokens, past_window)


BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class NamedSetup:
    """A setup with what it is called, and the axes on which it differs from the baseline."""

    name: str
    differs: tuple[str, ...]
    setup: Setup


def setups(baseline: Setup, axes: SweepAxes, *, is_grid: bool) -> list[NamedSetup]:
    """Return the baseline and every other setup once, in the order of the axes.

    Raises:
        UsageError: a budget is to be given to a chunking that says its own.
    """
    found = [NamedSetup(BASELINE, (), baseline)]
    for one in _grid(baseline, axes) if is_grid else _one_by_one(baseline, axes):
        if one.differs and one.setup not in {known.setup for known in found}:
            found.append(one)
    return found


def _one_by_one(baseline: Setup, axes: SweepAxes) -> Iterator[NamedSetup]:
    for name in axes.chunking:
        yield NamedSetup(name, ("chunking",), replace(baseline, chunking=name))
    for tokens in axes.budget:
        name = with_budget(baseline.chunking, tokens)
        yield NamedSetup(name, ("budget",), replace(baseline, chunking=name))
    for name in axes.embedder:
        yield NamedSetup(name, ("embedder",), replace(baseline, embedder=name))
    for name in axes.mode:
        yield NamedSetup(name, ("mode",), replace(baseline, mode=name))
    for name in axes.fusion:
        yield NamedSetup(name, ("fusion",), replace(baseline, fusion=name))


def _grid(baseline: Setup, axes: SweepAxes) -> Iterator[NamedSetup]:
    _check_budgets(axes)
    for chunking, tokens, embedder, mode, fusion in itertools.product(
        axes.chunking or (baseline.chunking,),
        axes.budget or (None,),
        axes.embedder or (baseline.embedder,),
        axes.mode or (baseline.mode,),
        axes.fusion or (baseline.fusion,),
    ):
        cut = chunking if tokens is None else with_budget(chunking, tokens)
        setup = Setup(cut, embedder, mode, fusion)
        differs = [axis for axis in _AXES if getattr(setup, axis) != getattr(baseline, axis)]
        name = " · ".join(getattr(setup, axis) for axis in differs)
        yield NamedSetup(name, tuple(differs), setup)


_AXES = ("chunking", "embedder", "mode", "fusion")


def with_budget(chunking: str, tokens: int) -> str:
    """Return a chunking with another number of tokens."""
    return replace(parse_chunker_name(chunking), tokens=tokens).text


def _check_budgets(axes: SweepAxes) -> None:
    for name in axes.chunking if axes.budget else ():
        if parse_chunker_name(name).tokens is not None:
            raise UsageError(
                f"{name} says its own budget",
                hint=f"leave it out of the name, as in {name.partition(':')[0]}, or give no budget",
            )
