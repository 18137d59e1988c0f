"""The wire law: record -> JSON -> record is the identity, and equal records give equal bytes."""

import json
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cytat import records
from cytat.surfaces import wire

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.floats(allow_nan=False, allow_infinity=False, width=32)
COUNT = st.integers(0, 10**6)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def tuples(strategy: st.SearchStrategy[Any], *, least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(strategy, min_size=least, max_size=3).map(tuple)


SPAN = st.builds(lambda a, n: records.Span(a, a + n), COUNT, COUNT)
LOCATOR = st.builds(records.Locator, st.sampled_from(records.LocatorKind), TEXT, TEXT)
LEDGER = st.builds(
    lambda read, empty, ocr, failed, left, problems: records.Ledger(
        read + empty + ocr + failed, read, empty, ocr, failed, left, problems
    ),
    *[COUNT] * 5,
    tuples(st.builds(records.Problem, TEXT, TEXT, TEXT)),
)
WHY = st.builds(
    records.Why,
    optional(COUNT),
    optional(NUMBER),
    optional(COUNT),
    optional(NUMBER),
    optional(NUMBER),
)
HIT = st.builds(
    records.Hit, TEXT, TEXT, TEXT, TEXT, COUNT, NUMBER, SPAN, LOCATOR, tuples(TEXT), TEXT, WHY
)
OUTCOME = st.builds(
    records.FileOutcome,
    TEXT,
    TEXT,
    TEXT,
    COUNT,
    COUNT,
    optional(TEXT),
    optional(TEXT),
    optional(TEXT),
    optional(LEDGER),
)
REPORT = st.builds(
    records.IngestReport,
    *[tuples(OUTCOME)] * 6,
    st.dictionaries(TEXT, COUNT, max_size=3),
    NUMBER,
    tuples(TEXT),
)
CITATION = st.builds(
    records.Citation,
    st.just(1),
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    SPAN,
    LOCATOR,
    tuples(TEXT),
    TEXT,
    st.booleans(),
)
STATEMENT = st.builds(records.Statement, TEXT, st.just((1,)), st.sampled_from(records.Verdict))
ANSWER = st.builds(
    records.Answer,
    TEXT,
    TEXT,
    TEXT,
    st.booleans(),
    tuples(STATEMENT, least=1),
    tuples(st.builds(records.DroppedStatement, TEXT, st.sampled_from(records.Verdict), TEXT)),
    st.tuples(CITATION),
    TEXT,
    tuples(TEXT),
    optional(st.builds(records.Confidence, NUMBER, TEXT)),
    tuples(TEXT),
    optional(TEXT),
)
REFUSAL = st.builds(
    records.Refusal,
    TEXT,
    TEXT,
    st.sampled_from(records.RefusalReason),
    TEXT,
    tuples(HIT),
    st.builds(records.Coverage, COUNT, COUNT, COUNT),
    tuples(TEXT),
    optional(TEXT),
)


VERIFICATION = st.builds(
    records.Verification,
    tuples(st.builds(records.Check, TEXT, st.booleans(), TEXT, optional(TEXT))),
    tuples(TEXT),
)
BACKUP = st.builds(records.Backup, TEXT, TEXT, COUNT, COUNT, COUNT)
EXPORT = st.builds(records.Export, TEXT, tuples(TEXT), COUNT, COUNT, COUNT, COUNT)
FINGERPRINT = st.from_type(records.Fingerprint)
METRIC = st.builds(
    records.MetricValue,
    TEXT,
    *[optional(TEXT), *[optional(NUMBER)] * 3, optional(TEXT)],
    COUNT,
    COUNT,
)
COMPARED = st.builds(
    records.ComparedMetric, TEXT, NUMBER, NUMBER, COUNT, COUNT, COUNT, NUMBER, NUMBER, TEXT
)
VARIANT = st.builds(
    records.Variant,
    TEXT,
    tuples(TEXT),
    st.builds(records.Setup, *[TEXT] * 4),
    FINGERPRINT,
    tuples(METRIC),
    tuples(COMPARED),
    tuples(st.builds(records.GroupComparison, TEXT, COMPARED)),
    tuples(
        st.builds(records.Finding, optional(st.sampled_from(records.Cause)), COUNT, COUNT, TEXT)
    ),
    st.builds(
        records.Price,
        COUNT,
        COUNT,
        NUMBER,
        COUNT,
        NUMBER,
        COUNT,
        *[optional(NUMBER)] * 2,
        NUMBER,
        COUNT,
    ),
)
SWEEP = st.builds(
    records.EvalSweep,
    COUNT,
    COUNT,
    tuples(TEXT),
    st.dictionaries(TEXT, tuples(TEXT), max_size=3),
    tuples(VARIANT),
    tuples(
        st.builds(
            records.Margin,
            TEXT,
            TEXT,
            COUNT,
            *[NUMBER] * 3,
            COUNT,
            COUNT,
            tuples(st.builds(records.SimilarPair, TEXT, NUMBER, NUMBER)),
        )
    ),
    COUNT,
    tuples(TEXT),
)


@given(st.one_of(REPORT, ANSWER, REFUSAL, VERIFICATION, BACKUP, EXPORT, SWEEP))
def test_a_record_comes_back_equal_from_its_json(record: object) -> None:
    sent = wire.dumps(wire.to_json(record))
    assert wire.from_json(json.loads(sent)) == record
    assert wire.dumps(wire.to_json(wire.from_json(json.loads(sent)))) == sent


PLAIN: Mapping[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: COUNT,
    float: NUMBER,
    bool: st.booleans(),
    NoneType: st.none(),
    records.Span: SPAN,
}


def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Return values of a type form, records by their fields."""
    kind = getattr(kind, "__supertype__", kind)
    if kind in PLAIN:
        return PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, UnionType):
        return st.one_of(*(of_type(one) for one in arguments))
    if origin is tuple:
        return tuples(of_type(arguments[0]))
    if origin is Mapping:
        return st.dictionaries(TEXT, of_type(arguments[1]), max_size=3)
    if issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: of_type(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize(
    "kind",
    [records.EvalReport, records.RunComparison, records.GoldDraft, records.JudgeAgreement],
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_measuring_makes_comes_back_equal(kind: type, data: st.DataObject) -> None:
    record = data.draw(of_type(kind))
    sent = wire.dumps(wire.to_json(record))
    assert wire.from_json(json.loads(sent)) == record


def test_a_ranking_comes_back_equal_and_names_its_kind_and_format() -> None:
    place = records.Locator(records.LocatorKind.PAGE, "p. 12", "#page=12")
    why = records.Why(1, 7.5, None, None, None)
    place_of_copy = records.Span(5, 11)
    hit = records.Hit(
        records.ChunkId("c1"),
        records.DocumentId("d1"),
        "a.pdf",
        "A",
        1,
        0.5,
        records.Span(3, 9),
        place,
        ("Art. 43",),
        "sześć!",
        why,
        (
            records.Copy(
                records.ChunkId("c2"), records.DocumentId("d2"), "b.pdf", "B", (), place_of_copy
            ),
        ),
    )
    ranking = records.Ranking("co?", "hybrid", (hit,), None, ())
    value = wire.to_json(ranking)
    assert value["kind"] == "ranking"
    assert value["format"] == 1
    assert value["trace_id"] is None
    assert json.loads(wire.dumps(value))["hits"][0]["locator"] == {
        "kind": "page",
        "label": "p. 12",
        "fragment": "#page=12",
    }
    assert wire.from_json(json.loads(wire.dumps(value))) == ranking


def test_a_calibration_comes_back_equal_with_weights_and_without() -> None:
    rate = records.ErrorRate("lost", 1, 10, 0.02, 0.4)
    errors = records.GateErrors(rate, rate, (rate,))
    for refitted in (None, records.GateWeights(-0.5, {"shared": 1.25})):
        calibration = records.Calibration(
            "g.jsonl", "hash", 3, "w", "g", 10, 11, 2.5, -0.75, refitted, 1.0, 0.5
        )
        steps = (records.SweepStep(-0.5, errors), records.SweepStep(0.0, errors))
        report = records.CalibrationReport(
            calibration,
            is_stored=True,
            shipped=errors,
            chosen=errors,
            held_out=errors,
            folds=5,
            sweep=steps,
            notes=("note",),
        )
        for record in (report, records.CalibrationReset(calibration)):
            value = json.loads(wire.dumps(wire.to_json(record)))
            assert wire.from_json(value) == record


def test_a_file_name_that_is_no_text_still_makes_valid_json() -> None:
    outcome = records.FileOutcome(
        "za\udcb3.txt", records.DocumentId("d"), "failed", 0, 0, None, None, None, None
    )
    report = records.IngestReport((), (), (), (), (), (outcome,), {}, 0.0, ())
    assert json.loads(wire.dumps(wire.to_json(report)))["failed"][0]["source"] == "za\ufffd.txt"


def test_a_number_that_is_not_finite_never_leaves_as_json() -> None:
    report = records.IngestReport((), (), (), (), (), (), {}, float("nan"), ())
    with pytest.raises(ValueError, match="JSON"):
        wire.dumps(wire.to_json(report))
