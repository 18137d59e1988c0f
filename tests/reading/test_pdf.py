"""PDF: pages, reading order, words broken over lines, furniture, and what cannot be read."""

import pytest
from tests.reading.looking import headings, page_of, path_above, read_document, words_of
from tests.reading.pdf_files import Placed, lines, pdf

from cytat.errors import ReadingError
from cytat.records import BlockKind, Document

SCAN: list[Placed] = []
"""A page without text."""


def read(content: bytes, password: str | None = None) -> Document:
    return read_document(content, source="a.pdf", password=password)


def columns(left: list[str], right: list[str]) -> list[Placed]:
    """Return two columns, written row by row as some programs do."""
    rows = zip(lines(*left), lines(*right, left=320), strict=True)
    return [placed for row in rows for placed in row]


def test_columns_are_read_one_after_the_other_and_pages_too() -> None:
    # cases PDF-01, PDF-02
    first = columns(
        ["1. Wynajmujący oddaje lokal nr 7", "do używania na czas określony",
         "dwunastu miesięcy.", "2. Czynsz wynosi 2150 zł", "i jest płatny do dnia 10",
         "każdego miesiąca."],
        ["3. Kaucja wynosi 4300 zł", "i podlega zwrotowi w ciągu", "30 dni od opróżnienia.",
         "4. Najemca opłaca prąd", "i wodę według liczników,", "bez zaliczek."],
    )  # fmt: skip
    second = columns(
        ["5. Zwierzęta domowe są", "dozwolone za zgodą pisemną."],
        ["6. Spory rozstrzyga sąd", "miejsca położenia lokalu."],
    )
    document = read(pdf([first, second]))
    assert " ".join(document.text.split()) == (
        "1. Wynajmujący oddaje lokal nr 7 do używania na czas określony dwunastu miesięcy. "
        "2. Czynsz wynosi 2150 zł i jest płatny do dnia 10 każdego miesiąca. "
        "3. Kaucja wynosi 4300 zł i podlega zwrotowi w ciągu 30 dni od opróżnienia. "
        "4. Najemca opłaca prąd i wodę według liczników, bez zaliczek. "
        "5. Zwierzęta domowe są dozwolone za zgodą pisemną. "
        "6. Spory rozstrzyga sąd miejsca położenia lokalu."
    )
    assert page_of(document, "Kaucja wynosi 4300 zł") == 1
    assert page_of(document, "Spory rozstrzyga sąd") == 2


def test_words_broken_over_lines_are_whole_and_true_hyphens_stay() -> None:
    # cases PDF-04, PDF-05, PDF-06
    document = read(
        pdf([
            lines(
                "Polisa obejmuje dobrowolne ubezpie-", "czenia mienia oraz odpowiedzialność.",
                "Numer szkody to KOD-", "4471, a numer polisy to KOD-9002.",
                "Oznaczenie trasy jest biało-", "czerwone na całej długości.",
                "Hotel oferuje pokoje dwu- i trzyosobowe.", "Soft-start trwa 12 s.",
            )
        ])
    )  # fmt: skip
    assert "dobrowolne ubezpie\xadczenia mienia" in document.text
    assert "to KOD-4471, a numer polisy to KOD-9002." in document.text
    assert "jest biało-czerwone na" in document.text
    assert "dwu- i trzyosobowe" in document.text
    assert "Soft-start" in document.text


def test_a_broken_word_that_stands_whole_elsewhere_is_whole() -> None:
    document = read(
        pdf([lines("Dobrowolne ubezpie-", "czenia mienia. Inne ubezpieczenia drogie.")])
    )
    assert document.text.startswith("Dobrowolne ubezpieczenia mienia.")


def test_polish_letters_are_known_by_their_glyph_names() -> None:
    # case PDF-10
    row = "Łączna wartość zapłaty: 1 284,50 zł"
    assert read(pdf([lines(row)], has_unicode_map=False)).text == row


def test_ligatures_come_out_as_letters() -> None:
    # case PDF-07
    document = read(pdf([lines("The f0nance office")], meanings={"0": "\ufb01"}))
    assert document.text in {"The f\ufb01nance office", "The ffinance office"}


