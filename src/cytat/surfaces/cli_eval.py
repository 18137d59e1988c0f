"""The verb eval: run a gold set, compare two runs, unpack a BEIR set; an unmet gate is exit 1.

What measures is imported by the verbs: no other verb waits for it to load.
"""

from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.errors import UsageError
from cytat.records import EvalReport
from cytat.surfaces import run_files, terminal, terminal_eval
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
@click.option("--out", metavar="FILE", help="Keep the run in this file, to compare others with.")
@click.option("--report", metavar="FILE", help="Write a page (HTML, one file) about the run.")
@click.option("--trec", metavar="FILE", help="Write the ranking of documents as a TREC run.")
@click.option("--retrieval-only", is_flag=True, help="Search only; ask nothing.")
@click.option("--depth", type=int, default=50, show_default=True, help="Ranks looked at.")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "words", "vectors"]),
    default="hybrid",
    show_default=True,
)
@click.option("--where", multiple=True, metavar="KEY=VALUE", help="Only documents that match.")
@click.option("--model", metavar="NAME", help="A chat model that answers.")
@click.option("--base-url", metavar="URL", help="Its OpenAI-compatible server, with /v1.")
@click.option("--min", "least", multiple=True, metavar="METRIC=X", help="Exit code 1 below X.")
@click.option("--max", "most", multiple=True, metavar="METRIC=X", help="Exit code 1 above X.")
@click.option("--not-worse-than", "baseline", metavar="RUN", help="Exit code 1 if worse.")
@verb
def run(
    *,
    file: str,
    out: str | None,
    report: str | None,
    trec: str | None,
    retrieval_only: bool,
    depth: int,
    mode: str,
    where: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    least: tuple[str, ...],
    most: tuple[str, ...],
    baseline: str | None,
    as_json: bool,
) -> None:
    """Ask every question of a gold set, and say what to mend."""
    from cytat.corpus.evaluating import parse_demands, unmet_demands  # noqa: PLC0415 - see the top

    before = None if baseline is None else run_files.read(Path(baseline))
    demands = parse_demands(least), parse_demands(most)
    settings = settings_in_force(model=model, base_url=base_url)
    with Corpus(settings) as corpus, terminal_eval.progress_bar(quiet=as_json) as on_progress:
        evaluation = corpus.evaluation(
            file, depth=depth, where=where, mode=mode, retrieval_only=retrieval_only
        )
        made = evaluation.report(on_progress)
    failed = unmet_demands(made, least=demands[0], most=demands[1], baseline=before)
    _keep(made, out=out, report=report, trec=trec)
    put(made, as_json=as_json, text=terminal_eval.report)
    for sentence in failed:
        terminal.talk(f"not met: {sentence}")
    if failed:
        raise Exit(FAILED)


@evaluate.command()
@click.argument("baseline", metavar="RUN")
@click.argument("file", metavar="RUN")
@verb
def compare(*, baseline: str, file: str, as_json: bool) -> None:
    """Put a run beside a baseline, question by question."""
    from cytat.corpus.evaluating import compare_runs  # noqa: PLC0415 - see the top

    compared = compare_runs(run_files.read(Path(baseline)), run_files.read(Path(file)))
    put(compared, as_json=as_json, text=terminal_eval.comparison)


@evaluate.command()
@click.argument("folder")
@click.argument("out")
@verb
def unpack(*, folder: str, out: str, as_json: bool) -> None:
    """Write each text of a BEIR folder as a file into OUT, to be added to a corpus."""
    from cytat.corpus.evaluating import unpack_beir  # noqa: PLC0415 - see the top

    made = unpack_beir(Path(folder), Path(out))
    put(made, as_json=as_json, text=terminal.export)


def _keep(made: EvalReport, *, out: str | None, report: str | None, trec: str | None) -> None:
    if out is not None:
        run_files.write(made, Path(out))
    if report is not None:
        from cytat.surfaces import eval_page  # noqa: PLC0415 - only where a page is wanted

        _write(Path(report), eval_page.page(made))
    if trec is not None:
        from cytat.corpus.evaluating import trec_run  # noqa: PLC0415 - see the top

        _write(Path(trec), trec_run(made))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}", hint="name another file"
        ) from error
