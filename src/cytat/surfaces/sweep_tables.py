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
    setup, asked = first.setup, max((metric.n for metric in first.metrics), default=0)
    return (
        f"{asked} of {made.questions} questions have something to be found. The baseline is the "
        f"corpus as it is: {setup.chunking}, {setup.embedder}, {setup.mode}, {setup.fusion}."
    )


def conclusions(made: EvalSweep) -> Iterator[str]:
    """Yield what differs from the baseline, and what does not."""
    others = made.variants[1:]
    for verdict in ("better", "worse"):
        names = [variant.name for variant in others if verdict in _verdicts(variant)]
        if names:
            yield f"{verdict.capitalize()} than the baseline: {', '.join(names)}."
    equal = [variant.name for variant in others if _verdicts(variant) == {EQUAL}]
    if equal:
        yield f"Cannot be told apart from the baseline on these questions: {', '.join(equal)}."


def cutting_findings(made: EvalSweep) -> Iterator[tuple[str, Finding]]:
    """Yield the variants whose cutting is what fails most questions."""
    for variant in made.variants:
        if variant.diagnosis[0].cause is Cause.CUTTING:
            yield variant.name, variant.diagnosis[0]


def _verdicts(variant: Variant) -> set[str]:
    """Return what the comparisons say; `cannot be told apart` only if all of them do."""
    found = {row.verdict for row in variant.compared}
    return found if found == {EQUAL} else found - {EQUAL}


# ---------------------------------------------------------------- tables


def figures(made: EvalSweep) -> TextTable:
    """Return what is found and what the cutting destroyed, with intervals."""
    known = [known_metrics(variant) for variant in made.variants]
    table = [("what is found", _names(made.variants))]
    if any("destroyed" in metrics for metrics in known):
        table.append(("destroyed", [_destroyed(metrics.get("destroyed")) for metrics in known]))
    table += [
        (name, [_interval(metrics.get(name)) for metrics in known])
        for name in SWEPT_FIGURES
        if any(name in metrics for metrics in known)
    ]
    return table


def differences(made: EvalSweep) -> TextTable:
    """Return the questions gained and lost at each rank, and whether chance explains them."""
    others = made.variants[1:]
    rows = [{row.name: row for row in variant.compared} for variant in others]
    table = [("gained/lost at rank", _names(others))]
    table += [
        (str(depth), [gained_lost(row.get(f"recall@{depth}")) for row in rows])
        for depth in SWEPT_DEPTHS
        if any(f"recall@{depth}" in row for row in rows)
    ]
    return [
        *table,
        ("least p", [_least(row.p for row in variant.compared) for variant in others]),
        ("corrected", [_least(row.p_corrected for row in variant.compared) for variant in others]),
        ("", [_in_words(variant) for variant in others]),
    ]


def tests(made: EvalSweep) -> TextTable:
    """Return every test that was made, a row each: over all questions, then by group."""
    rows = [(variant.name, "all", row) for variant in made.variants for row in variant.compared]
    rows += [
        (variant.name, row.group, row.metric)
        for variant in made.variants
        for row in variant.by_group
    ]
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
        (name, [_in_group(variant, name) for variant in made.variants])
        for name in pools or made.groups
    ]
    return table


def prices(made: EvalSweep) -> TextTable:
    """Return what each costs."""
    found = [variant.price for variant in made.variants]
    return [
        ("price", _names(made.variants)),
        ("chunks", [f"{price.chunks}" for price in found]),
        ("tokens each", [f"{price.mean_tokens:.0f}" for price in found]),
        ("headings", [f"{price.heading_share:.0%}" for price in found]),
        ("past window", [f"{price.past_window}" for price in found]),
        ("embedding", [duration(price.embedding_s) for price in found]),
        ("indexing", [duration(price.indexing_s) for price in found]),
        ("search", [f"{price.search_ms:.0f} ms" for price in found]),
        ("file", [f"{price.file_bytes / MEGABYTE:.1f} MB" for price in found]),
    ]


def margins(found: Iterable[Margin]) -> TextTable:
    """Return how well encoders keep apart what answers and what does not."""
    rows = list(found)
    return [
        ("cosines", [margin.embedder for margin in rows]),
        ("lowest similar", [f"{margin.lowest_similar:.3f}" for margin in rows]),
        ("highest different", [f"{margin.highest_different:.3f}" for margin in rows]),
        ("margin", [f"{margin.margin:+.3f}" for margin in rows]),
        ("questions misled", [f"{margin.negative} of {margin.questions}" for margin in rows]),
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


def known_metrics(variant: Variant, group: str | None = None) -> dict[str, MetricValue]:
    """Return the metrics of a group by name; None: of all questions."""
    return {found.name: found for found in variant.metrics if found.group == group}


def _names(variants: Iterable[Variant]) -> list[str]:
    return [variant.name for variant in variants]


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


def _in_words(variant: Variant) -> str:
    """Return at which ranks a variant differs, in words."""
    ranks_of = {
        verdict: [row.name.partition("@")[2] for row in variant.compared if row.verdict == verdict]
        for verdict in ("better", "worse")
    }
    words = [f"{verdict} at {', '.join(ranks)}" for verdict, ranks in ranks_of.items() if ranks]
    return "; ".join(words) or EQUAL


def _in_group(variant: Variant, group: str) -> str:
    value = known_metrics(variant, group).get("recall@5")
    row = next((row.metric for row in variant.by_group if row.group == group), None)
    figure = "–" if value is None or value.value is None else f"{value.value:.2f}"
    return figure if row is None else f"{figure} {gained_lost(row)}"
