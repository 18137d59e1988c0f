"""What kind of thing a question asks for, and which questions only a figure answers."""

import pytest
from tests.answering.corpus_of import corpus_of

from cytat.answering.expected import Expected, expected_of, holds_expected, lacks_figure


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Kto ustala wysokość opłaty za przedszkole?", Expected.NAME),
        ("Czy można rozłożyć opłatę na raty?", Expected.ANYTHING),
        ("Od czego zależy stawka?", Expected.ANYTHING),
        ("Jak wnieść opłatę?", Expected.ANYTHING),
        ("Dlaczego wzrosła cena wody?", Expected.REASON),
        ("Who sets the fee?", Expected.NAME),
        ("How is the price calculated?", Expected.ANYTHING),
        ("Jaka jest stawka VAT na książki?", Expected.AMOUNT),
        ("What is the fee for a duplicate?", Expected.AMOUNT),
        ("Ile zapłaci szpital?", Expected.AMOUNT),
        ("How many members has the board?", Expected.NUMBER),
        ("Kiedy rośnie opłata?", Expected.DATE),
    ],
)
def test_the_word_of_asking_says_what_is_expected(question: str, expected: Expected) -> None:
    assert expected_of(question) is expected


@pytest.mark.parametrize(
    "sentence",
    ["Szpital zapłaci siedemdziesiąt tysięcy złotych.", "Odsetki wynoszą siedem procent.",
     "Kara to 70 tysięcy złotych.", "The fine is five hundred pounds."],
)  # fmt: skip
def test_an_amount_in_words_is_an_amount(sentence: str) -> None:
    assert holds_expected(Expected.AMOUNT, sentence)


@pytest.mark.parametrize(
    "sentence", ["Skargę rozpatruje się w terminie czternastu dni.", "Pięćset osób.", "Dwustu."]
)
def test_a_number_in_words_is_a_number(sentence: str) -> None:
    assert holds_expected(Expected.NUMBER, sentence)


def test_only_a_question_of_how_much_has_to_be_answered_with_a_figure() -> None:
    assert lacks_figure("Ile wynosi opłata?", ["Opłatę ustala rada gminy."])
    assert not lacks_figure("Kto ustala opłatę?", ["Opłatę ustala rada gminy."])
    assert not lacks_figure("Ile kosztuje wstęp?", ["Wstęp jest bezpłatny."])


def test_who_sets_a_fee_is_answered_without_a_figure() -> None:
    sentence = "Wysokość opłaty za przedszkole ustala rada gminy w drodze uchwały."
    answer = (
        corpus_of(sentence, "Biuro jest czynne od 8 do 15.")
        .ask("Kto ustala wysokość opłaty za przedszkole?")
        .answer
    )
    assert answer.citations[0].quote == sentence
