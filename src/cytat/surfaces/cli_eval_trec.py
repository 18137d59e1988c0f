"""Measuring with the files of others: score a TREC run, unpack a BEIR set."""

from pathlib import Path

import click

from cytat.surfaces import options, run_files, terminal, terminal_eval
from cytat.surfaces.calling import put, verb


@click.command()
@click.argument("file", metavar="RUN")
@click.option("--qrels", required=True, metavar="FILE", help="Judgments, of TREC or BEIR.")
@click.option(
    "--questions", "questions_file", metavar="FILE", help="Their words: JSONL, or id, tab, text."
)
@click.option("--depth", type=int, default=100, show_default=True, help="Ranks looked at.")
@options.run_file
@options.run_page
@verb
def score(
    *,
    file: str,
    qrels: str,
    questions_file: str | None,
    depth: int,
    out: str | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Measure a TREC run of any system, with the same metrics and intervals."""
    from cytat.corpus.scoring_runs import score_run_file  # noqa: PLC0415 - see `cli_eval`

    asked = None if questions_file is None else Path(questions_file)
    made = score_run_file(Path(file), Path(qrels), questions=asked, depth=depth)
    run_files.keep(made, out=out, report=report)
    put(made, as_json=as_json, text=terminal_eval.report)


@click.command()
@click.argument("folder")
@click.argument("out")
@verb
def unpack(*, folder: str, out: str, as_json: bool) -> None:
    """Write each text of a BEIR folder as a file into OUT, to be added to a corpus."""
    from cytat.corpus.evaluating import unpack_beir  # noqa: PLC0415 - see `cli_eval`

    made = unpack_beir(Path(folder), Path(out))
    put(made, as_json=as_json, text=terminal.export)
