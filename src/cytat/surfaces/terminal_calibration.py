"""Calibrations -> text for people: errors as shipped, as chosen and held out, and the sweep."""

from collections.abc import Iterator, Sequence

from cytat.records import (
    Calibration,
    CalibrationReport,
    CalibrationReset,
    ErrorRate,
    GateErrors,
    SweepStep,
)
from cytat.surfaces import terminal

SHOWN_STEP = 0.5
"""Of the sweep, in log odds; the JSON and the page hold every step."""


def report(made: CalibrationReport) -> None:
    """Print what was chosen, its errors beside the shipped gate's, the sweep and the notes."""
    calibration = made.calibration
    terminal.line(moved(calibration))
    terminal.line(rests_on(calibration))
    terminal.line()
    rows = [
        ("as shipped", made.shipped),
        (f"chosen, {calibration.stricter:+.2f}", made.chosen),
        (f"held out, {made.folds} folds", made.held_out),
    ]
    _table("", rows)
    terminal.line()
    _table("threshold", [(f"{step.stricter:+.2f}", step.errors) for step in _shown(made)])
    terminal.line()
    for note in made.notes:
        terminal.line(note)
    if made.is_stored:
        terminal.line("In force from now on; `cytat eval calibrate --reset` goes back.")
    else:
        terminal.line("Nothing was stored.")


def moved(calibration: Calibration) -> str:
    """Return in a sentence where the threshold goes."""
    if not calibration.stricter:
        return "The threshold stays where it is shipped."
    way = "stricter" if calibration.stricter > 0 else "more lenient"
    return f"The threshold becomes {abs(calibration.stricter):.2f} log odds {way}."


def rests_on(calibration: Calibration) -> str:
    """Return by which questions and at which cost it was chosen."""
    cost = f"{calibration.bluff_cost:g} lost answer{'s' if calibration.bluff_cost != 1 else ''}"
    return f"By {calibration.calibrated_on}; a bluff costs {cost}."


def reset(done: CalibrationReset) -> None:
    """Print that the shipped gate is in force again."""
    terminal.line("The gate is as shipped.")
    if done.before is not None:
        terminal.line(f"Taken out: {terminal.gate(done.before)}.")


def rate(one: ErrorRate) -> str:
    """Return counts, share and interval."""
    if not one.among:
        return "–"
    return (
        f"{one.wrong} of {one.among}: {one.wrong / one.among:.0%} [{one.low:.0%} – {one.high:.0%}]"
    )


def _shown(made: CalibrationReport) -> Iterator[SweepStep]:
    """Yield the steps that differ from the one before, and the one that was chosen."""
    before = None
    for step in made.sweep:
        is_chosen = step.stricter == made.calibration.stricter
        if is_chosen or (not step.stricter % SHOWN_STEP and step.errors != before):
            before = step.errors
            yield step


def _table(head: str, rows: Sequence[tuple[str, GateErrors]]) -> None:
    cells = [[head, *(one.name for one in rows[0][1].rates)]]
    cells += [[label, *map(rate, errors.rates)] for label, errors in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        terminal.line("  ".join(padded).rstrip())
