"""Answers without a model: sentences that answer, word for word."""

from dataclasses import replace

import pytest
from tests.answering.corpus_of import SmallCorpus, corpus_of
from tests.grounding.passages import evidence_of

from cytat.records import Span, Verdict

LEASE = ("Kaucja wynosi 4300 zł.", "Czynsz 2150 zł.", "Najem na 12 miesięcy.")


def test_the_sentence_that_answers_is_quoted_with_its_marker() -> None:
    text = "Strony zawarły umowę w maju. Kaucja wynosi 4300 zł. Zwrot następuje po miesiącu."
    answer = corpus_of(text, *LEASE[1:]).ask("Ile wynosi kaucja?").answer
    assert answer.text == "Kaucja wynosi 4300 zł [1]."
    assert [one.verdict for one in answer.statements] == [Verdict.QUOTED]
    assert [one.quote for one in answer.citations] == ["Kaucja wynosi 4300 zł."]
    assert answer.generator == "quoting"
    assert answer.language == "pl"


def test_a_quote_on_two_lines_is_the_text_as_it_stands() -> None:
    answer = (
        corpus_of("Kaucja za lokal\nwynosi 4300 zł.", *LEASE[1:]).ask("Ile wynosi kaucja?").answer
    )
    assert answer.statements[0].text == "Kaucja za lokal\nwynosi 4300 zł."
    assert answer.citations[0].quote == "Kaucja za lokal\nwynosi 4300 zł."


def test_a_row_is_quoted_with_the_head_of_its_table() -> None:
    table = "| Towar | Stawka VAT |\n|---|---|\n| Książki | 5 % |\n| Meble | 23 % |\n"
    answer = corpus_of(table, *LEASE).ask("Jaka jest stawka VAT na książki?").answer
    quotes = [one.quote for one in answer.citations]
    assert quotes[:2] == ["| Towar | Stawka VAT |", "| Książki | 5 % |"]


def test_an_item_is_quoted_with_the_line_that_introduces_it() -> None:
    text = (
        "Zwalnia się od podatku:\n1) usługi pocztowe;\n2) usługi lekarskie;\n3) usługi kredytowe.\n"
    )
    answer = corpus_of(text, *LEASE).ask("czy usługi lekarskie są zwolnione od podatku").answer
    quotes = [one.quote for one in answer.citations]
    assert "Zwalnia się od podatku:" in quotes[0]
    assert any("usługi lekarskie" in quote for quote in quotes)


def test_a_second_passage_that_says_the_same_is_not_quoted_again() -> None:
    corpus = corpus_of("Kaucja wynosi 4300 zł.", "Kaucja wynosi 4300 zł.", *LEASE[1:])
    assert len(corpus.ask("Ile wynosi kaucja?").answer.statements) == 1


def test_at_most_three_sentences_are_chosen() -> None:
    text = " ".join(f"Kaucja za lokal {number} wynosi 4{number}00 zł." for number in range(1, 9))
    assert 1 <= len(corpus_of(text, *LEASE[1:]).ask("Ile wynosi kaucja?").answer.statements) <= 3


def test_the_listener_hears_each_citation_before_the_statement_that_uses_it() -> None:
    asked = corpus_of(*LEASE).ask("Ile wynosi kaucja?")
    assert asked.heard == [*asked.answer.citations, *asked.answer.statements]


def test_the_stages_are_recorded_in_order() -> None:
    asked = corpus_of(*LEASE).ask("Ile wynosi kaucja?")
    assert [stage.name for stage in asked.stages] == [
        "survey", "retrieve", "gate", "generate", "ground",
    ]  # fmt: skip
    assert all(stage.ms >= 0 for stage in asked.stages)


@pytest.mark.parametrize("text", ["Kaucja 😀 wynosi\u00a04300 zł!", "“Kaucja” wynosi 4300 zł…"])
def test_odd_characters_stay_in_the_quote(text: str) -> None:
    assert corpus_of(text, *LEASE[1:]).ask("Ile wynosi kaucja?").answer.citations[0].quote == text


def test_a_bare_identifier_is_answered_with_the_opening_of_what_it_names() -> None:
    invoice = "FAKTURA FV/2025/09/0143\n\nNabywca: Księgarnia.\n\nDo zapłaty: 2 310,00 zł.\n"
    answer = corpus_of(invoice, *LEASE).ask("FV/2025/09/0143").answer
    assert answer.citations[0].quote == invoice.strip()


def test_a_line_that_introduces_a_list_elsewhere_is_not_quoted_alone() -> None:
    corpus = corpus_of("Kaucja wynosi:", "Kaucja wynosi 4300 zł.", *LEASE[1:])
    answer = corpus.ask("Ile wynosi kaucja?").answer
    assert [one.quote for one in answer.citations] == ["Kaucja wynosi 4300 zł."]


def part_of(text: str, words: str, *, heading_path: tuple[str, ...] = ()) -> SmallCorpus:
    """Return a corpus of one document of which only `words` are a chunk."""
    (hit,), held = evidence_of(text, heading_path=heading_path)
    start = hit.span.start + text.index(words)
    chunk = replace(hit, text=words, span=Span(start, start + len(words)))
    return SmallCorpus([chunk], held)


def test_an_item_that_is_a_chunk_of_its_own_is_quoted_with_the_line_above_its_list() -> None:
    text = "Zwalnia się od podatku:\n1) usługi pocztowe;\n2) usługi lekarskie;\n"
    answer = part_of(text, "2) usługi lekarskie;").ask("czy usługi lekarskie są zwolnione").answer
    assert [one.quote for one in answer.citations] == [
        "Zwalnia się od podatku:", "2) usługi lekarskie;",
    ]  # fmt: skip
    assert answer.text == "Zwalnia się od podatku:\n2) usługi lekarskie; [1][2]"


def test_what_a_form_is_is_answered_with_the_heading_that_names_it() -> None:
    text = "\nFormularz PHD-07: Prośba o przedłużenie\n\nSkłada się go w dziekanacie.\n"
    corpus = part_of(
        text,
        "Składa się go w dziekanacie.",
        heading_path=("Formularz PHD-07: Prośba o przedłużenie",),
    )
    answer = corpus.ask("Co to jest formularz PHD-07?").answer
    assert [one.quote for one in answer.citations] == [
        "Formularz PHD-07: Prośba o przedłużenie", "Składa się go w dziekanacie.",
    ]  # fmt: skip


def test_a_line_of_an_invoice_that_does_not_hold_the_amount_brings_the_whole() -> None:
    invoice = "Nabywca: Księgarnia Rynek\nUsługa: szkolenie\nDo zapłaty: 2 310,00 zł"
    answer = corpus_of(invoice, *LEASE).ask("ile kosztowało szkolenie dla Księgarni Rynek").answer
    assert answer.citations[0].quote == invoice


@pytest.mark.parametrize("title", ["UMOWA NAJMU LOKALU", "Kaucja i czynsz", "Art. 43. 1."])
def test_a_title_is_never_the_answer(title: str) -> None:
    corpus = corpus_of(f"{title}\n\nKaucja wynosi 4300 zł.", *LEASE[1:])
    answer = corpus.ask("Ile wynosi kaucja przy umowie najmu lokalu z art. 43?").reply
    quotes = [one.quote for one in getattr(answer, "citations", ())]
    assert title not in quotes
