"""Variants beside a baseline -> tables for people, narrow enough for a terminal of 100 columns."""

import textwrap
from collections.abc import Callable
from contextlib import AbstractContextManager

from cytat.records import EvalSweep, SweepProgress
from cytat.surfaces import sweep_tables
from cytat.surfaces.terminal import printing
from cytat.surfaces.terminal.progress import drawn_bar, time_left

COLUMNS = 100
NAME_COLUMNS = 34


def progress_bar(*, quiet: bool) -> AbstractContextManager[Callable[[SweepProgress], None]]:
    """Give a function that draws progress on a terminal and is silent elsewhere."""
    return drawn_bar(quiet=quiet, share=_share, said=_doing)


def _share(progress: SweepProgress) -> float:
    """Return how much of a sweep is done; of each variant, indexing counts half and asking half."""
    asking = 0.5 if progress.doing == "asking" else 0.0
    return (progress.variants_done + asking + progress.share / 2) / progress.variants


def _doing(progress: SweepProgress | None) -> str | None:
    if progress is None:
        return None
    parts = [
        f"{progress.variants_done + 1}/{progress.variants}",
        progress.variant,
        f"{progress.doing} {progress.share:.0%}",
    ]
    if progress.seconds_left is not None and progress.share < 1:
        parts.append(time_left(progress.seconds_left))
    return " · ".join(parts)


# ---------------------------------------------------------------- the report


def report(made: EvalSweep) -> None:
    """Print what differs, then the figures, the groups, the price and the margins."""
    _paragraph(sweep_tables.baseline(made))
    printing.line()
    for sentence in sweep_tables.conclusions(made):
        _paragraph(sentence)
    for name, finding in sweep_tables.cutting_findings(made):
        _paragraph(f"{name}: {finding.advice}")
    _table(sweep_tables.figures(made))
    _all_columns(sweep_tables.differences(made))
    if made.groups:
        _all_columns(sweep_tables.groups(made))
    _all_columns(sweep_tables.prices(made))
    if len(made.margins) > 1:
        _all_columns(sweep_tables.margins(made.margins))
    for note in made.notes:
        printing.talk(f"note: {note}")


def _paragraph(text: str) -> None:
    for line in textwrap.wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False):
        printing.line(line)


def _table(columns: sweep_tables.TextTable) -> sweep_tables.TextTable:
    """Print columns side by side, names to the left, and return those there was no room for."""
    title, names = columns[0]
    room, shown = COLUMNS, 0
    fitted: sweep_tables.TextTable = [(title, [_shortened(name) for name in names]), *columns[1:]]
    widths = [max(map(len, (head, *cells))) for head, cells in fitted]
    while shown < len(fitted) and (room := room - widths[shown] - (2 if shown else 0)) >= 0:
        shown += 1
    printing.line()
    for row in range(-1, len(names)):
        line = [
            f"{cells[row] if row >= 0 else head:{'>' if at and head else '<'}{width}}"
            for at, ((head, cells), width) in enumerate(zip(fitted[:shown], widths, strict=False))
        ]
        printing.line("  ".join(line).rstrip())
    return columns[shown:]


def _all_columns(columns: sweep_tables.TextTable) -> None:
    """Print a table; columns without room go into another table below it."""
    names, left = columns[0], columns[1:]
    while left:
        left = _table([names, *left])


def _shortened(name: str) -> str:
    return name if len(name) <= NAME_COLUMNS else f"{name[: NAME_COLUMNS - 1]}…"
