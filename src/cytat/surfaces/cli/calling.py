"""What the verbs share: common options, the settings in force, how a result is printed."""

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from cytat.config import Settings, load_settings
from cytat.surfaces import wire
from cytat.surfaces.terminal import printing

mode = click.option(
    "--mode",
    type=click.Choice(["hybrid", "words", "vectors"]),
    default="hybrid",
    show_default=True,
    help="Rank by words, by vectors or by both.",
)
where = click.option(
    "--where", multiple=True, metavar="KEY=VALUE", help="Only documents that match."
)
embedder = click.option("--embedder", metavar="NAME", help="The encoder of the query.")
model = click.option(
    "--model", metavar="NAME", help="A chat model that writes the answer; without one, it quotes."
)
base_url = click.option("--base-url", metavar="URL", help="Its OpenAI-compatible server, with /v1.")
judge = click.option("--judge", metavar="NAME", help="A chat model that judges answers.")
judge_base_url = click.option(
    "--judge-base-url", metavar="URL", help="Its server; without it, that of --model."
)
run_file = click.option(
    "--out", metavar="FILE", help="Save the run to this file, to compare other runs with it."
)
run_page = click.option(
    "--report", metavar="FILE", help="Write a page (HTML, one file) about the run."
)


DONE, FAILED, MISUSED, REFUSED = 0, 1, 2, 3

PATHS = frozenset(
    {"backup", "baseline", "file", "folder", "keep", "out", "pairs", "paths", "qrels",
     "questions_file", "report", "trec", "trec_qrels", "wheels"}
)  # fmt: skip
"""Arguments handed on byte for byte, as the file system has them; all others are words."""


class Exit(Exception):  # noqa: N818 (it is not an error)
    """A verb ended with this exit code; what it had to say is said."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(code)


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """Give a verb `--json`, `--corpus` and `--config`, and hand it `settings` flags resolved."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
    @click.option("--corpus", "corpus_file", metavar="FILE", help="The corpus file.")
    @click.option("--config", "config_file", metavar="FILE", help="A settings file.")
    @click.option(
        "--as", "as_labels", metavar="LABEL[,LABEL]", help="Read as a reader with these labels."
    )
    @click.pass_context
    @functools.wraps(function)
    def wrapped(
        context: click.Context,
        /,
        *,
        corpus_file: str | None,
        config_file: str | None,
        as_labels: str | None,
        **options: Any,  # noqa: ANN401 (click's own)
    ) -> None:
        before: dict[str, str | None] = context.obj or {}
        context.obj = {
            "corpus": before.get("corpus") if corpus_file is None else corpus_file,
            "config": before.get("config") if config_file is None else config_file,
            "labels": before.get("labels") if as_labels is None else as_labels,
        }
        function(
            **{name: given if name in PATHS else _words(given) for name, given in options.items()}
        )

    return wrapped


def _words(given: object) -> object:
    r"""Return typed words as text: bytes that are not UTF-8 are written `\xNN`, as in sources."""
    if isinstance(given, tuple):
        return tuple(map(_words, given))
    return (
        os.fsencode(given).decode("utf-8", "backslashreplace") if isinstance(given, str) else given
    )


def settings_in_force(**flags: object) -> Settings:
    """Return the settings in force for the running verb."""
    given: dict[str, str | None] = click.get_current_context().obj
    file = given["config"]
    return load_settings(
        {"corpus": given["corpus"], "labels": given["labels"], **flags},
        file=Path(file) if file is not None else None,
    )


def put(record: object, *, as_json: bool, text: Callable[[Any], None]) -> None:
    """Print a result: as one JSON value, or for people."""
    if as_json:
        put_json(wire.to_json(record))
    else:
        text(record)


def corpus_command() -> str:
    """Return how the corpus of the running verb is called again."""
    return printing.command(click.get_current_context().obj["corpus"])


def put_json(value: Mapping[str, wire.Json]) -> None:
    """Print one line of JSON, in UTF-8 for every terminal, as JSON requires."""
    click.echo(wire.dumps(value).encode("utf-8"))