def test_letters_without_a_meaning_are_marked_and_the_page_is_named() -> None:
    # case PDF-08
    document = read(
        pdf(
            [lines("Of the tra{c and {nance department."), lines("A clean page.")],
            meanings={"{": "\ue000"},
        )
    )
    assert document.text.startswith("Of the tra\ufffdc and \ufffdnance department.")
    assert [(p.part, p.code) for p in document.ledger.problems] == [("page 1", "damaged-text")]


def test_polish_labelled_as_western_is_put_right_and_named() -> None:
    # case PDF-11
    western = {sign: sign.encode("cp1250").decode("cp1252") for sign in "ąćęłńóśżŁ"}
    document = read(pdf([lines("Łączna wartość zapłaty: małe zużycie")], meanings=western))
    assert document.text == "Łączna wartość zapłaty: małe zużycie"
    assert [problem.code for problem in document.ledger.problems] == ["damaged-text"]


def test_a_letter_that_the_western_page_does_not_have_is_put_right_where_a_word_needs_it() -> None:
    western = {sign: sign.encode("cp1250").decode("cp1252") for sign in "ąćęłńóśżŁ"}
    western |= {"Ź": "•", "*": "•"}
    document = read(
        pdf([lines("Źródło: księga główna, dział zaległości", "*lewy GRUŹLICA")], meanings=western)
    )
    assert document.text == "Źródło: księga główna, dział zaległości •lewy GRUŹLICA"


def test_words_written_from_right_to_left_come_in_the_order_of_reading() -> None:
    # case PDF-15
    word = "\u05e9\u05dc\u05d5\u05dd"
    on_screen = dict(zip("!?*+", reversed(word), strict=True))
    document = read(pdf([lines("On the cover:", "!?*+", "After it: 37.")], meanings=on_screen))
    assert document.text == f"On the cover:\n{word}\nAfter it: 37."


def test_a_file_that_only_limits_copying_opens() -> None:
    # case PDF-16
    document = read(pdf([lines("Opłata za dobę wynosi 37 zł.")], password=""))
    assert document.text == "Opłata za dobę wynosi 37 zł."


def test_a_real_password_is_asked_for_and_taken() -> None:
    # case PDF-17
    content = pdf([lines("Opłata za dobę wynosi 37 zł.")], password="morelka8")
    for password in (None, "wrong"):
        with pytest.raises(ReadingError) as refused:
            read(content, password)
        assert refused.value.code == "needs-password"
        assert "a.pdf" in refused.value.message
    assert read(content, "morelka8").text == "Opłata za dobę wynosi 37 zł."


def test_a_scan_has_no_text() -> None:
    # case PDF-18
    with pytest.raises(ReadingError) as refused:
        read(pdf([SCAN]))
    assert refused.value.code == "no-text"


def test_a_page_without_text_is_named_and_the_next_keeps_its_number() -> None:
    # case PDF-19
    document = read(pdf([lines("Składka roczna: 96 zł."), SCAN, lines("Zarząd liczy 4 osoby.")]))
    assert page_of(document, "Zarząd liczy 4 osoby") == 3
    assert (document.ledger.parts, document.ledger.read, document.ledger.empty) == (3, 2, 1)
    assert [(p.part, p.code) for p in document.ledger.problems] == [("page 2", "no-text")]


def manual() -> Document:
    bodies = (
        ("Rozdział I. Postanowienia ogólne", "Instrukcja dotyczy magazynu B.",
         "Klucze wydaje portier po wpisie do"),
        ("zeszytu nr 2.", "Gaśnice stoją przy rampie.", "Wózek wolno prowadzić tylko osobie"),
        ("z uprawnieniem UDT klasy II.", "Prędkość na placu: 6 km/h.", "Zakaz palenia."),
        ("Załącznik A", "Lista telefonów: dyżurny 551, rampa 552."),
    )  # fmt: skip
    return read(
        pdf([
            [
                Placed("Instrukcja magazynowa IM-38 wydanie 2", 60, 27),
                *lines(*body),
                Placed(f"Druk wewnętrzny - strona {number} z 4", 60, 812),
            ]
            for number, body in enumerate(bodies, 1)
        ])
    )  # fmt: skip


