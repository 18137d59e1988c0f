"""What a unit cannot be understood without, found in the document before it."""

import pytest
from tests.grounding.passages import HeldTexts, evidence_of

from cytat.answering.quoting import Before, head_of_table, heading_span, lead_in, text_before
from cytat.grounding import Unit, read_passage
from cytat.records import Span

EXEMPTIONS = (
    "Art. 43. 1. Zwalnia się od podatku:\n"
    "2) dostawę towarów używanych;\n"
    "19) usługi lekarzy;\n"
    "2. Zwolnienie z ust. 1 nie obejmuje zabiegów.\n"
)


def unit_of(words: str) -> Unit:
    (hit,), _ = evidence_of(words)
    return read_passage(hit).units[0]


def text_up_to(words: str, text: str) -> Before:
    return Before(text[: text.index(words)], 0)


def test_a_point_is_led_in_by_the_line_above_its_list() -> None:
    words = "19) usługi lekarzy;"
    found = lead_in(unit_of(words), text_up_to(words, EXEMPTIONS))
    assert found is not None
    assert found.of(EXEMPTIONS) == "Art. 43. 1. Zwalnia się od podatku:"


def test_a_paragraph_after_the_list_is_not_led_in_by_it() -> None:
    words = "2. Zwolnienie z ust. 1 nie obejmuje zabiegów."
    assert lead_in(unit_of(words), text_up_to(words, EXEMPTIONS)) is None


def test_a_sentence_that_is_no_item_is_led_in_by_nothing() -> None:
    assert lead_in(unit_of("Kaucja wynosi 4300 zł."), Before("Opłaty:\n", 0)) is None


def test_spans_count_from_the_start_of_the_document() -> None:
    found = lead_in(unit_of("- kawa"), Before("Napoje:\n", 100))
    assert found == Span(100, 107)


@pytest.mark.parametrize(
    ("before", "head"),
    [
        ("Stawki\n\n| Towar | Stawka |\n|---|---|\n| Meble | 23 % |\n", "| Towar | Stawka |"),
        ("| Towar | Stawka |\n", "| Towar | Stawka |"),
        ("Zwykłe zdanie.\n", None),
        ("", None),
    ],
)
def test_the_head_of_a_table_is_the_first_of_the_rows_above(before: str, head: str | None) -> None:
    found = head_of_table(Before(before, 0))
    assert (found.of(before) if found else None) == head


@pytest.mark.parametrize(
    ("heading", "before", "quoted"),
    [
        ("Czynsz", "# Umowa\n\n## Czynsz\n\n", "Czynsz"),
        ("Rozdział I. Opłaty", "Rozdział I\nOpłaty\n\n", "Rozdział I\nOpłaty"),
        ("Czynsz", "Czynsz\nCoś.\n\nCzynsz\n", "Czynsz"),
        ("Kaucja", "Inny tytuł\n\n", None),
    ],
)
def test_a_heading_is_found_where_it_stands_last(
    heading: str, before: str, quoted: str | None
) -> None:
    found = heading_span(heading, Before(before, 0))
    assert (found.of(before) if found else None) == quoted
    if found and before.count(heading) > 1:
        assert found.start == before.rindex(heading)


def test_the_text_before_is_read_from_the_document_and_not_beyond_its_start() -> None:
    (hit,), _ = evidence_of("x")
    texts = HeldTexts({"d1": "ab" * 3000})
    assert text_before(hit, 0, texts) == Before("", 0)
    assert text_before(hit, 3, texts) == Before("aba", 0)
    assert len(text_before(hit, 5000, texts).text) == 4000
