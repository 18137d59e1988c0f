"""Runs, comparisons and calibrations -> text for people: the diagnosis first, then figures."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from cytat.records import (
    Calibration,
    CalibrationReport,
    CalibrationReset,
    ErrorRate,
    EvalProgress,
    EvalReport,
    GateErrors,
    GoldDraft,
    JudgeAgreement,
    MetricValue,
    QuestionOutcome,
    RunComparison,
    SweepStep,
)
from cytat.records.metrics import DEPTHS_FIRST, GROUP_TABLE, JUDGED, TABLE
from cytat.surfaces.terminal import printing

FAILURES = 20
"""Questions named below the table."""


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Callable[[EvalProgress], None]]:
    """Give a function that draws progress on a terminal and is silent elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda _progress: None
        return
    with click.progressbar(length=1, file=sys.stderr, show_eta=True, width=28) as bar:

        def draw(progress: EvalProgress) -> None:
            bar.length = max(progress.questions, 1)
            bar.update(progress.done - bar.pos)

        yield draw


def report(made: EvalReport) -> None:
    """Print the diagnosis, the metrics, the groups, and the questions that failed."""
    for finding in made.diagnosis:
        printing.line(finding.advice)
    printing.line()
    known = {(metric.group, metric.name): metric for metric in made.metrics}
    deepest = f"recall@{made.fingerprint.depth}"
    for name in dict.fromkeys((*DEPTHS_FIRST, deepest, *TABLE)):
        if (None, name) in known:
            judge = judge_name(made.fingerprint.judge) if name in JUDGED else None
            printing.line(_metric(known[None, name], judge))
    _groups(known)
    _failures(made.questions)
    for timing in made.timings:
        printing.line(
            f"{timing.name}: median {timing.median_ms:.0f} ms, 95 % within {timing.p95_ms:.0f} ms"
        )
    for note in made.notes:
        printing.talk(f"note: {note}")


def judge_name(judge: str) -> str:
    """Return the model of a judge, without the hash of the texts it is asked with."""
    return judge.rpartition(" ")[0]


def _metric(found: MetricValue, judge: str | None, *, counted: str = "questions") -> str:
    by = f", judged by {judge}" if judge else ""
    unmeasured = f", not measured: {found.not_measured}" if found.not_measured else ""
    if found.value is None:
        return f"{found.name:<20} not measured: {found.not_measured}{by}"
    return (
        f"{found.name:<20} {found.value:6.3f}  [{found.low:.3f} – {found.high:.3f}]  "
        f"{found.n} {counted}{unmeasured}{by}"
    )


def _groups(known: dict[tuple[str | None, str], MetricValue]) -> None:
    groups = dict.fromkeys(group for group, _ in known if group is not None)
    if not groups:
        return
    names = [name for name in GROUP_TABLE if (None, name) in known]
    width = max(len(group) for group in groups)
    printing.line()
    printing.line(f"{'':<{width}}  " + "  ".join(f"{name:>22}" for name in names))
    for group in groups:
        cells = [_cell(known.get((group, name))) for name in names]
        printing.line(f"{group:<{width}}  " + "  ".join(f"{cell:>22}" for cell in cells))


def _cell(found: MetricValue | None) -> str:
    if found is None or found.value is None:
        return "–"
    return f"{found.value:.2f} [{found.low:.2f} – {found.high:.2f}]"


def _failures(questions: tuple[QuestionOutcome, ...]) -> None:
    failed = [outcome for outcome in questions if outcome.cause is not None]
    if not failed:
        return
    printing.line()
    for outcome in failed[:FAILURES]:
        ranks = ", ".join(str(target.rank or "–") for target in outcome.targets)
        at = f"  (rank {ranks})" if ranks else ""
        printing.line(f"{outcome.cause or '':<10} {outcome.id}: {outcome.question}{at}")
    if len(failed) > FAILURES:
        printing.line(f"and {len(failed) - FAILURES} more; --report FILE shows them all")
    printing.line()


