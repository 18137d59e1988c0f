from pathlib import Path

import pytest
from tests.growth import grows_like_a_line

from cytat.text.sentences import sentence_spans

MARKED = [
    line
    for line in Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
"""Texts whose sentences are parted by `|`, a sign that is taken out before reading."""


def sentences(text: str) -> list[str]:
    return [span.of(text) for span in sentence_spans(text)]


@pytest.mark.parametrize("marked", MARKED)
def test_a_sentence_ends_where_a_reader_would_end_it(marked: str) -> None:
    assert sentences(marked.replace("|", "")) == [part.strip() for part in marked.split("|")]


def test_a_wrapped_line_does_not_end_a_sentence() -> None:
    text = (
        "Podatnik, który złożył deklarację po terminie,\n"
        "Zapłaci odsetki liczone od dnia następnego po\n"
        "dniu, w którym upłynął termin. Organ może je\numorzyć.\n"
    )
    assert sentences(text) == [text[: text.index(" Organ")], "Organ może je\numorzyć."]


def test_a_blank_line_ends_a_sentence_without_a_mark() -> None:
    assert sentences("Regulamin\n\nTekst regulaminu.") == ["Regulamin", "Tekst regulaminu."]


def test_a_heading_line_is_a_sentence_of_its_own() -> None:
    text = "# Zwrot towaru\nTowar można zwrócić w 14 dni."
    assert sentences(text) == ["# Zwrot towaru", "Towar można zwrócić w 14 dni."]


def test_a_short_line_above_a_paragraph_is_a_heading() -> None:
    text = "Zwrot towaru\nTowar można zwrócić w ciągu czternastu dni od odbioru."
    assert sentences(text)[0] == "Zwrot towaru"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- jabłka", "- gruszki"),
        ("1) umowa", "2) aneks"),
        ("a) zakup", "b) sprzedaż"),
        ("1. Pierwszy punkt", "2. Drugi punkt"),
        ("• papier", "• toner"),
        ("(i) one", "(ii) two"),
    ],
)
def test_a_list_item_begins_a_sentence(first: str, second: str) -> None:
    assert sentences(f"{first}\n{second}") == [first, second]


def test_an_item_that_wraps_is_one_sentence() -> None:
    text = "Należy:\n1) złożyć wniosek wraz\nz załącznikami;\n2) czekać."
    assert sentences(text) == ["Należy:", "1) złożyć wniosek wraz\nz załącznikami;", "2) czekać."]


def test_every_table_row_is_a_sentence() -> None:
    text = "| Nr | Cena |\n|---|---|\n| 1 | 4,01 zł |"
    assert sentences(text) == text.split("\n")


def test_a_row_is_a_sentence_whatever_its_cells_end_with() -> None:
    text = "Nr inw. | Nazwa | Data\nST-011 | Furgonetka. Nowa | 14.03.2022\nWtorek | | 17"
    assert [span.of(text) for span in sentence_spans(text)] == text.split("\n")


def test_records_of_name_and_value_are_sentences() -> None:
    text = "Sprzedawca: Alfa sp. z o.o.\nNabywca: Jan Nowak\nKwota: 100 zł"
    assert sentences(text) == text.split("\n")


def test_a_record_whose_value_is_a_figure_ends_with_its_line() -> None:
    # case TXT-08
    assert sentences("Kod sejfu: 8843\r\nKoniec") == ["Kod sejfu: 8843", "Koniec"]
    for going_on in (
        "Uwaga: kwota wynosi 100\nzł netto.",
        "Uwaga: o tym mówi ustawa\nKodeks pracy.",
    ):
        assert sentences(going_on) == [going_on]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_all_line_breaks_are_line_breaks(line_break: str) -> None:
    assert sentences(f"Tytuł{line_break}{line_break}Tekst.") == ["Tytuł", "Tekst."]


def test_blank_text_has_no_sentences() -> None:
    assert sentences("") == []
    assert sentences(" \n\t\r\n\u00a0") == []


@pytest.mark.parametrize("unit", [".", ". ", "a", "a\n", "|", '."', "1 ", "a. B. ", "(((", "?!\n",
                                  ".)[1]", "。」", "i.", "§ 1. ", "1.i.)",
                                  "ii.i." * 8 + "x 5. A\n\n"])  # fmt: skip
def test_time_grows_with_length_and_no_faster(unit: str) -> None:
    def split(size: int) -> None:
        sentence_spans(unit * (size // len(unit)) + "a")

    assert grows_like_a_line(split, size=10_000)


def test_rows_of_figures_from_a_page_are_sentences() -> None:
    text = ("Net sales $ 3,226,773 100.0% $ 2,729,388 100.0%\n"
            "Cost of sales 2,014,270 62.4% 1,702,059 62.4%\n"
            "Gross profit 1,212,503 37.6% 1,027,329 37.6%")  # fmt: skip
    assert sentences(text) == text.split("\n")
