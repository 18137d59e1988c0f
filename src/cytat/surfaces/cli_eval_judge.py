"""Checking a judge before it is believed: its verdicts beside those of people."""

from pathlib import Path

import click

from cytat.surfaces import options, terminal_eval
from cytat.surfaces.calling import put, settings_in_force, verb


@click.command()
@click.argument("file", metavar="LABELS")
@options.judge
@options.judge_base_url
@verb
def judge(*, file: str, judge: str | None, judge_base_url: str | None, as_json: bool) -> None:
    """Measure how far a judging model agrees with statements that people have judged."""
    from cytat.corpus.checking_judges import check_judge  # noqa: PLC0415 - see `cli_eval`

    settings = settings_in_force(judge=judge, judge_base_url=judge_base_url)
    put(check_judge(settings, Path(file)), as_json=as_json, text=terminal_eval.judge_agreement)
