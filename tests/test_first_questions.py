"""The questions that carry the idea, asked of the example documents with the real encoder."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cytat import Corpus
from cytat.records import Answer, Refusal, RefusalReason

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[1]
DOCUMENTS = ROOT / "examples" / "documents"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
]
INVOICES = ("0141", "0142", "0143", "0144")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Corpus.open(tmp_path_factory.mktemp("corpus") / "cytat.db") as opened:
        report = opened.add([DOCUMENTS])
        assert report.failed == ()
        yield opened


def answer_to(corpus: Corpus, question: str) -> Answer:
    reply = corpus.ask(question)
    assert isinstance(reply, Answer), reply
    return reply


def refusal_of(corpus: Corpus, question: str) -> Refusal:
    reply = corpus.ask(question)
    assert isinstance(reply, Refusal), reply.text
    return reply


def quotes_from(answer: Answer, source: str) -> str:
    return "\n".join(found.quote for found in answer.citations if found.source.endswith(source))


def test_the_rate_on_books_is_quoted_from_the_table_of_rates(corpus: Corpus) -> None:
    answer = answer_to(corpus, "Jaka jest stawka VAT na książki?")
    assert "5 %" in quotes_from(answer, "biuro/stawki-vat.md")
    assert answer.language == "pl"


def test_whether_doctors_are_taxed_is_quoted_from_the_exemptions(corpus: Corpus) -> None:
    answer = answer_to(corpus, "czy usługi lekarskie są opodatkowane")
    quoted = quotes_from(answer, "biuro/zwolnienia.txt")
    assert "opieki medycznej wykonywane przez lekarzy" in quoted
    assert "Zwalnia się od podatku:" in quoted, "without the lead-in nobody sees that it is exempt"


def test_an_article_is_found_by_its_number(corpus: Corpus) -> None:
    first = corpus.search("Art. 43", depth=5).hits[0]
    assert first.source.endswith("biuro/zwolnienia.txt")
    assert any("Art. 43" in heading for heading in first.heading_path) or "Art. 43" in first.text


@pytest.mark.parametrize("number", INVOICES)
def test_an_invoice_is_the_first_hit_for_its_number_and_no_other_is(
    corpus: Corpus, number: str
) -> None:
    first = corpus.search(f"FV/2025/09/{number}", depth=5).hits[0]
    assert f"FV/2025/09/{number}" in first.text
    assert not [other for other in INVOICES if other != number and f"/{other}" in first.text]


def test_the_number_of_an_invoice_is_answered_with_its_buyer_and_amounts(corpus: Corpus) -> None:
    answer = answer_to(corpus, "FV/2025/09/0143")
    (statement,) = answer.statements
    for words in ("FV/2025/09/0143", "Księgarnia Przy Rynku", "2 310,00", "2 841,30"):
        assert words in statement.text


def test_how_good_the_english_must_be_is_quoted_from_article_five(corpus: Corpus) -> None:
    answer = answer_to(corpus, "How good must my English be?")
    assert "C1" in quotes_from(answer, "school/regulation.md")
    assert any("Article 5" in " ".join(found.heading_path) for found in answer.citations)


def test_what_a_form_is_comes_from_the_list_of_forms(corpus: Corpus) -> None:
    answer = answer_to(corpus, "What is form PHD-07?")
    cited = [found for found in answer.citations if found.source.endswith("school/forms.html")]
    heading, *rest = (found.quote for found in cited)
    assert heading == "Form PHD-07: Request for extension of the submission deadline"
    assert any("Used when the thesis cannot be submitted on time." in quote for quote in rest)


def test_the_power_that_may_be_drawn_is_a_sentence_and_not_the_head_of_a_table(
    corpus: Corpus,
) -> None:
    answer = answer_to(corpus, "What power may the unit MU-4 draw since 1 April 2025?")
    assert "60 W" in quotes_from(answer, "technical/power-limits.md")


def test_answers_are_short(corpus: Corpus) -> None:
    replies = [corpus.ask(case["question"]) for case in QUESTIONS[:12]]
    counts = [len(reply.statements) for reply in replies if isinstance(reply, Answer)]
    assert sum(counts) / len(counts) <= 1.6


def test_the_zus_contribution_is_refused_in_polish(corpus: Corpus) -> None:
    refusal = refusal_of(corpus, "Ile wynosi składka ZUS?")
    assert refusal.language == "pl"
    assert refusal.coverage.documents == len(list(DOCUMENTS.rglob("*.*")))
    assert refusal.reason in {
        RefusalReason.NO_EVIDENCE,
        RefusalReason.WEAK_EVIDENCE,
        RefusalReason.NOT_IN_EVIDENCE,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in QUESTIONS if case["group"] == "refuse-far"], ids=lambda c: c["id"]
)
def test_a_question_about_something_else_is_refused(corpus: Corpus, case: dict[str, Any]) -> None:
    refusal_of(corpus, case["question"])


def test_nine_of_ten_questions_find_their_passage_among_the_first_five(corpus: Corpus) -> None:
    answerable = [case for case in QUESTIONS if case["answerable"]]
    missed = []
    for case in answerable:
        hits = corpus.search(case["question"], depth=5).hits
        if not any(needle in hit.text for needle in case["needles"] for hit in hits):
            missed.append(case["question"])
    assert len(missed) <= len(answerable) // 10, missed


@pytest.mark.slow
def test_every_citation_of_every_answer_is_where_it_says(corpus: Corpus) -> None:
    citations = 0
    for case in QUESTIONS:
        reply = corpus.ask(case["question"])
        if isinstance(reply, Answer):
            for found in reply.citations:
                assert corpus.show(found.source, span=found.span).text == found.quote
                citations += 1
    assert citations > len(QUESTIONS) // 2
