"""The verb eval: run a gold set, compare runs, make a gold set; an unmet gate is exit code 1.

What measures is imported by the verbs: no other verb waits for it to load.
"""

from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.surfaces import (
    cli_eval_calibrate,
    cli_eval_gold,
    cli_eval_judge,
    cli_eval_sweep,
    cli_eval_trec,
    options,
    run_files,
    terminal,
    terminal_eval,
)
from cytat.surfaces.calling import FAILED, Exit, put, settings_in_force, verb


class _RunByDefault(click.Group):
    """`eval GOLD` is `eval run GOLD`."""

    # `typing.override` comes with Python 3.12.
    def parse_args(  # type: ignore[explicit-override]
        self, ctx: click.Context, args: list[str]
    ) -> list[str]:
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("eval", cls=_RunByDefault)
def evaluate() -> None:
    """Measure on your own questions what is found, answered and refused, and what to mend."""


@evaluate.command("run")
@click.argument("file", metavar="GOLD")
@options.run_file
@options.run_page
@click.option("--qrels", metavar="FILE", help="Judgments, where GOLD holds questions alone.")
@click.option("--trec", metavar="FILE", help="Write the ranking of documents as a TREC run.")
@click.option("--trec-qrels", metavar="FILE", help="Write the judgments that go with that run.")
@click.option("--retrieval-only", is_flag=True, help="Search only; ask nothing.")
@click.option("--depth", type=int, default=50, show_default=True, help="Ranks looked at.")
@options.mode
@options.where
@options.model
@options.base_url
@options.judge
@options.judge_base_url
@click.option("--min", "least", multiple=True, metavar="METRIC=X", help="Exit code 1 below X.")
@click.option("--max", "most", multiple=True, metavar="METRIC=X", help="Exit code 1 above X.")
@click.option("--not-worse-than", "baseline", metavar="RUN", help="Exit code 1 if worse.")
@verb
def run(
    *,
    file: str,
    out: str | None,
    report: str | None,
    qrels: str | None,
    trec: str | None,
    trec_qrels: str | None,
    retrieval_only: bool,
    depth: int,
    mode: str,
    where: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    judge: str | None,
    judge_base_url: str | None,
    least: tuple[str, ...],
    most: tuple[str, ...],
    baseline: str | None,
    as_json: bool,
) -> None:
    """Ask every question of a gold set, and say what to mend."""
    from cytat.corpus.evaluating import parse_demands, unmet_demands  # noqa: PLC0415 - see the top

    before = None if baseline is None else run_files.read(Path(baseline))
    demands = parse_demands(least), parse_demands(most)
    settings = settings_in_force(
        model=model, base_url=base_url, judge=judge, judge_base_url=judge_base_url
    )
    with Corpus(settings) as corpus, terminal_eval.progress_bar(quiet=as_json) as on_progress:
        evaluation = corpus.evaluation(
            file, depth=depth, where=where, mode=mode, retrieval_only=retrieval_only, qrels=qrels
        )
        made = evaluation.report(on_progress)
        if trec is not None:
            run_files.write_text(Path(trec), evaluation.trec_run(made))
        if trec_qrels is not None:
            run_files.write_text(Path(trec_qrels), evaluation.trec_qrels())
    failed = unmet_demands(made, least=demands[0], most=demands[1], baseline=before)
    run_files.keep(made, out=out, report=report)
    put(made, as_json=as_json, text=terminal_eval.report)
    for sentence in failed:
        terminal.talk(f"not met: {sentence}")
    if failed:
        raise Exit(FAILED)


@evaluate.command()
@click.argument("baseline", metavar="RUN")
@click.argument("file", metavar="RUN")
@click.option("--qrels", metavar="FILE", help="Judgments, where both runs are TREC's.")
@click.option("--depth", type=int, default=100, show_default=True, help="Ranks looked at, then.")
@verb
def compare(*, baseline: str, file: str, qrels: str | None, depth: int, as_json: bool) -> None:
    """Put a run beside a baseline, question by question."""
    from cytat.corpus.evaluating import compare_runs  # noqa: PLC0415 - see the top
    from cytat.corpus.scoring_runs import score_run_file  # noqa: PLC0415 - see the top

    before, after = (
        run_files.read(Path(one))
        if qrels is None
        else score_run_file(Path(one), Path(qrels), depth=depth)
        for one in (baseline, file)
    )
    put(compare_runs(before, after), as_json=as_json, text=terminal_eval.comparison)


for beside in (
    cli_eval_calibrate.calibrate,
    cli_eval_gold.init,
    cli_eval_judge.judge,
    cli_eval_trec.score,
    cli_eval_trec.unpack,
    cli_eval_sweep.sweep,
):
    evaluate.add_command(beside)
