"""What names things and states nothing, and rows that are quoted whole with their head."""

import pytest
from tests.answering.corpus_of import corpus_of
from tests.grounding.passages import evidence_of

from cytat.answering import open_gate
from cytat.answering.labels import stands_alone
from cytat.grounding import read_passage, unit_spans

LEASE = ("Kaucja wynosi 4300 zł.", "Czynsz 2150 zł.", "Najem na 12 miesięcy.")


@pytest.mark.parametrize(
    "line",
    [
        "5. Wypowiedzenie umowy", "§ 7. Naprawy", "Art. 5a.", "Art. 7¹.", "**§ 1**",
        "Opłaty i terminy ............ 7", "Kaucja . . . . . . 12", "+++\ntitle = \"Cennik\"\n+++",
        "Od: Jan Kos\nDo: Ewa Lis\nTemat: opłaty", "From: Jo\nDate: 3 Mar 2025\nSubject: fees",
        "STATUT KLUBU ŻEGLARSKIEGO\nprzyjęty w Ustce",
    ],
)  # fmt: skip
def test_a_title_a_line_of_contents_or_of_a_mail_head_states_nothing(line: str) -> None:
    (hit,), _ = evidence_of(f"{line}\n\nKażda strona może odejść od umowy po miesiącu.\n")
    reading = read_passage(hit)
    assert not stands_alone(reading, reading.units[0])


@pytest.mark.parametrize(
    "line", ["1. pierwszy termin upływa w maju\n2. drugi w czerwcu", "Telefon: 22 555 02 01",
             "Kaucja wynosi 4300 zł.", "Rata druga: 120 zł"],
)  # fmt: skip
def test_an_item_and_a_line_with_a_value_state_something(line: str) -> None:
    (hit,), _ = evidence_of(f"{line}\n\nKażda strona może odejść od umowy po miesiącu.\n")
    reading = read_passage(hit)
    assert stands_alone(reading, reading.units[0])


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Lp. | Nazwa | J.m.\n1 | Kadry | os.", ["Lp. | Nazwa | J.m.", "1 | Kadry | os."]),
        (" | rano | noc\nrower | | 9 zł", ["| rano | noc", "rower | | 9 zł"]),
        ("Nr;Opis;Netto\n1;pranie;7,50\n", ["Nr;Opis;Netto", "1;pranie;7,50"]),
        ('Nr,Opis\n1,"a, b",7', ["Nr,Opis\n1,\"a, b\",7"[:7], '1,"a, b",7']),
        ("Było ciasno, duszno, gorąco.", ["Było ciasno, duszno, gorąco."]),
        ("Nr;Opis;Netto\n1;papier A4, 41 ryz;7,50\n",
         ["Nr;Opis;Netto", "1;papier A4, 41 ryz;7,50"]),
        ("Suma 1,234,567", ["Suma 1,234,567"]),
        ("Wstęp.\n| a. B | c |\n|---|---|\n| d | e |\nKoniec.",
         ["Wstęp.", "| a. B | c |", "| d | e |", "Koniec."]),
    ],
)  # fmt: skip
def test_a_row_is_one_unit_whatever_stands_in_its_cells(text: str, units: list[str]) -> None:
    assert [span.of(text) for span in unit_spans(text)] == units


def test_a_table_with_an_empty_corner_keeps_its_head() -> None:
    table = " | Dorosły | Dziecko\nPiątek | 21 zł | 11 zł\nSobota | 27 zł | 17 zł\n"
    answer = corpus_of(table, *LEASE).ask("Ile w sobotę płaci dziecko?", gate=open_gate()).answer
    assert answer.statements[0].text == "| Dorosły | Dziecko\nSobota | 27 zł | 17 zł"


def test_a_row_of_a_csv_file_is_quoted_with_the_names_of_its_columns() -> None:
    text = "Data,Sklep,Opis,Brutto\n2025-09-02,Papirus,papier,88.00\n"
    text += "2025-09-09,Mróz,klimatyzacja,436.65\n"
    answer = corpus_of(text, *LEASE).ask("Ile brutto kosztowała klimatyzacja?").answer
    assert answer.statements[0].text == (
        "Data,Sklep,Opis,Brutto\n2025-09-09,Mróz,klimatyzacja,436.65"
    )


def test_a_bare_invoice_number_brings_what_is_to_be_paid() -> None:
    lines = "\n".join(f"Pozycja {number} | szt. | {number}0,00 zł" for number in range(10, 60))
    text = f"FAKTURA FS 33/09/2025\n\nNabywca: Kino Echo\n\n{lines}\n\nDo zapłaty: 627,30 zł\n"
    answer = corpus_of(text, *LEASE).ask("FS 33/09/2025").answer
    assert answer.citations[-1].quote == "Do zapłaty: 627,30 zł"
