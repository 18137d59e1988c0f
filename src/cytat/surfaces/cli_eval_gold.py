"""Making a gold set: `eval init` samples passages into a file that a person fills in."""

from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.surfaces import options, terminal_eval
from cytat.surfaces.calling import put, settings_in_force, verb


@click.command()
@click.option(
    "--out",
    metavar="FILE",
    default="gold.yaml",
    show_default=True,
    help="The new file, .yaml or .jsonl; one that is there is not touched.",
)
@click.option("--questions", type=int, default=30, show_default=True, help="Passages wanted.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option("--model", metavar="NAME", help="A chat model that proposes questions.")
@options.base_url
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
    with Corpus(settings_in_force(model=model, base_url=base_url)) as corpus:
        made = corpus.draft_gold(Path(out), questions=questions, seed=seed)
    put(made, as_json=as_json, text=terminal_eval.gold_draft)
