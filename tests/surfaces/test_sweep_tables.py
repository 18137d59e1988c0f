"""A sweep -> sentences and cells: what is told of variants, worked out by hand."""

import pytest

from cytat.records import (
    EQUAL,
    Cause,
    ComparedMetric,
    EvalSweep,
    Finding,
    Fingerprint,
    MetricValue,
    Price,
    Setup,
    Variant,
)
from cytat.surfaces import sweep_tables

SETUP = Setup("structure:320", "e5-small", "hybrid", "best-shares")
PRINT = Fingerprint(
    system="cytat", gold="g", documents="d", where=(), depth=50, generation=1,
    chunking=("structure/1:320",), chunks=2, encoder="e5-small", weights="w", mode="hybrid",
    evidence=8, generator="none", gate="g", prompts="none", judge="none", code="c",
    fusion="best-shares",
)  # fmt: skip
PRICE = Price(1_000, 250_000, 250.0, 50_000, 0.2, 3, 225.0, 7_260.0, 12.4, 5_250_000)


def compared(depth: int, better: int, worse: int, verdict: str) -> ComparedMetric:
    return ComparedMetric(f"recall@{depth}", 0.5, 0.6, 40, better, worse, 0.01, 0.04, verdict)


def variant(name: str, *rows: ComparedMetric, cause: Cause | None = None) -> Variant:
    found = MetricValue("recall@5", None, 0.5, 0.352, 0.648, "wilson", 40, 0)
    advice = Finding(cause, 3, 40, "Fix the chunking: 3 of 40 answers are not whole in any chunk.")
    return Variant(name, ("mode",), SETUP, PRINT, (found,), rows, (), (advice,), PRICE)


def sweep(*others: Variant) -> EvalSweep:
    return EvalSweep(60, 50, ("mode",), {}, (variant("baseline"), *others), (), 8, ())


def cells(table: sweep_tables.TextTable, row: int) -> dict[str, str]:
    return {title: column[row] for title, column in table}


def test_the_baseline_and_how_many_questions_count_are_told() -> None:
    assert sweep_tables.baseline(sweep()) == (
        "40 of 60 questions have something to be found. The baseline is the corpus as it is: "
        "structure:320, e5-small, hybrid, best-shares."
    )


def test_what_is_better_at_one_rank_and_worse_at_another_is_told_as_both() -> None:
    mixed = variant("mixed", compared(1, 9, 0, "better"), compared(5, 0, 9, "worse"))
    same = variant("same", compared(1, 1, 1, EQUAL))
    half = variant("half", compared(1, 9, 0, "better"), compared(5, 0, 0, EQUAL))
    made = sweep(mixed, same, half)
    assert list(sweep_tables.conclusions(made)) == [
        "Better than the baseline: mixed, half.",
        "Worse than the baseline: mixed.",
        "Cannot be told apart from the baseline on these questions: same.",
    ]
    table = sweep_tables.differences(made)
    assert cells(table, 0) == {
        "gained/lost at rank": "mixed",
        "1": "+9/-0",
        "5": "+0/-9",
        "least p": "0.01",
        "corrected": "0.04",
        "": "better at 1; worse at 5",
    }
    assert cells(table, 1)[""] == "cannot be told apart"
    assert cells(table, 1)["5"] == "–"


def test_only_a_cutting_that_fails_most_questions_is_told_of() -> None:
    made = sweep(variant("fixed:30", cause=Cause.CUTTING), variant("b", cause=Cause.RETRIEVAL))
    assert [(name, one.cause) for name, one in sweep_tables.cutting_findings(made)] == [
        ("fixed:30", Cause.CUTTING)
    ]


def test_figures_have_their_intervals_and_prices_their_units() -> None:
    assert cells(sweep_tables.figures(sweep()), 0) == {
        "what is found": "baseline",
        "recall@5": "0.50 [.35–.65]",
    }
    assert cells(sweep_tables.prices(sweep()), 0) == {
        "price": "baseline",
        "chunks": "1000",
        "tokens each": "250",
        "headings": "20%",
        "past window": "3",
        "embedding": "3.8 min",
        "indexing": "2.0 h",
        "search": "12 ms",
        "file": "5.2 MB",
    }


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(None, "–"), (0.04, "0.0 s"), (59.9, "59.9 s"), (90.0, "1.5 min"), (5_400.0, "1.5 h")],
)
def test_a_time_is_told_in_the_unit_that_fits(seconds: float | None, told: str) -> None:
    assert sweep_tables.duration(seconds) == told
