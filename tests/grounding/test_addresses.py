"""A draft must not carry a link or a picture out: only addresses of the cited passage stand."""

import pytest
from tests.grounding.passages import evidence_of, is_fresh

from cytat.grounding import Grounding, ground
from cytat.records import Verdict

RENT = "Czynsz wynosi 3 200 zł netto miesięcznie."
LINKED = "Wnioski o obniżenie czynszu składa się na www.gmina.pl/wnioski do końca maja."


def grounded(draft: str) -> Grounding:
    evidence, held = evidence_of(RENT, LINKED)
    return ground(draft, evidence, texts=held, is_stale=is_fresh)


@pytest.mark.parametrize(
    "draft",
    [
        "![Czynsz wynosi 3 200 zł netto miesięcznie](http://evil.example/?q=1) [1].",
        "Czynsz wynosi [3 200 zł](//evil.example/a) netto miesięcznie [1].",
        "Czynsz wynosi 3 200 zł netto miesięcznie, https://evil.example/a [1].",
        "Czynsz wynosi 3 200 zł netto miesięcznie www.evil.example [1].",
        "Czynsz wynosi 3 200 zł netto miesięcznie [tutaj](javascript:alert) [1].",
        "<img src=http://evil.example/x> Czynsz wynosi 3 200 zł netto miesięcznie [1].",
        "Wniosek o obniżenie czynszu składa się do maja na www.gmina.pl.evil.example [2].",
    ],
)
def test_a_link_that_no_cited_passage_holds_takes_its_statement_with_it(draft: str) -> None:
    result = grounded(draft)
    assert result.statements == ()
    assert {dropped.verdict for dropped in result.dropped} == {Verdict.UNSUPPORTED}


def test_an_address_that_stands_in_the_cited_passage_stands_in_the_answer() -> None:
    result = grounded("Wniosek o obniżenie czynszu składa się do maja na www.gmina.pl/wnioski [2].")
    assert [one.verdict for one in result.statements] == [Verdict.UNCHECKED]
