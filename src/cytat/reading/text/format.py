"""Text and Markdown as formats: how they are known and what their places are.

Imports no parser. Small files of both are read in the main process: they are read in plain Python,
which has nothing to crash, and asking a child would double their time.
"""

from typing import TYPE_CHECKING

from cytat.protocols import FileFormat, FileSample, Fit
from cytat.records import LocatorKind

if TYPE_CHECKING:
    from cytat.protocols import Reader

READ_HERE_BYTES = 64 * 1024
"""Most notes are smaller. The worst text of this size found takes 16 times an ordinary one's time,
two seconds on a busy machine: benchmarks/results/reading_isolation.json."""
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"})
_PLACES = frozenset({LocatorKind.HEADING, LocatorKind.LINE})


def _fits_markdown(sample: FileSample) -> Fit:
    is_named = sample.suffix in _MARKDOWN_SUFFIXES or sample.media_type == "text/markdown"
    return Fit.NAME if is_named else Fit.NONE


def _fits_any(_: FileSample) -> Fit:
    return Fit.ANY_TEXT


def _open_markdown() -> "Reader":
    from cytat.reading.text.markdown import MarkdownReader  # noqa: PLC0415 - when it is needed

    return MarkdownReader()


def _open_plain() -> "Reader":
    from cytat.reading.text.plain import PlainReader  # noqa: PLC0415 - when it is needed

    return PlainReader()


MARKDOWN = FileFormat(
    reader="markdown/2",
    titles={"en": "a Markdown text", "pl": "tekst Markdown"},
    places=_PLACES,
    fits=_fits_markdown,
    open=_open_markdown,
    read_here_bytes=READ_HERE_BYTES,
)
PLAIN = FileFormat(
    reader="plain/2",
    titles={"en": "a text file", "pl": "plik tekstowy"},
    places=_PLACES,
    fits=_fits_any,
    open=_open_plain,
    read_here_bytes=READ_HERE_BYTES,
)