def test_running_headers_are_kept_once_and_never_inside_a_sentence() -> None:
    # case PDF-20
    document = manual()
    assert words_of(document, BlockKind.FURNITURE) == [
        "Instrukcja magazynowa IM-38 wydanie 2",
        "Druk wewnętrzny - strona 1 z 4",
    ]
    assert document.text.count("IM-38") == 1
    assert document.ledger.left_out == 6
    assert "tylko osobie z uprawnieniem UDT klasy II." in document.text


def test_a_heading_on_top_of_one_page_is_no_furniture() -> None:
    # case PDF-21
    document = manual()
    assert headings(document) == ["Rozdział I. Postanowienia ogólne", "Załącznik A"]
    assert path_above(document, "dyżurny 551") == ("Załącznik A",)


def test_words_after_a_page_break_are_on_their_own_page() -> None:
    # case PDF-24
    document = manual()
    assert page_of(document, "z uprawnieniem UDT klasy II") == 3
    assert page_of(document, "Wózek wolno") == 2


def test_printed_labels_stand_beside_the_numbers() -> None:
    content = pdf(
        [lines("Foreword."), lines("One."), lines("Two.")],
        labels="<< /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>",
    )
    assert [(page.number, page.label) for page in read(content).parts] == [
        (1, "i"), (2, "1"), (3, "2"),
    ]  # fmt: skip


def test_rows_of_figures_keep_their_lines() -> None:
    document = read(pdf([lines("Revenues 25,867 19,493", "Margins 9.2 33.2", "Costs 1,510 1,140")]))
    assert document.text == "Revenues 25,867 19,493\nMargins 9.2 33.2\nCosts 1,510 1,140"


def test_articles_of_a_pdf_have_their_paths() -> None:
    document = read(
        pdf([
            lines(
                "§ 3. Czynsz", "1. Czynsz wynosi 3200 zł miesięcznie i jest",
                "płatny z góry.", "2. Opłaty za prąd Najemca pokrywa osobno.",
            )
        ])
    )  # fmt: skip
    assert path_above(document, "3200") == ("§ 3. Czynsz", "ust. 1")
    assert path_above(document, "prąd") == ("§ 3. Czynsz", "ust. 2")


def test_the_title_is_the_files_own() -> None:
    assert read(pdf([lines("Text.")], title="Lease")).title == "Lease"
    assert read(pdf([lines("Text.")])).title == "a"


@pytest.mark.parametrize("content", [b"%PDF-1.4\n1 0 obj\n<< half a file", b"no pdf", b"\0" * 50])
def test_what_is_no_pdf_is_unreadable(content: bytes) -> None:
    with pytest.raises(ReadingError) as refused:
        read(content)
    assert refused.value.code == "unreadable"


def test_numbers_that_do_not_count_pages_tell_headers_apart() -> None:
    exhibits = [f"Exhibit {number}" for number in (10, 21, 32, 99)]
    document = read(pdf([[Placed(words, 60, 27), *lines("Text of it.")] for words in exhibits]))
    assert [words for words in exhibits if words in document.text] == exhibits


def test_roman_page_numbers_count_pages_too() -> None:
    document = read(
        pdf(
            [
                [*lines(f"Foreword, part {part}."), Placed(number, 300, 812)]
                for part, number in (("one", "iii"), ("two", "iv"), ("three", "v"))
            ]
        )
    )
    assert document.text == ("Foreword, part one.\n\nForeword, part two.\n\nForeword, part three.")
    assert document.ledger.left_out == 3


def test_pages_meet_where_a_word_broken_between_them_is_made_whole() -> None:
    # "bagażu" stands whole elsewhere, so its hyphen goes: 5 characters are on page 1, 2 on page 3.
    first = lines("Za przechowanie baga-")
    second = lines("żu płaci się 13 zł. Bez", "bagażu wstęp wolny.")
    document = read(pdf([first, SCAN, second]))
    assert document.text.startswith("Za przechowanie bagażu płaci się 13 zł.")
    assert [(page.span.start, page.span.end) for page in document.parts[:2]] == [(0, 20), (20, 20)]
    assert document.parts[2].span.start == 20
