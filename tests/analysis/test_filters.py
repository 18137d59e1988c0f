"""Conditions of a filter and the documents they keep."""

from collections.abc import Sequence

import pytest

from cytat.analysis.filters import Facts, asked_of, holds, parse_where
from cytat.errors import UsageError
from cytat.records import Condition


def facts(**metadata: str) -> Facts:
    return Facts("archive/2025/umowa najmu.pdf", "Umowa", "application/pdf", "pl", metadata)


def matches(conditions: Sequence[Condition], document: Facts) -> bool:
    return all(holds(one, asked_of(one.key, document)) for one in conditions)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("source=umowa najmu.pdf", True),
        ("source=najmu.pdf", False),
        ("source=*.pdf", True),
        ("source=archive/2025/*", True),
        ("folder=2025", True),
        ("folder=archive/2025", True),
        ("folder=202", False),
        ("type=pdf", True),
        ("type=application/pdf", True),
        ("type=md,pdf", True),
        ("type!=pdf", False),
        ("language=pl", True),
        ("language=en", False),
        ("language!=en", True),
        ("title=umowa", True),
        ("client=Nowak", True),
        ("client=Kowalska,Nowak", True),
        ("client!=Nowak", False),
        ("client=", False),
        ("partner=", True),
        ("partner=Nowak", False),
        ("partner!=Nowak", False),
        ("tag=pilne", True),
        ("date>=2025-09-01", True),
        ("date<2025-09-01", False),
        ("date>=01.09.2025", True),
        ("date<=2025-09", True),
        ("date>2025-09", False),
        ("date>=2025", True),
        ("date<2025", False),
        ("amount>=1000", True),
        ("amount<1000", False),
        ("amount>1 229,50", True),
        ("client>5", False),
    ],
)
def test_a_condition_keeps_a_document_or_not(where: str, *, kept: bool) -> None:
    document = facts(client="Nowak", tag="pilne, umowy", date="2025-09-30", amount="1230")
    assert matches(parse_where([where]), document) is kept


def test_several_conditions_all_have_to_hold() -> None:
    assert matches(parse_where(["type=pdf", "language=pl"]), facts())
    assert not matches(parse_where({"type": "pdf", "language": "en"}), facts())


@pytest.mark.parametrize(
    "where", ["", "type", "=pdf", "date>=wczoraj", "date<2025-13-45", "client!="]
)
def test_what_is_no_condition_is_refused_with_the_form_it_should_have(where: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_where([where])
    assert "write" in refused.value.hint
