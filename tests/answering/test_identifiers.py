"""Which words with digits are one document's own, and which are only words."""

import pytest
from tests.answering.corpus_of import corpus_of

from cytat.answering import open_gate
from cytat.answering.identifiers import names_a_document, year_in


@pytest.mark.parametrize(
    "surface",
    ["fv/2025/09/9999", "phd-07", "err_pompa_stop", "123-456-78-19", "sn00417", "2019-24-52",
     "817-200-11", "art. 43", "5261040828", "zp.271.4.2025-km"],
)  # fmt: skip
def test_an_invoice_a_form_a_serial_number_name_one_document(surface: str) -> None:
    assert names_a_document(surface)


@pytest.mark.parametrize(
    "surface",
    ["fy2023", "fy23", "q2", "2q24", "q3-2024", "h1", "f1", "in1905", "5b", "b2b", "phd07",
     "30.09.2025", "2024-09-30", "3.12", "art. 5 § 2", "2023"],
)  # fmt: skip
def test_a_time_a_class_or_a_version_is_no_document(surface: str) -> None:
    assert not names_a_document(surface)


@pytest.mark.parametrize(
    ("surface", "year"),
    [("fy2023", "2023"), ("fy23", "2023"), ("in1905", "1905"), ("q2", None), ("phd-07", None)],
)
def test_the_year_is_read_out_of_a_joined_word(surface: str, year: str | None) -> None:
    assert year_in(surface) == year


def test_a_joined_year_is_answered_from_a_text_that_writes_it_apart() -> None:
    corpus = corpus_of(
        "Revenue in fiscal year 2023 was 512 million dollars.", "The board has nine members."
    )
    answer = corpus.ask("What was the revenue in FY2023?", gate=open_gate()).answer
    assert answer.citations[0].quote == "Revenue in fiscal year 2023 was 512 million dollars."
