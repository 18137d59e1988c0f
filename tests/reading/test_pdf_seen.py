"""PDF: what a person sees is what is read, marks and accents included, and nothing else."""

import pytest
from tests.reading.looking import headings, read_document
from tests.reading.pdf_files import Drawn, Field, Picture, Placed, Rule, lines, pdf

from cytat.reading.pdf.boxes import boxes_of
from cytat.records import Document, Span
from cytat.testing.readers import assert_document


def read(content: bytes) -> Document:
    document = read_document(content, source="a.pdf")
    assert_document(document)
    return document


def codes(document: Document) -> list[tuple[str, str]]:
    return [(problem.part, problem.code) for problem in document.ledger.problems]


# Courier is 0.6 wide: 10 points of type step by 6, so a word of n letters ends at left + 6 n.


def test_a_raised_mark_behind_a_price_is_no_digit_of_it() -> None:
    price = [Placed("Cena 150", 60, 100), Placed("1", 108, 96, 6), Placed("z\u0142.", 116, 100)]
    assert read(pdf([price])).text == "Cena 150¹ z\u0142."


def test_a_raised_mark_behind_a_word_a_power_and_an_article_is_written_raised() -> None:
    word = [Placed("Kaucja", 60, 100), Placed("2", 96, 96, 6), Placed("zwrotna.", 106, 100)]
    power = [Placed("Daje 10", 60, 130), Placed("-3", 102, 126, 6), Placed("lumena.", 114, 130)]
    article = [Placed("Art. 18", 60, 160), Placed("3a", 102, 156, 6), Placed(". Zasada.", 110, 160)]
    text = read(pdf([[*word, *power, *article]])).text
    assert "Kaucja² zwrotna." in text
    assert "Daje 10⁻³ lumena." in text
    assert "Art. 18³ᵃ. Zasada." in text


def test_a_small_digit_on_the_same_line_or_below_it_stays_a_digit() -> None:
    page = [Placed("Emisja CO", 60, 100), Placed("2", 114, 102, 6), Placed("i H", 124, 100)]
    assert read(pdf([page])).text == "Emisja CO2 i H"


def test_ends_of_ordinals_and_marks_in_brackets_stay_as_they_are() -> None:
    page = [
        Placed("The 1", 60, 100), Placed("st", 90, 96, 6), Placed("quarter", 104, 100),
        Placed("Sales", 60, 130), Placed("(2)", 90, 126, 6), Placed("fell.", 108, 130),
    ]  # fmt: skip
    text = read(pdf([page])).text
    assert "The 1st quarter" in text
    assert "Sales(2) fell." in text


def test_an_accent_drawn_over_or_under_its_letter_is_one_letter_with_it() -> None:
    # TeX draws the accent at the letter's own place: both signs step by nothing between them.
    page = [
        Placed("wi", 60, 100), Placed("\u02db", 72, 100), Placed("ecej sprzeda", 72, 100),
        Placed("\u02d9", 144, 100), Placed("zy", 144, 100),
    ]  # fmt: skip
    content = pdf([page])
    document = read(content)
    assert document.text == "więcej sprzedaży"
    (box,) = boxes_of(content, Span(2, 3), source="a.pdf", password=None)
    assert 71 < box.x0 < 73
    assert 77 < box.x1 < 79


def test_an_accent_that_stands_beside_letters_stays_a_sign() -> None:
    page = [Placed("a \u02d9 b", 60, 100)]
    assert read(pdf([page])).text == "a \u02d9 b"


def test_the_letters_of_a_spaced_heading_are_its_words() -> None:
    spaced = [Placed("U C H W A L A   N R   X I I", 60, 80, 14, "F2")]
    document = read(pdf([[*spaced, *lines("Rada gminy uchwala, co następuje.", top=120)]]))
    assert headings(document) == ["UCHWALA NR XII"]


@pytest.mark.parametrize("labels", ["A B C D E", "X X X X X", "T N T N N", "1 2 3 4 5"])
def test_labels_and_marks_beside_one_another_stay_apart(labels: str) -> None:
    assert read(pdf([lines(labels, "Klasy pierwsze.")])).text.startswith(labels)


@pytest.mark.parametrize(
    "paint",
    ["1 g", "0.98 0.98 0.95 rg", "3 Tr", "0 0 40 40 re W n"],
    ids=["white", "nearly white", "not painted", "clipped away"],
)
def test_words_that_nobody_can_see_are_left_out_and_named(paint: str) -> None:
    hidden = Placed("Nagroda wynosi 88888.", 60, 100, paint=paint)
    document = read(pdf([[*lines("Regulamin konkursu."), hidden]]))
    assert document.text == "Regulamin konkursu."
    assert codes(document) == [("page 1", "hidden-text")]


def test_words_of_no_size_and_words_beside_the_page_are_left_out() -> None:
    tiny = Placed("Nagroda wynosi 88888.", 60, 100, size=0.4)
    beside = Placed("Nagroda wynosi 99999.", 700, 120)
    document = read(pdf([[*lines("Regulamin konkursu."), tiny, beside]]))
    assert document.text == "Regulamin konkursu."
    assert document.ledger.problems[0].message.startswith("6 words are left out")


def test_white_words_on_a_dark_ground_are_read() -> None:
    page: list[Drawn] = [Rule(50, 80, 300, 110), Placed("Stawka 12 zl.", 60, 100, paint="1 g")]
    document = read(pdf([page]))
    assert document.text == "Stawka 12 zl."
    assert codes(document) == []


def test_recognised_text_over_a_scanned_picture_is_read() -> None:
    page: list[Drawn] = [
        Picture(50, 50, 500, 400),
        Placed("Umowa najmu lokalu.", 60, 100, paint="3 Tr"),
    ]
    document = read(pdf([page]))
    assert document.text == "Umowa najmu lokalu."
    assert codes(document) == []


def test_what_a_form_field_holds_stands_beside_its_label() -> None:
    page = [Placed("Imie:", 60, 100), Placed("Zgoda:", 60, 140), Placed("Reklama:", 60, 180)]
    fields = [
        Field("imie", "Irena Sowa", 140, 88, 300, 104),
        Field("zgoda", "Yes", 140, 128, 152, 142, "Btn"),
        Field("reklama", "Off", 140, 168, 152, 182, "Btn"),
    ]
    text = read(pdf([page], fields=fields)).text
    assert "Imie: | Irena Sowa" in text or "Imie: Irena Sowa" in text
    assert "Zgoda: | \u2611" in text or "Zgoda: \u2611" in text
    assert text.count("\u2611") == 1


def test_a_value_that_the_file_does_not_draw_is_read_at_its_field() -> None:
    field = Field("kwota", "13700 EUR", 140, 88, 300, 104, is_drawn=False)
    content = pdf([[Placed("Kwota:", 60, 100)]], fields=[field])
    document = read(content)
    start = document.text.index("13700")
    (box,) = boxes_of(content, Span(start, start + 5), source="a.pdf", password=None)
    assert 139 < box.x0 < box.x1 < 301
    assert 87 < box.y0 < box.y1 < 105
