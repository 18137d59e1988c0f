"""Questions for all of something are answered with what matches, and with a warning."""

import pytest
from tests.answering.corpus_of import corpus_of

from cytat.answering import open_gate
from cytat.answering.lists import asks_for_all


@pytest.mark.parametrize(
    "question",
    [
        "Ile faktur wystawiono w maju?", "które faktury nie są zapłacone",
        "Which invoices are due?",
        "wszystkie umowy z gminą", "How many resolutions were passed?", "Wymień pozycje spisu",
        "List all receipts", "ile razy podlewano ogród",
    ],
)  # fmt: skip
def test_a_question_for_all_of_some_things_is_recognised(question: str) -> None:
    assert asks_for_all(question)


@pytest.mark.parametrize(
    "question",
    ["Ile wynosi kaucja?", "Ile dni trwa urlop?", "How many members has the board?",
     "Która godzina?", "Ile kosztuje faktura próbna?", "Kto wystawia faktury?"],
)  # fmt: skip
def test_a_question_for_a_stated_figure_is_not(question: str) -> None:
    assert not asks_for_all(question)


def test_the_matching_rows_are_listed_under_their_head_with_a_warning() -> None:
    table = (
        "| Numer | Nabywca | Kwota |\n|---|---|---|\n| FV/1 | Kino Echo | 10,00 |\n"
        "| FV/2 | Młyn Wodny | 20,00 |\n| FV/3 | Kino Echo | 30,00 |\n"
    )
    answer = (
        corpus_of(table, "Kaucja wynosi 4300 zł.")
        .ask("Które faktury dostało Kino Echo?", gate=open_gate())
        .answer
    )
    assert answer.statements[0].text == (
        "| Numer | Nabywca | Kwota |\n| FV/1 | Kino Echo | 10,00 |\n| FV/3 | Kino Echo | 30,00 |"
    )
    assert any("pełna" in note for note in answer.notes)