def comparison(compared: RunComparison) -> None:
    """Print a metric a line with both runs, the questions that differ, and the verdict."""
    for difference in compared.differences:
        printing.line(difference)
    printing.line()
    for row in compared.metrics:
        printing.line(
            f"{row.name:<20} {row.baseline:6.3f} → {row.value:6.3f}  +{row.better}/-{row.worse} "
            f"of {row.n}  p = {row.p:.3g}, corrected {row.p_corrected:.3g}  {row.verdict}"
        )
    for note in compared.notes:
        printing.talk(f"note: {note}")


def gold_draft(made: GoldDraft) -> None:
    """Print what was written, and what is left for a person to do."""
    printing.line(
        f"{made.file}: {made.cases} passages of {made.documents} documents, and "
        f"{made.unanswerable} places for questions they do not answer (seed {made.seed})"
    )
    found = made.borrowed
    if found is not None and found.value is not None:
        printing.line(
            f"{made.generator} proposed {made.proposed} questions. {found.value:.0%} of their "
            f"words occur in the passages [{found.low:.0%} – {found.high:.0%}]: they are easier "
            "to find than what people ask, and recall over them is too high. Review each one."
        )
    printing.line(f"Write the questions in an editor, then run: cytat eval {made.file}")
    for note in made.notes:
        printing.talk(f"note: {note}")


def judge_agreement(found: JudgeAgreement) -> None:
    """Print a figure a line, by what was judged."""
    printing.line(f"{judge_name(found.judge)} beside people:")
    for metric in found.metrics:
        printing.line(f"{metric.group or '':<18} {_metric(metric, None, counted='labels')}")
    for note in found.notes:
        printing.talk(f"note: {note}")


SHOWN_STEP = 0.5
"""Of the sweep, in log odds; the JSON and the page hold every step."""


def calibration_report(made: CalibrationReport) -> None:
    """Print what was chosen, its errors beside the shipped gate's, the sweep and the notes."""
    calibration = made.calibration
    printing.line(moved(calibration))
    printing.line(rests_on(calibration))
    printing.line()
    rows = [
        ("as shipped", made.shipped),
        (f"chosen, {calibration.stricter:+.2f}", made.chosen),
        (f"held out, {made.folds} folds", made.held_out),
    ]
    _table("", rows)
    printing.line()
    _table("threshold", [(f"{step.stricter:+.2f}", step.errors) for step in _shown(made)])
    printing.line()
    for note in made.notes:
        printing.line(note)
    if made.is_stored:
        printing.line("In force from now on; `cytat eval calibrate --reset` goes back.")
    else:
        printing.line("Nothing was stored.")


def moved(calibration: Calibration) -> str:
    """Return in a sentence where the threshold goes."""
    if not calibration.stricter:
        return "The threshold stays at its default."
    way = "stricter" if calibration.stricter > 0 else "more lenient"
    return f"The threshold becomes {abs(calibration.stricter):.2f} log odds {way}."


def rests_on(calibration: Calibration) -> str:
    """Return by which questions and at which cost it was chosen."""
    cost = f"{calibration.bluff_cost:g} lost answer{'s' if calibration.bluff_cost != 1 else ''}"
    return f"By {calibration.calibrated_on}; a bluff costs {cost}."


def reset(done: CalibrationReset) -> None:
    """Print that the shipped gate is in force again."""
    printing.line("The default gate is in use.")
    if done.before is not None:
        printing.line(f"Removed: {printing.gate(done.before)}.")


def rate(error: ErrorRate) -> str:
    """Return counts, share and interval."""
    if not error.among:
        return "–"
    share = error.wrong / error.among
    return f"{error.wrong} of {error.among}: {share:.0%} [{error.low:.0%} – {error.high:.0%}]"


def _shown(made: CalibrationReport) -> Iterator[SweepStep]:
    """Yield the steps that differ from the one before, and the one that was chosen."""
    before = None
    for step in made.sweep:
        is_chosen = step.stricter == made.calibration.stricter
        if is_chosen or (not step.stricter % SHOWN_STEP and step.errors != before):
            before = step.errors
            yield step


def _table(head: str, rows: Sequence[tuple[str, GateErrors]]) -> None:
    cells = [[head, *(error_rate.name for error_rate in rows[0][1].rates)]]
    cells += [[label, *map(rate, errors.rates)] for label, errors in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        printing.line("  ".join(padded).rstrip())
