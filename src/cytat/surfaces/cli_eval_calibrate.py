"""The verb eval calibrate: sets a corpus' gate by questions, or puts the shipped one back."""

from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.errors import UsageError
from cytat.surfaces import run_files, terminal_calibration, terminal_eval
from cytat.surfaces.calling import put, settings_in_force, verb


@click.command()
@click.argument("file", metavar="GOLD", required=False)
@click.option(
    "--bluff-cost",
    type=float,
    default=1.0,
    show_default=True,
    metavar="N",
    help="Lost answers that a bluff is as bad as.",
)
@click.option("--report", metavar="FILE", help="Write a page (HTML, one file) with the curve.")
@click.option("--dry-run", is_flag=True, help="Show everything, change nothing.")
@click.option("--reset", is_flag=True, help="Go back to the gate that is shipped.")
@verb
def calibrate(
    *,
    file: str | None,
    bluff_cost: float,
    report: str | None,
    dry_run: bool,
    reset: bool,
    as_json: bool,
) -> None:
    """Set the gate by questions that can be answered and questions that cannot."""
    if (file is not None) is reset:
        raise UsageError(
            "give a gold set, or --reset alone",
            hint="cytat eval calibrate questions.jsonl --bluff-cost 10",
        )
    if file is None:
        _reset(as_json=as_json)
        return
    with (
        Corpus(settings_in_force()) as corpus,
        terminal_eval.progress_bar(quiet=as_json) as listen,
    ):
        evaluation = corpus.evaluation(file)
        made = evaluation.calibration(bluff_cost=bluff_cost, listen=listen)
        made = made if dry_run else evaluation.keep(made)
    if report is not None:
        from cytat.surfaces import calibration_page  # noqa: PLC0415 - only where a page is wanted

        run_files.write_text(Path(report), calibration_page.page(made))
    put(made, as_json=as_json, text=terminal_calibration.report)


def _reset(*, as_json: bool) -> None:
    # No other verb waits for what measures to load.
    from cytat.corpus.gating import reset_calibration  # noqa: PLC0415

    done = reset_calibration(settings_in_force())
    put(done, as_json=as_json, text=terminal_calibration.reset)
