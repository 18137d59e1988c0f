"""Plots, tables and lists of words -> parts of an HTML page, and the page around them. Pure.

Everything that came from a document, a question or a model is escaped; a page carries a policy
under which a browser would load or run nothing even so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from html import escape
from importlib import resources

from cytat.records import Calibration, Fingerprint

HtmlColumn = tuple[str, Sequence[str]]
"""A title, and a cell for each row."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, with what it is called and how it is read."""

    title: str
    caption: str
    svg: str


def framed(title: str, parts: Sequence[str]) -> str:
    """Return parts as a whole page in the style of all pages."""
    style = resources.files("cytat.surfaces.pages").joinpath("eval_page.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n"
        f"<style>\n{style}</style></head>\n<body><main>\n" + "\n".join(parts) + "\n</main></body>"
        "</html>\n"
    )


def text(words: str) -> str:
    """Return words as HTML text."""
    return escape(words, quote=True)


def figures(plots: Iterable[Plot], *, kind: str = "plots") -> Iterator[str]:
    """Yield plots beside each other; `kind` is a class of the style sheet."""
    yield f"<div class='{kind}'>"
    for plot in plots:
        yield f"<figure><figcaption><b>{text(plot.title)}</b> {text(plot.caption)}</figcaption>"
        yield f"{plot.svg}</figure>"
    yield "</div>"


def table(columns: Sequence[HtmlColumn]) -> Iterator[str]:
    """Yield a table that scrolls by itself where it is too wide."""
    yield "<div class='scroll'><table><tr>"
    yield "".join(f"<th>{text(title)}" for title, _ in columns)
    yield "</tr>"
    for row in range(len(columns[0][1])):
        yield "<tr>" + "".join(f"<td>{text(cells[row])}" for _, cells in columns) + "</tr>"
    yield "</table></div>"


def prints(named: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield names and values in small print: what the figures depend on."""
    yield "<dl class='print'>"
    for name, value in named:
        said = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        yield f"<dt>{text(name)}<dd>{text(said or 'none')}"
    yield "</dl>"


def field_values(record: Calibration | Fingerprint) -> Iterator[tuple[str, object]]:
    """Yield the fields of a record with their values."""
    for field in fields(record):
        yield field.name, getattr(record, field.name)
