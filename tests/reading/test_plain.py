"""Plain text, separated values and code: the text is the file, headings are known by form."""

import unicodedata

import pytest
from tests.reading.looking import headings, path_above, read, words_of

from cytat.records import BlockKind

STATUTE = """DZIAŁ VIII
Wysokość opodatkowania

Rozdział 2
Zwolnienia

Art. 43. 1. Zwalnia się od podatku:
1) dostawę towarów;
2) usługi:
a) lekarskie,
b) pielęgniarskie.
2. Przepisu ust. 1 pkt 2 nie stosuje się do zabiegów, o których mowa w
Art. 99 ustawy o czymś innym.

Art. 44. Zwalnia się od podatku również wewnątrzwspólnotowe nabycie towarów.
"""


def test_a_statute_in_plain_text_has_its_paths() -> None:
    document = read(STATUTE, "ustawa.txt")
    division = ("DZIAŁ VIII. Wysokość opodatkowania", "Rozdział 2. Zwolnienia")
    assert path_above(document, "Zwalnia się od podatku:") == (*division, "Art. 43", "ust. 1")
    assert path_above(document, "dostawę towarów") == (*division, "Art. 43", "ust. 1", "pkt 1")
    assert path_above(document, "pielęgniarskie") == (
        *division, "Art. 43", "ust. 1", "pkt 2", "lit. b",
    )  # fmt: skip
    assert path_above(document, "Art. 99 ustawy") == (*division, "Art. 43", "ust. 2")
    assert path_above(document, "nabycie towarów") == (*division, "Art. 44")


def test_a_paragraph_sign_on_its_own_line_is_a_heading() -> None:
    document = read("§ 1\nStanowisko obsługuje jedna osoba.\n\n§ 2\n1. Pomiar trwa.\n", "a.txt")
    assert headings(document) == ["§ 1", "§ 2"]
    assert path_above(document, "Stanowisko") == ("§ 1",)
    assert path_above(document, "Pomiar trwa") == ("§ 2", "ust. 1")


def test_a_short_title_beside_the_sign_belongs_to_the_heading() -> None:
    document = read("§ 3. Czynsz\n1. Czynsz wynosi 3200 zł.\n", "a.txt")
    assert headings(document) == ["§ 3. Czynsz"]
    assert path_above(document, "3200") == ("§ 3. Czynsz", "ust. 1")


def test_numbered_titles_above_prose_are_headings() -> None:
    prose = "Candidates from the second semester on may apply for a grant towards a conference."
    document = read(f"1. Who may apply\n\n{prose}\n\n2. How much\n\n{prose}\n", "a.txt")
    assert headings(document) == ["1. Who may apply", "2. How much"]


@pytest.mark.parametrize(
    "letter",
    [
        "Proszę kupić:\n1. Mleko\n2. Chleb\n3. Masło\n\nPozdrawiam, Ewa\n",
        "1. Mleko\n\n2. Chleb\n\n3. Masło\n\nZ góry bardzo dziękuję za wszystko, do zobaczenia.\n",
        "Spotkanie odbędzie się\n1. maja w sali 5.\n\nKoszt to\n\n1.5 mln zł\n",
        "Jak mówi umowa, zgodnie z\nArticle 5\nmożna ją rozwiązać.\n",
    ],
)
def test_lists_dates_and_amounts_of_a_letter_are_no_headings(letter: str) -> None:
    document = read(letter, "list.txt")
    assert headings(document) == []
    assert {block.heading_path for block in document.blocks} == {()}


def test_underlined_titles_are_headings() -> None:
    document = read("Install\n=======\n\nRun it.\n\nOptions\n-------\nAll of them.\n", "a.rst")
    assert headings(document) == ["Install", "Options"]
    assert path_above(document, "All of them") == ("Install", "Options")


def test_offsets_are_those_of_the_file() -> None:
    # cases TXT-07, TXT-08
    text = "Pierwszy wiersz\r\nDrugi 🙂🙂\r\n\r\nKod sejfu: 8843\r\nKoniec\r\n"
    document = read(text, "crlf.txt")
    assert document.text == text
    assert words_of(document, BlockKind.PARAGRAPH)[1] == "Kod sejfu: 8843\r\nKoniec"


def test_the_unicode_form_of_the_file_is_kept() -> None:
    # case TXT-06
    text = unicodedata.normalize("NFD", "Zażółć gęślą jaźń")
    assert read(text, "a.txt").text == text


def test_the_mark_of_a_table_is_gone_and_the_table_is_one_block() -> None:
    # case TXT-05
    document = read("\ufeffnazwa;cena\nśruba M6;0,35\n\nnakrętka;0,10\n", "bom.csv")
    assert words_of(document, BlockKind.TABLE) == ["nazwa;cena\nśruba M6;0,35\n\nnakrętka;0,10"]
    assert document.media_type == "text/csv"


def test_a_long_line_of_json_is_one_block_of_code() -> None:
    # case TXT-10
    rows = ",".join(f'{{"id":{n},"opis":"pozycja magazynowa numer {n}"}}' for n in range(16_000))
    document = read(f"[{rows}]", "one_line.json")
    assert [block.kind for block in document.blocks] == [BlockKind.CODE]
    assert "pozycja magazynowa numer 15999" in document.text


def test_items_of_a_list_are_one_block() -> None:
    document = read("Zakupy:\n- mleko\n- chleb\n\nKoniec.\n", "a.txt")
    assert words_of(document, BlockKind.LIST) == ["Zakupy:\n- mleko\n- chleb"]


def test_the_title_of_a_text_is_its_file_name() -> None:
    assert read("Godziny pracy 8-16", "folder/godziny.pracy.txt").title == "godziny.pracy"
    assert read("Godziny pracy 8-16", "https://a.pl/x/godziny.txt?v=2#a").title == "godziny"
    assert read("Godziny pracy 8-16", "a.zip!/w/godziny.txt").title == "godziny"


def test_a_text_has_no_pages() -> None:
    # case PDF-25
    assert read("Godziny pracy 8-16", "b.txt").parts == ()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Regulamin basenu\n================\n\nCzynny od 6.\n", "Regulamin basenu"),
        ("Czynny od 6.\n\nCennik\n======\n\n9 zł\n", "a"),
        ("Rozdział I\n\nCzynny od 6.\n", "a"),
    ],
)
def test_an_underlined_first_line_is_the_title_else_the_name_of_the_file(
    text: str, title: str
) -> None:
    assert read(text, "a.txt").title == title
