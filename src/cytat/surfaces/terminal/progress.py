"""Progress -> one line on a terminal that is drawn again and again; elsewhere nothing."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

import click

from cytat.records import DownloadProgress, Progress
from cytat.surfaces.terminal.escaping import visible
from cytat.surfaces.terminal.printing import counted

BAR_WIDTH = 20
STEPS = 1000
"""Of a bar: finer than any terminal is wide."""
MINUTE_S, HOUR_S = 60, 3600
MEGABYTE = 1_000_000
FINE_BELOW_S = 90
"""Below this, seconds are shown in steps of five: finer steps would claim too much precision."""


Progressing = TypeVar("Progressing")


def progress_bar(*, quiet: bool) -> AbstractContextManager[Callable[[Progress], None]]:
    """Give a function that draws progress on a terminal and is silent elsewhere."""
    return drawn_bar(quiet=quiet, share=lambda progress: progress.share, said=_current)


def download_bar(*, quiet: bool) -> AbstractContextManager[Callable[[DownloadProgress], None]]:
    """Give a function that draws how far a download is, and is silent elsewhere."""
    return drawn_bar(quiet=quiet, share=lambda progress: progress.share, said=_downloaded)


@contextmanager
def drawn_bar(
    *,
    quiet: bool,
    share: Callable[[Progressing], float],
    said: Callable[[Progressing | None], str | None],
) -> Iterator[Callable[[Progressing], None]]:
    """Give a function that draws how far something is: the share that is done, and words."""
    if quiet or not sys.stderr.isatty():
        yield lambda _progress: None
        return
    with click.progressbar(
        length=STEPS,
        file=sys.stderr,
        show_eta=False,
        show_percent=True,
        item_show_func=said,
        width=BAR_WIDTH,
    ) as bar:

        def draw(progress: Progressing) -> None:
            bar.update(round(share(progress) * STEPS) - bar.pos, progress)
            bar.render_progress()  # names and times change where the bar does not

        yield draw


def time_left(seconds: float) -> str:
    """Return a duration for people."""
    if seconds < FINE_BELOW_S:
        return f"about {max(round(seconds / 5) * 5, 5)} s left"
    if seconds < HOUR_S:
        return f"about {round(seconds / MINUTE_S)} min left"
    hours, rest = divmod(round(seconds / MINUTE_S), MINUTE_S)
    return f"about {hours} h {rest:02} min left"


def _downloaded(progress: DownloadProgress | None) -> str | None:
    if progress is None:
        return None
    done = min(progress.done_bytes, progress.total_bytes) / MEGABYTE
    return f"{progress.name}: {done:.0f} of {progress.total_bytes / MEGABYTE:.0f} MB"


def _current(progress: Progress | None) -> str | None:
    if progress is None:
        return None
    parts = [f"{progress.files_done}/{progress.files}", counted(progress.chunks, "chunk")]
    if progress.seconds_left is not None and progress.share < 1:
        parts.append(time_left(progress.seconds_left))
    line = " · ".join(parts)
    room = shutil.get_terminal_size().columns - BAR_WIDTH - len("  [] 100% ") - len(line) - 3
    return f"{line} · {_shortened(visible(progress.source), max(room, 10))}"


def _shortened(name: str, room: int) -> str:
    return name if len(name) <= room else "…" + name[1 - room :]
