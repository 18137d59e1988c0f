"""A calibration -> one HTML page that needs nothing beside itself: the curve, its table, the words.

Escaped and closed off as every page; see `page_parts`.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle

from cytat.records import CalibrationReport, ErrorRate, GateErrors
from cytat.surfaces.pages import eval_plots
from cytat.surfaces.pages.page_parts import Plot, field_values, figures, framed, prints, table, text
from cytat.surfaces.terminal.measuring import moved, rate, rests_on


def page(made: CalibrationReport) -> str:
    """Return the whole page."""
    count = made.calibration.answerable + made.calibration.unanswerable
    parts = [
        *_head(made),
        *figures(_plots(made)),
        *_errors(made),
        *_sweep(made),
        *_fingerprint(made),
    ]
    return framed(f"cytat: a gate calibrated on {count} questions", parts)


def _head(made: CalibrationReport) -> Iterator[str]:
    state = "in force" if made.is_stored else "not stored"
    yield f"<header><p class='over'>cytat · calibration · {state}</p>"
    yield f"<h1>{text(moved(made.calibration))}</h1><ul class='findings'>"
    yield f"<li>{text(rests_on(made.calibration))}</li>"
    yield from (f"<li>{text(note)}</li>" for note in made.notes)
    yield "</ul></header><div class='tiles'>"
    yield from (_tile(rate) for rate in made.held_out.rates)
    yield "</div>"


def _tile(rate: ErrorRate) -> str:
    value = f"{rate.wrong / rate.among:.0%}" if rate.among else "–"
    return (
        f"<div class='tile'><span>{text(rate.name)}, held out</span><b>{value}</b>"
        f"<small>{rate.low:.0%} – {rate.high:.0%} · {rate.among} questions</small></div>"
    )


def _plots(made: CalibrationReport) -> Iterator[Plot]:
    of_groups = [
        eval_plots.error_curve(
            kind,
            text(group.name),
            [(step.stricter, step.errors.groups[at]) for step in made.sweep],
        )
        for at, (group, kind) in enumerate(zip(made.chosen.groups, cycle(("b", "b dashed"))))
    ]
    chosen = made.calibration.stricter
    caption = "In log odds; 0 is as shipped, the line is what was chosen. Bands: 95 %."
    both = eval_plots.both_errors(made.sweep, at=chosen, names=("lost", "bluffs"))
    yield Plot("Refusal threshold.", caption, both)
    if of_groups:
        caption = "Of unanswerable questions, by group."
        yield Plot("Bluffs.", caption, eval_plots.thresholds(of_groups, at=chosen))


def _errors(made: CalibrationReport) -> Iterator[str]:
    yield "<h2>Errors</h2>"
    rows = [
        ("as shipped", made.shipped),
        ("chosen, on the questions it was chosen by", made.chosen),
        (f"held out, in {made.folds} folds", made.held_out),
    ]
    yield from _table("gate", rows)


def _sweep(made: CalibrationReport) -> Iterator[str]:
    yield "<h2>Thresholds</h2>"
    yield from _table("threshold", [(f"{step.stricter:+.2f}", step.errors) for step in made.sweep])


def _table(head: str, rows: Sequence[tuple[str, GateErrors]]) -> Iterator[str]:
    rates = [errors.rates for _, errors in rows]
    columns = [
        (first.name, [rate(of_row[at]) for of_row in rates]) for at, first in enumerate(rates[0])
    ]
    return table([(head, [label for label, _ in rows]), *columns])


def _fingerprint(made: CalibrationReport) -> Iterator[str]:
    yield "<h2>Calibration</h2>"
    yield from prints(field_values(made.calibration))
