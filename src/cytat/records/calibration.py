"""A gate fitted to a corpus' own questions, and the figures that say how little it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GateWeights:
    """A linear model over named signals: intercept + sum of weight * signal is a margin."""

    intercept: float
    of: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a corpus' gate was set to, and on which questions.

    A margin counts log odds from the threshold that cytat ships; a question passes if its margin
    is at least `stricter`.
    """

    gold: str
    """Name of the gold set's file; empty for a reader, as its hash is."""
    gold_hash: str
    generation: int
    """Of the corpus, when its questions were asked."""
    weights: str
    """Hash of the weights of the encoder that gave the signals."""
    gate: str
    """Hash of the gate that margins are counted from."""
    answerable: int
    unanswerable: int
    bluff_cost: float
    """Lost answers that a bluff costs."""
    stricter: float
    refitted: GateWeights | None
    """None: the shipped weights, with the threshold moved."""
    slope: float
    offset: float
    """Of the confidence: 1 / (1 + exp(-(slope * margin + offset)))."""

    @property
    def calibrated_on(self) -> str:
        """Return what an answer says of the data that its confidence is based on."""
        of = f"{self.gold} ({self.gold_hash})" if self.gold else "the corpus' owner"
        return (
            f"{self.answerable} answerable and {self.unanswerable} unanswerable questions of {of}"
        )


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How many of some questions went wrong, with Wilson's 95 % interval of the share."""

    name: str
    """`lost`, `bluffs`, or the group of unanswerable questions whose bluffs they are."""
    wrong: int
    among: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GateErrors:
    """Both errors of a gate over a gold set; bluffs also by group, where questions have one."""

    lost: ErrorRate
    bluffs: ErrorRate
    groups: tuple[ErrorRate, ...]

    @property
    def rates(self) -> tuple[ErrorRate, ...]:
        """All of them, in the order they are shown."""
        return (self.lost, self.bluffs, *self.groups)


@dataclass(frozen=True, slots=True)
class SweepStep:
    """The errors if the threshold stood at `stricter`, with the weights that were chosen."""

    stricter: float
    errors: GateErrors


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What calibrating found; `calibration` is in force from then on if it `is_stored`."""

    calibration: Calibration
    is_stored: bool
    shipped: GateErrors
    """Of the gate that cytat ships."""
    chosen: GateErrors
    """Of the calibrated one, on the questions it was chosen by: too good to be true."""
    held_out: GateErrors
    """Each question decided by a gate that was chosen without it."""
    folds: int
    sweep: tuple[SweepStep, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CalibrationReset:
    """The shipped gate is in force again; `before` is what was taken out, None: nothing was."""

    before: Calibration | None
