"""A corpus + what is tried on each axis -> the setups to be measured, each with what does its work.

One axis at a time by default: what a figure then shows has one cause. As a grid, everything is
tried with everything. All are opened before anything is done: a wrong name costs no work.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cytat.chunking import DEFAULT_CHUNKING, open_chunker, parse_chunker_name
from cytat.config import Settings
from cytat.corpus import Corpus
from cytat.corpus.models import EmbedderChoice
from cytat.errors import UsageError
from cytat.protocols import Chunker, Embedder
from cytat.records import Setup, SweepAxes
from cytat.retrieval import DEFAULT_FUSION, FusionRule, Mode, parse_fusion

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
    for setup in _grid(baseline, axes) if is_grid else _one_by_one(baseline, axes):
        if setup.differs and setup.setup not in {known.setup for known in found}:
            found.append(setup)
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


# ---------------------------------------------------------------- what does the work


ONE_BY_ONE, GRID = "one-by-one", "grid"
ARRANGEMENTS = (ONE_BY_ONE, GRID)


@dataclass(frozen=True, slots=True)
class OpenedSetup:
    """A setup with what does its work."""

    named: NamedSetup
    chunker: Chunker
    choice: EmbedderChoice
    embedder: Embedder
    fusion: FusionRule

    @property
    def index(self) -> tuple[str, str]:
        """What of it decides which chunks and vectors there are."""
        return self.chunker.name, self.embedder.weights

    @property
    def key(self) -> tuple[str, ...]:
        """What decides its rankings."""
        return (*self.index, self.named.setup.mode, self.fusion.text)


def open_setups(
    corpus: Corpus, axes: SweepAxes, *, arrangement: str
) -> tuple[list[OpenedSetup], list[str]]:
    """Return the setups to be run, the baseline first, and sentences about those that are not run.

    Raises:
        UsageError: a name is unknown, or nothing differs from the baseline.
    """
    if arrangement not in ARRANGEMENTS:
        raise UsageError(
            f"unknown arrangement {arrangement!r}", hint=f"one of: {', '.join(ARRANGEMENTS)}"
        )
    planned = setups(baseline_of(corpus), axes, is_grid=arrangement == GRID)
    choices = _Choices(corpus.settings)
    kept: dict[tuple[str, ...], OpenedSetup] = {}
    notes = []
    for opened in (_opened(setup, choices) for setup in planned):
        same = kept.setdefault(opened.key, opened)
        if same is not opened:
            notes.append(f"{opened.named.name} is the same as {same.named.name}.")
        elif _wanted_tokens(opened) > opened.embedder.max_tokens:
            notes.append(
                f"{opened.named.name}: cut to {opened.embedder.max_tokens} tokens, for "
                f"{opened.embedder.name} sees no more."
            )
    if len(kept) == 1:
        raise UsageError(
            "nothing differs from the corpus as it is",
            hint="name what to compare, for instance --chunking fixed:256 or --mode words",
        )
    return list(kept.values()), notes


def baseline_of(corpus: Corpus) -> Setup:
    """Return the setup of the corpus as it is, searched as it is searched by default."""
    with corpus.store.moment() as moment:
        space, chunking = moment.space(), moment.chunking() or DEFAULT_CHUNKING
    name = EmbedderChoice(corpus.settings).name(space)
    stamped = space.embedder if space is not None else name
    return Setup(
        chunking=parse_chunker_name(chunking).text,
        embedder=stamped if stamped.partition(":")[0] == name else name,
        mode=Mode.HYBRID.value,
        fusion=DEFAULT_FUSION.text,
    )


def _wanted_tokens(opened: OpenedSetup) -> int:
    return parse_chunker_name(opened.named.setup.chunking).tokens or 0


class _Choices:
    """Encoders by name, each opened once; `openai:MODEL` is a model of the server that is set."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, EmbedderChoice] = {}

    def of(self, name: str) -> EmbedderChoice:
        """Return the choice of that encoder and of no other."""
        if name not in self._known:
            backend, _, model = name.partition(":")
            in_force = model or self._settings.embeddings_model
            self._known[name] = EmbedderChoice(
                replace(self._settings, embedder=backend, embeddings_model=in_force)
            )
        return self._known[name]


def _opened(named: NamedSetup, choices: _Choices) -> OpenedSetup:
    setup = named.setup
    if setup.mode not in set(Mode):
        raise UsageError(f"unknown mode {setup.mode!r}", hint=f"one of: {', '.join(Mode)}")
    choice = choices.of(setup.embedder)
    embedder = choice.embedder(None)
    chunker = open_chunker(setup.chunking, embedder=embedder)
    return OpenedSetup(named, chunker, choice, embedder, parse_fusion(setup.fusion))
