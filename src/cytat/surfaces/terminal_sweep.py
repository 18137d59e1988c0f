"""Variants beside a baseline -> tables for people, narrow enough for a terminal of 100 columns."""

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from cytat.records import (
    Cause,
    ComparedMetric,
    EvalSweep,
    Margin,
    MetricValue,
    SweepProgress,
    Variant,
)
from cytat.surfaces import terminal
from cytat.surfaces.progress import time_left

COLUMNS = 100
NAME_COLUMNS = 34
BAR_WIDTH = 20
STEPS = 1000
EQUAL = "cannot be told apart"
FIGURES = ("recall@1", "recall@5", "ndcg@10", "mrr", "recall@10", "recall@20")
"""As many as there is room for."""
DEPTHS = (1, 5, 10, 20)
MINUTE_S, HOUR_S = 60, 3600
MEGABYTE = 1_000_000

Column = tuple[str, list[str]]


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Callable[[SweepProgress], None]]:
    """Give a function that draws progress on a terminal and is silent elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda _progress: None
        return
    with click.progressbar(
        length=STEPS,
        file=sys.stderr,
        show_eta=False,
        show_percent=True,
        item_show_func=_doing,
        width=BAR_WIDTH,
    ) as bar:

        def draw(progress: SweepProgress) -> None:
            share = (progress.variants_done + progress.share / 2) / progress.variants
            if progress.doing == "asking":
                share += 0.5 / progress.variants
            bar.update(round(share * STEPS) - bar.pos, progress)
            bar.render_progress()  # names and times change where the bar does not

        yield draw


def _doing(progress: SweepProgress | None) -> str | None:
    if progress is None:
        return None
    told = [
        f"{progress.variants_done + 1}/{progress.variants}",
        progress.variant,
        f"{progress.doing} {progress.share:.0%}",
    ]
    if progress.seconds_left is not None and progress.share < 1:
        told.append(time_left(progress.seconds_left))
    return " · ".join(told)


# ---------------------------------------------------------------- the report


def report(made: EvalSweep) -> None:
    """Print what can be told apart, then the figures, the groups, the price and the margins."""
    _conclusion(made)
    _figures(made)
    _differences(made)
    _groups(made)
    _prices(made)
    _margins(made.margins)
    for note in made.notes:
        terminal.talk(f"note: {note}")


def _conclusion(made: EvalSweep) -> None:
    baseline, *others = made.variants
    setup = baseline.setup
    _paragraph(
        f"{made.questions} questions. The baseline is the corpus as it is: {setup.chunking}, "
        f"{setup.embedder}, {setup.mode}, {setup.fusion}."
    )
    terminal.line()
    for verdict in ("better", "worse"):
        names = [one.name for one in others if verdict in _verdicts(one)]
        if names:
            _paragraph(f"{verdict.capitalize()} than the baseline: {', '.join(names)}.")
    equal = [one.name for one in others if _verdicts(one) == {EQUAL}]
    if equal:
        _paragraph(f"Cannot be told apart from it on these questions: {', '.join(equal)}.")
    for one in made.variants:
        first = one.diagnosis[0]
        if first.cause is Cause.CUTTING:
            _paragraph(f"{one.name}: {first.advice}")


def _verdicts(one: Variant) -> set[str]:
    """Return what the comparisons say; `cannot be told apart` only where all of them do."""
    found = {row.verdict for row in one.compared}
    return found if found == {EQUAL} else found - {EQUAL}


def _figures(made: EvalSweep) -> None:
    known = [_known(one, None) for one in made.variants]
    columns = [("what is found", [_name(one) for one in made.variants])]
    if any("destroyed" in one for one in known):
        columns.append(("destroyed", [_destroyed(one.get("destroyed")) for one in known]))
    columns += [
        (name, [_interval(one.get(name)) for one in known])
        for name in FIGURES
        if any(name in one for one in known)
    ]
    _table(columns)


def _destroyed(found: MetricValue | None) -> str:
    return "–" if found is None or found.value is None else f"{round(found.value * found.n)}"


def _differences(made: EvalSweep) -> None:
    _, *others = made.variants
    rows = [{one.name: one for one in variant.compared} for variant in others]
    columns = [("gained/lost at rank", [_name(one) for one in others])]
    columns += [
        (str(depth), [_gained_lost(one.get(f"recall@{depth}")) for one in rows])
        for depth in DEPTHS
        if any(f"recall@{depth}" in one for one in rows)
    ]
    columns += [
        ("least p", [_least(one.p for one in variant.compared) for variant in others]),
        ("corrected", [_least(one.p_corrected for one in variant.compared) for variant in others]),
        ("", [_told(one) for one in others]),
    ]
    _table(columns)


def _gained_lost(row: ComparedMetric | None) -> str:
    return "–" if row is None else f"+{row.better}/-{row.worse}"


def _least(values: Iterable[float]) -> str:
    least = min(values, default=None)
    return "–" if least is None else f"{least:.2g}"


def _told(one: Variant) -> str:
    """Return at which ranks a variant can be told apart, in words."""
    told = {
        verdict: [row.name.partition("@")[2] for row in one.compared if row.verdict == verdict]
        for verdict in ("better", "worse")
    }
    words = [f"{verdict} at {', '.join(ranks)}" for verdict, ranks in told.items() if ranks]
    return "; ".join(words) or EQUAL


def _groups(made: EvalSweep) -> None:
    columns = [("recall@5 by group", [_name(one) for one in made.variants])]
    columns += [
        (name, [_in_group(one, name) for one in made.variants]) for name in _told_groups(made)
    ]
    if len(columns) > 1:
        _table(columns)


def _told_groups(made: EvalSweep) -> list[str]:
    """Return the groups that pool several, or all where none does."""
    return [name for name, pooled in made.groups.items() if len(pooled) > 1] or list(made.groups)


def _in_group(one: Variant, group: str) -> str:
    value = _known(one, group).get("recall@5")
    row = next((row.metric for row in one.by_group if row.group == group), None)
    figure = "–" if value is None or value.value is None else f"{value.value:.2f}"
    return figure if row is None else f"{figure} {_gained_lost(row)}"


def _prices(made: EvalSweep) -> None:
    prices = [one.price for one in made.variants]
    _table(
        [
            ("price", [_name(one) for one in made.variants]),
            ("chunks", [f"{one.chunks}" for one in prices]),
            ("tokens each", [f"{one.mean_tokens:.0f}" for one in prices]),
            ("headings", [f"{one.heading_share:.0%}" for one in prices]),
            ("past window", [f"{one.past_window}" for one in prices]),
            ("embedding", [duration(one.embedding_s) for one in prices]),
            ("indexing", [duration(one.indexing_s) for one in prices]),
            ("search", [f"{one.search_ms:.0f} ms" for one in prices]),
            ("file", [f"{one.file_bytes / MEGABYTE:.1f} MB" for one in prices]),
        ]
    )


def _margins(margins: Sequence[Margin]) -> None:
    if len(margins) < 2:  # noqa: PLR2004 - one alone is compared with nothing
        return
    _table(
        [
            ("cosines", [one.embedder for one in margins]),
            ("lowest similar", [f"{one.lowest_similar:.3f}" for one in margins]),
            ("highest different", [f"{one.highest_different:.3f}" for one in margins]),
            ("margin", [f"{one.margin:+.3f}" for one in margins]),
            ("questions misled", [f"{one.negative}" for one in margins]),
            ("pairs", [f"{one.pairs}" for one in margins]),
        ]
    )


# ---------------------------------------------------------------- parts


def duration(seconds: float | None) -> str:
    """Return a time as one would say it; a dash where it is not known."""
    if seconds is None:
        return "–"
    if seconds < MINUTE_S:
        return f"{seconds:.1f} s"
    if seconds < HOUR_S:
        return f"{seconds / MINUTE_S:.1f} min"
    return f"{seconds / HOUR_S:.1f} h"


def _known(one: Variant, group: str | None) -> dict[str, MetricValue]:
    return {found.name: found for found in one.metrics if found.group == group}


def _interval(found: MetricValue | None) -> str:
    if found is None or found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.2f} [{_short(found.low)}–{_short(found.high)}]"


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _name(one: Variant) -> str:
    named = one.name
    return named if len(named) <= NAME_COLUMNS else f"{named[: NAME_COLUMNS - 1]}…"


def _paragraph(text: str) -> None:
    for line in textwrap.wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False):
        terminal.line(line)


def _table(columns: Sequence[Column]) -> None:
    """Print columns side by side, names to the left, as many as there is room for."""
    shown: list[tuple[str, list[str], int]] = []
    room = COLUMNS
    for title, cells in columns:
        width = max(map(len, (title, *cells)))
        room -= width + (2 if shown else 0)
        if room < 0:
            break
        shown.append((title, cells, width))
    terminal.line()
    for row in range(-1, len(columns[0][1])):
        cells = [
            f"{cells[row] if row >= 0 else title:{'>' if at and title else '<'}{width}}"
            for at, (title, cells, width) in enumerate(shown)
        ]
        terminal.line("  ".join(cells).rstrip())
