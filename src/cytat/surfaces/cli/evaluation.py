"""The verb eval: run a gold set, compare runs, make a gold set; an unmet gate is exit code 1.

What measures is imported by the verbs: no other verb waits for it to load.
"""

from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.errors import UsageError
from cytat.surfaces.cli import calling, run_files, sweeping
from cytat.surfaces.cli.calling import FAILED, Exit, put, settings_in_force, verb
from cytat.surfaces.terminal import measuring, printing


@click.command()
@click.option(
    "--out",
    metavar="FILE",
    default="gold.yaml",
    show_default=True,
    help="The new file, .yaml or .jsonl; an existing file is not overwritten.",
)
@click.option(
    "--questions", type=int, default=30, show_default=True, help="How many passages to draw."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option("--model", metavar="NAME", help="A chat model that proposes questions.")
@calling.base_url
@verb
def init(
    *,
    out: str,
    questions: int,
    seed: int,
    model: str | None,
    base_url: str | None,
    as_json: bool,
) -> None:
    """Sample passages of the corpus into a gold set whose questions you write."""
    from cytat.evaluation import Evaluator  # noqa: PLC0415 - see the top

    with Corpus(settings_in_force(model=model, base_url=base_url)) as corpus:
        made = Evaluator(corpus).draft_gold(Path(out), questions=questions, seed=seed)
    put(made, as_json=as_json, text=measuring.gold_draft)


@click.command()
@click.argument("file", metavar="LABELS")
@calling.judge
@calling.judge_base_url
@verb
def judge(*, file: str, judge: str | None, judge_base_url: str | None, as_json: bool) -> None:
    """Measure how far a judging model agrees with statements that people have judged."""
    from cytat.corpus.models import open_judge  # noqa: PLC0415 - see the top
    from cytat.evaluation import check_judge  # noqa: PLC0415

    model = open_judge(settings_in_force(judge=judge, judge_base_url=judge_base_url))
    put(check_judge(model, Path(file)), as_json=as_json, text=measuring.judge_agreement)


@click.command()
@click.argument("file", metavar="RUN")
@click.option("--qrels", required=True, metavar="FILE", help="Judgments, of TREC or BEIR.")
@click.option(
    "--questions", "questions_file", metavar="FILE", help="Their words: JSONL, or id, tab, text."
)
@click.option(
    "--depth", type=int, default=100, show_default=True, help="How many ranks to look at."
)
@calling.run_file
@calling.run_page
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
    from cytat.evaluation import score_run_file  # noqa: PLC0415 - see the top

    asked = None if questions_file is None else Path(questions_file)
    made = score_run_file(Path(file), Path(qrels), questions=asked, depth=depth)
    run_files.keep(made, out=out, report=report)
    put(made, as_json=as_json, text=measuring.report)


@click.command()
@click.argument("folder")
@click.argument("out")
@verb
def unpack(*, folder: str, out: str, as_json: bool) -> None:
    """Write each text of a BEIR folder as a file into OUT, to be added to a corpus."""
    from cytat.evaluation import unpack_beir  # noqa: PLC0415 - see the top

    made = unpack_beir(Path(folder), Path(out))
    put(made, as_json=as_json, text=printing.export)


@click.command()
@click.argument("file", metavar="GOLD", required=False)
@click.option(
    "--bluff-cost",
    type=float,
    default=1.0,
    show_default=True,
    metavar="N",
    help="How many lost answers one bluff is worth.",
)
@click.option("--report", metavar="FILE", help="Write a page (HTML, one file) with the curve.")
@click.option("--dry-run", is_flag=True, help="Show everything, change nothing.")
@click.option("--reset", is_flag=True, help="Go back to the default gate.")
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
    from cytat.evaluation import Evaluator  # noqa: PLC0415 - see the top

    with (
        Corpus(settings_in_force()) as corpus,
        measuring.progress_bar(quiet=as_json) as listen,
    ):
        evaluation = Evaluator(corpus).evaluation(file)
        made = evaluation.calibration(bluff_cost=bluff_cost, listen=listen)
        made = made if dry_run else evaluation.keep(made)
    if report is not None:
        from cytat.surfaces.pages import calibration_page  # noqa: PLC0415 - only where a page is wanted

        run_files.write_text(Path(report), calibration_page.page(made))
    put(made, as_json=as_json, text=measuring.calibration_report)


def _reset(*, as_json: bool) -> None:
    from cytat.evaluation import Evaluator  # noqa: PLC0415 - see the top

    with Corpus(settings_in_force()) as corpus:
        done = Evaluator(corpus).reset_calibration()
    put(done, as_json=as_json, text=measuring.reset)


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
    """Measure on your own questions what is found, answered and refused, and what to fix."""


@evaluate.command("run")
@click.argument("file", metavar="GOLD")
@calling.run_file
@calling.run_page
@click.option("--qrels", metavar="FILE", help="Judgments, if GOLD has only questions.")
@click.option("--trec", metavar="FILE", help="Write the ranking of documents as a TREC run.")
@click.option("--trec-qrels", metavar="FILE", help="Write the judgments that go with that run.")
@click.option("--retrieval-only", is_flag=True, help="Search only; ask nothing.")
@click.option("--depth", type=int, default=50, show_default=True, help="How many ranks to look at.")
@calling.mode
@calling.where
@calling.model
@calling.base_url
@calling.judge
@calling.judge_base_url
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
    """Ask every question of a gold set, and say what to fix."""
    from cytat.evaluation import Evaluator, parse_demands, unmet_demands  # noqa: PLC0415 - see the top

    before = None if baseline is None else run_files.read(Path(baseline))
    demands = parse_demands(least), parse_demands(most)
    settings = settings_in_force(
        model=model, base_url=base_url, judge=judge, judge_base_url=judge_base_url
    )
    with Corpus(settings) as corpus, measuring.progress_bar(quiet=as_json) as on_progress:
        evaluation = Evaluator(corpus).evaluation(
            file, depth=depth, where=where, mode=mode, retrieval_only=retrieval_only, qrels=qrels
        )
        made = evaluation.report(on_progress)
        if trec is not None:
            run_files.write_text(Path(trec), evaluation.trec_run(made))
        if trec_qrels is not None:
            run_files.write_text(Path(trec_qrels), evaluation.trec_qrels())
    failed = unmet_demands(made, least=demands[0], most=demands[1], baseline=before)
    run_files.keep(made, out=out, report=report)
    put(made, as_json=as_json, text=measuring.report)
    for sentence in failed:
        printing.talk(f"not met: {sentence}")
    if failed:
        raise Exit(FAILED)


@evaluate.command()
@click.argument("baseline", metavar="RUN")
@click.argument("file", metavar="RUN")
@click.option("--qrels", metavar="FILE", help="Judgments, if both runs are TREC runs.")
@click.option(
    "--depth", type=int, default=100, show_default=True, help="Ranks to look at, for --qrels."
)
@verb
def compare(*, baseline: str, file: str, qrels: str | None, depth: int, as_json: bool) -> None:
    """Put a run beside a baseline, question by question."""
    from cytat import evaluation  # noqa: PLC0415 - see the top

    before, after = (
        run_files.read(Path(path))
        if qrels is None
        else evaluation.score_run_file(Path(path), Path(qrels), depth=depth)
        for path in (baseline, file)
    )
    put(evaluation.compare(before, after), as_json=as_json, text=measuring.comparison)


for beside in (
    calibrate,
    init,
    judge,
    score,
    unpack,
    sweeping.sweep,
):
    evaluate.add_command(beside)
