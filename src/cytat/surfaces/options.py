"""Options that several verbs share, each declared once."""

import click

mode = click.option(
    "--mode",
    type=click.Choice(["hybrid", "words", "vectors"]),
    default="hybrid",
    show_default=True,
    help="Which lists are used.",
)
where = click.option(
    "--where", multiple=True, metavar="KEY=VALUE", help="Only documents that match."
)
embedder = click.option("--embedder", metavar="NAME", help="The encoder to ask with.")
model = click.option(
    "--model", metavar="NAME", help="A chat model; without one, sentences are quoted."
)
base_url = click.option("--base-url", metavar="URL", help="Its OpenAI-compatible server, with /v1.")
judge = click.option("--judge", metavar="NAME", help="A chat model that judges answers.")
judge_base_url = click.option(
    "--judge-base-url", metavar="URL", help="Its server; without it, that of --model."
)
run_file = click.option(
    "--out", metavar="FILE", help="Keep the run in this file, to compare others with."
)
run_page = click.option(
    "--report", metavar="FILE", help="Write a page (HTML, one file) about the run."
)
