"""Lines of a contact page or a letterhead."""

import pytest
from tests.answering.corpus_of import corpus_of

from cytat.answering.expected import Expected, expected_of, holds_expected, lacks_figure

PAGE = (
    "Urząd Gminy Lipnica\nul. Szkolna 4, 62-300 Lipnica\nNIP: 123-456-78-19\n"
    "Telefon: 22 555 02 01\nE-mail: urzad@lipnica.example\n"
    "Konto: 41 8899 0007 0000 1234 5600 0021\n"
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Jaki jest NIP urzędu?", Expected.TAX_NUMBER),
        ("numer telefonu urzędu", Expected.PHONE),
        ("Jaki jest adres e-mail urzędu?", Expected.EMAIL),
        ("nr konta gminy", Expected.ACCOUNT),
        ("Jaki jest adres urzędu?", Expected.ADDRESS),
        ("What is the phone number of the office?", Expected.PHONE),
        ("O której zamykają urząd?", Expected.TIME),
        ("Kto odbiera telefon?", Expected.NAME),
        ("Do kiedy trwa najem?", Expected.DATE),
    ],
)
def test_a_question_for_a_line_of_contact_is_known(question: str, expected: Expected) -> None:
    assert expected_of(question) is expected


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (Expected.TAX_NUMBER, "NIP: 123-456-78-19"), (Expected.PHONE, "Telefon: 22 555 02 01"),
        (Expected.EMAIL, "E-mail: urzad@lipnica.example"), (Expected.PHONE, "tel. +48 601 222 333"),
        (Expected.ACCOUNT, "Konto: 41 8899 0007 0000 1234 5600 0021"),
        (Expected.ADDRESS, "ul. Szkolna 4, 62-300 Lipnica"), (Expected.TIME, "Czynne 8.00-15.30"),
    ],
)  # fmt: skip
def test_each_is_known_by_its_shape(expected: Expected, line: str) -> None:
    assert holds_expected(expected, line)


def test_neither_a_postal_code_nor_an_invoice_number_is_a_date_or_a_count() -> None:
    assert not holds_expected(Expected.DATE, "62-300 Lipnica")
    assert not holds_expected(Expected.NUMBER, "Faktura nr FV/2025/09/0143")
    assert holds_expected(Expected.NUMBER, "Razem 2000 sztuk")


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Jaki jest NIP urzędu gminy Lipnica?", "NIP: 123-456-78-19"),
        ("numer telefonu urzędu gminy Lipnica", "Telefon: 22 555 02 01"),
        ("adres e-mail urzędu gminy Lipnica", "E-mail: urzad@lipnica.example"),
    ],
)
def test_the_line_is_quoted_under_the_line_that_names_whose_it_is(
    question: str, quote: str
) -> None:
    answer = corpus_of(PAGE, "Kaucja wynosi 4300 zł.").ask(question).answer
    assert quote in answer.citations[-1].quote


def test_a_text_without_a_tax_number_does_not_answer_for_one() -> None:
    assert lacks_figure("Jaki NIP ma tartak?", ["Tartak wystawił fakturę na 300 zł."])
