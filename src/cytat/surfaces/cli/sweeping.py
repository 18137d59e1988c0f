"""The verb `eval sweep`: many ways to cut, embed and rank, beside the corpus as it is."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cytat.corpus import Corpus
from cytat.errors import UsageError
from cytat.records import EvalSweep, SweepAxes, SweepProgress
from cytat.surfaces.cli import calling, run_files
from cytat.surfaces.cli.calling import FAILED, Exit, put, settings_in_force, verb
from cytat.surfaces.terminal import printing, sweeps

if TYPE_CHECKING:
    from cytat.evaluation import SetupRun, Sweep

EVERY = "all"
ALL_CHUNKINGS = (
    "pathless",
    "boundaries",
    "fixed:256",
    "fixed:256+64",
    "sentences",
    "semantic",
)
ALL_MODES = ("words", "vectors")
ALL_FUSIONS = ("standard-scores", "reciprocal-ranks")
OVERVIEW = "sweep.json"


@click.command()
@click.argument("file", metavar="GOLD")
@click.option(
    "--chunking", multiple=True, metavar="NAME", help="Other chunkings: fixed:256, …, or all."
)
@click.option("--budget", multiple=True, type=int, metavar="N", help="Tokens of a chunk.")
@click.option("--embedder", multiple=True, metavar="NAME", help="Another encoder.")
@click.option("--mode", multiple=True, metavar="MODE", help="words, vectors, or all.")
@click.option("--fusion", multiple=True, metavar="RULE", help="standard-scores:0.5, …, or all.")
@click.option("--grid", is_flag=True, help="Try all combinations, not one change at a time.")
@click.option("--depth", type=int, default=50, show_default=True, help="How many ranks to look at.")
@calling.where
@click.option("--pairs", metavar="FILE", help="Text pairs to measure encoders with.")
@click.option("--keep", metavar="FOLDER", help="Keep the indexes here, for the next sweep.")
@click.option("--out", metavar="FOLDER", help="Keep a run file of each variant here.")
@click.option("--report", metavar="FILE", help="Write a page (HTML, one file) about all of them.")
@verb
def sweep(
    *,
    file: str,
    chunking: tuple[str, ...],
    budget: tuple[int, ...],
    embedder: tuple[str, ...],
    mode: tuple[str, ...],
    fusion: tuple[str, ...],
    grid: bool,
    depth: int,
    where: tuple[str, ...],
    pairs: str | None,
    keep: str | None,
    out: str | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Compare other ways to chunk, embed and rank with those of the corpus."""
    from cytat.evaluation import Evaluator  # noqa: PLC0415 - no other verb waits for it

    if report is not None and not os.path.isdir(Path(report).parent):  # not at the end
        raise UsageError(f"there is no folder for {report}", hint="create it, or name another file")
    if not any((chunking, budget, embedder, mode, fusion)):
        mode, fusion = (EVERY,), (EVERY,)  # what needs no other index
    axes = SweepAxes(
        chunking=_expanded(chunking, ALL_CHUNKINGS),
        budget=budget,
        embedder=embedder,
        mode=_expanded(mode, ALL_MODES),
        fusion=_expanded(fusion, ALL_FUSIONS),
    )
    with (
        Corpus(settings_in_force()) as corpus,
        Evaluator(corpus).sweep(
            file,
            axes,
            arrangement="grid" if grid else "one-by-one",
            depth=depth,
            where=where,
            keep=keep,
            pairs=pairs,
        ) as asked,
        sweeps.progress_bar(quiet=as_json) as on_progress,
    ):
        runs = _run(asked, on_progress, out=None if out is None else _folder(out))
        made = asked.report(runs)
    _keep(made, out=out, report=report)
    put(made, as_json=as_json, text=sweeps.report)
    if len(runs) < len(asked):
        printing.talk(f"stopped: {len(runs)} of {len(asked)} were measured")
        raise Exit(FAILED)


def _expanded(given: tuple[str, ...], every: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names with `all` spelled out, each once."""
    names = [name for chosen in given for name in (every if chosen == EVERY else (chosen,))]
    return tuple(dict.fromkeys(names))


def _run(
    asked: "Sweep", on_progress: Callable[[SweepProgress], None], *, out: Path | None
) -> "list[SetupRun]":
    """Return the runs; those that are done, where somebody stops the others."""
    runs: list[SetupRun] = []
    try:
        for setup_run in asked.runs(on_progress):
            runs.append(setup_run)
            if out is not None:
                run_files.write(setup_run.run, out / f"{_slug(setup_run.name)}.json")
    except KeyboardInterrupt:
        if not runs:
            raise
    return runs


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be created: {error.strerror}", hint="name another folder"
        ) from error
    return folder


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.+]+", "-", name)


def _keep(made: EvalSweep, *, out: str | None, report: str | None) -> None:
    if out is not None:
        run_files.write(made, Path(out) / OVERVIEW)
    if report is not None:
        from cytat.surfaces.pages import sweep_page  # noqa: PLC0415 - only where a page is wanted

        run_files.write_text(Path(report), sweep_page.page(made))
