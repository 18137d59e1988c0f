"""A calibration -> one HTML page that needs nothing beside itself: the curve, its table, the words.

Escaped and closed off as every page; see `eval_page`.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle

from cytat.records import CalibrationReport, ErrorRate, GateErrors
from cytat.surfaces import eval_plots
from cytat.surfaces.eval_page import framed, text
from cytat.surfaces.terminal_calibration import moved, rate, rests_on


def page(made: CalibrationReport) -> str:
    """Return the whole page."""
    count = made.calibration.answerable + made.calibration.unanswerable
    parts = [*_head(made), *_curve(made), *_errors(made), *_sweep(made), *_fingerprint(made)]
    return framed(f"cytat: a gate calibrated on {count} questions", parts)


def _head(made: CalibrationReport) -> Iterator[str]:
    state = "in force" if made.is_stored else "not stored"
    yield f"<header><p class='over'>cytat · calibration · {state}</p>"
    yield f"<h1>{text(moved(made.calibration))}</h1><ul class='findings'>"
    yield f"<li>{text(rests_on(made.calibration))}</li>"
    yield from (f"<li>{text(note)}</li>" for note in made.notes)
    yield "</ul></header><div class='tiles'>"
    yield from (_tile(one) for one in made.held_out.rates)
    yield "</div>"


def _tile(one: ErrorRate) -> str:
    value = f"{one.wrong / one.among:.0%}" if one.among else "–"
    return (
        f"<div class='tile'><span>{text(one.name)}, held out</span><b>{value}</b>"
        f"<small>{one.low:.0%} – {one.high:.0%} · {one.among} questions</small></div>"
    )


def _curve(made: CalibrationReport) -> Iterator[str]:
    both = [
        _curve_of("a", "lost", [(step.stricter, step.errors.lost) for step in made.sweep]),
        _curve_of("b", "bluffs", [(step.stricter, step.errors.bluffs) for step in made.sweep]),
    ]
    of_groups = [
        _curve_of(kind, one.name, [(step.stricter, step.errors.groups[at]) for step in made.sweep])
        for at, (one, kind) in enumerate(zip(made.chosen.groups, cycle(("b", "b dashed"))))
    ]
    yield "<div class='plots'>"
    caption = "In log odds; 0 is as shipped, the line is what was chosen. Bands: 95 %."
    yield from _figure("Refusal threshold.", caption, both, at=made.calibration.stricter)
    if of_groups:
        caption = "Of unanswerable questions, by group."
        yield from _figure("Bluffs.", caption, of_groups, at=made.calibration.stricter)
    yield "</div>"


def _figure(
    title: str, caption: str, curves: Sequence[eval_plots.Curve], *, at: float
) -> Iterator[str]:
    yield f"<figure><figcaption><b>{title}</b> {caption}</figcaption>"
    yield f"{eval_plots.thresholds(curves, at=at)}</figure>"


def _curve_of(kind: str, name: str, rates: Sequence[tuple[float, ErrorRate]]) -> eval_plots.Curve:
    return eval_plots.Curve(
        kind,
        text(name),
        [
            eval_plots.CurvePoint(
                at, one.wrong / one.among if one.among else 0.0, one.low, one.high
            )
            for at, one in rates
        ],
    )


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
    names = [one.name for one in rows[0][1].rates]
    yield "<div class='scroll'><table><tr>"
    yield "".join(f"<th>{text(name)}" for name in (head, *names)) + "</tr>"
    for label, errors in rows:
        cells = "".join(f"<td>{text(rate(one))}" for one in errors.rates)
        yield f"<tr><td>{text(label)}{cells}</tr>"
    yield "</table></div>"


def _fingerprint(made: CalibrationReport) -> Iterator[str]:
    yield "<h2>Calibration</h2><dl class='print'>"
    for name in type(made.calibration).__dataclass_fields__:
        yield f"<dt>{text(name)}<dd>{text(str(getattr(made.calibration, name)))}"
    yield "</dl>"
