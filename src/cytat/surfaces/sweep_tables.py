"""A sweep -> sentences and tables of short texts, which a terminal and a page lay out. Pure.

A table is its columns: a title and a cell for each variant, names first.
"""

from collections.abc import Iterable, Iterator

from cytat.records import (
    EQUAL,
    Cause,
    ComparedMetric,
    EvalSweep,
    Finding,
    Margin,
    MetricValue,
    Variant,
)
from cytat.records.metrics import SWEPT_DEPTHS, SWEPT_FIGURES

MINUTE_S, HOUR_S = 60, 3600
MEGABYTE = 1_000_000

TextColumn = tuple[str, list[str]]
TextTable = list[TextColumn]


# ---------------------------------------------------------------- sentences


def baseline(made: EvalSweep) -> str:
    """Return what all else is compared with."""
    first = made.variants[0]
    setup, asked = first.setup, max((one.n for one in first.metrics), default=0)
    return (
        f"{asked} of {made.questions} questions have something to be found. The baseline is the "
        f"corpus as it is: {setup.chunking}, {setup.embedder}, {setup.mode}, {setup.fusion}."
    )


def conclusions(made: EvalSweep) -> Iterator[str]:
    """Yield what can be told apart from the baseline, and what cannot."""
    others = made.variants[1:]
    for verdict in ("better", "worse"):
        names = [one.name for one in others if verdict in _verdicts(one)]
        if names:
            yield f"{verdict.capitalize()} than the baseline: {', '.join(names)}."
    equal = [one.name for one in others if _verdicts(one) == {EQUAL}]
    if equal:
        yield f"Cannot be told apart from the baseline on these questions: {', '.join(equal)}."


def cutting_findings(made: EvalSweep) -> Iterator[tuple[str, Finding]]:
    """Yield the variants whose cutting is what fails most questions."""
    for one in made.variants:
        if one.diagnosis[0].cause is Cause.CUTTING:
            yield one.name, one.diagnosis[0]


def _verdicts(one: Variant) -> set[str]:
    """Return what the comparisons say; `cannot be told apart` only where all of them do."""
    found = {row.verdict for row in one.compared}
    return found if found == {EQUAL} else found - {EQUAL}


# ---------------------------------------------------------------- tables


def figures(made: EvalSweep) -> TextTable:
    """Return what is found and what the cutting destroyed, with intervals."""
    known = [known_metrics(one) for one in made.variants]
    table = [("what is found", _names(made.variants))]
    if any("destroyed" in one for one in known):
        table.append(("destroyed", [_destroyed(one.get("destroyed")) for one in known]))
    table += [
        (name, [_interval(one.get(name)) for one in known])
        for name in SWEPT_FIGURES
        if any(name in one for one in known)
    ]
    return table


def differences(made: EvalSweep) -> TextTable:
    """Return the questions gained and lost at each rank, and whether chance explains them."""
    others = made.variants[1:]
    rows = [{one.name: one for one in variant.compared} for variant in others]
    table = [("gained/lost at rank", _names(others))]
    table += [
        (str(depth), [gained_lost(one.get(f"recall@{depth}")) for one in rows])
        for depth in SWEPT_DEPTHS
        if any(f"recall@{depth}" in one for one in rows)
    ]
    return [
        *table,
        ("least p", [_least(one.p for one in variant.compared) for variant in others]),
        ("corrected", [_least(one.p_corrected for one in variant.compared) for variant in others]),
        ("", [_told(one) for one in others]),
    ]


def tests(made: EvalSweep) -> TextTable:
    """Return every test that was made, a row each: over all questions, then by group."""
    rows = [(one.name, "all", row) for one in made.variants for row in one.compared]
    rows += [(one.name, row.group, row.metric) for one in made.variants for row in one.by_group]
    return [
        ("variant", [name for name, _, _ in rows]),
        ("group", [group for _, group, _ in rows]),
        ("metric", [row.name for _, _, row in rows]),
        ("baseline", [f"{row.baseline:.3f}" for _, _, row in rows]),
        ("value", [f"{row.value:.3f}" for _, _, row in rows]),
        ("gained/lost", [gained_lost(row) for _, _, row in rows]),
        ("questions", [f"{row.n}" for _, _, row in rows]),
        ("p", [f"{row.p:.2g}" for _, _, row in rows]),
        ("corrected", [f"{row.p_corrected:.2g}" for _, _, row in rows]),
        ("verdict", [row.verdict for _, _, row in rows]),
    ]


def groups(made: EvalSweep) -> TextTable:
    """Return recall by group: the groups that pool several, or all where none does."""
    pools = [name for name, pooled in made.groups.items() if len(pooled) > 1]
    table = [("recall@5 by group", _names(made.variants))]
    table += [
        (name, [_in_group(one, name) for one in made.variants]) for name in pools or made.groups
    ]
    return table


def prices(made: EvalSweep) -> TextTable:
    """Return what each costs."""
    found = [one.price for one in made.variants]
    return [
        ("price", _names(made.variants)),
        ("chunks", [f"{one.chunks}" for one in found]),
        ("tokens each", [f"{one.mean_tokens:.0f}" for one in found]),
        ("headings", [f"{one.heading_share:.0%}" for one in found]),
        ("past window", [f"{one.past_window}" for one in found]),
        ("embedding", [duration(one.embedding_s) for one in found]),
        ("indexing", [duration(one.indexing_s) for one in found]),
        ("search", [f"{one.search_ms:.0f} ms" for one in found]),
        ("file", [f"{one.file_bytes / MEGABYTE:.1f} MB" for one in found]),
    ]


def margins(found: Iterable[Margin]) -> TextTable:
    """Return how well encoders keep apart what answers and what does not."""
    rows = list(found)
    return [
        ("cosines", [one.embedder for one in rows]),
        ("lowest similar", [f"{one.lowest_similar:.3f}" for one in rows]),
        ("highest different", [f"{one.highest_different:.3f}" for one in rows]),
        ("margin", [f"{one.margin:+.3f}" for one in rows]),
        ("questions misled", [f"{one.negative} of {one.questions}" for one in rows]),
    ]


# ---------------------------------------------------------------- cells


def duration(seconds: float | None) -> str:
    """Return a time as one would say it; a dash where it is not known."""
    if seconds is None:
        return "–"
    if seconds < MINUTE_S:
        return f"{seconds:.1f} s"
    if seconds < HOUR_S:
        return f"{seconds / MINUTE_S:.1f} min"
    return f"{seconds / HOUR_S:.1f} h"


def gained_lost(row: ComparedMetric | None) -> str:
    """Return how many questions are better and worse."""
    return "–" if row is None else f"+{row.better}/-{row.worse}"


def known_metrics(one: Variant, group: str | None = None) -> dict[str, MetricValue]:
    """Return the metrics of a group by name; None: of all questions."""
    return {found.name: found for found in one.metrics if found.group == group}


def _names(variants: Iterable[Variant]) -> list[str]:
    return [one.name for one in variants]


def _destroyed(found: MetricValue | None) -> str:
    return "–" if found is None or found.value is None else f"{round(found.value * found.n)}"


def _interval(found: MetricValue | None) -> str:
    if found is None or found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.2f} [{_short(found.low)}–{_short(found.high)}]"


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


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


def _in_group(one: Variant, group: str) -> str:
    value = known_metrics(one, group).get("recall@5")
    row = next((row.metric for row in one.by_group if row.group == group), None)
    figure = "–" if value is None or value.value is None else f"{value.value:.2f}"
    return figure if row is None else f"{figure} {gained_lost(row)}"
