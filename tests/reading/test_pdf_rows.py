"""PDF: rows of tables, columns below names, passages side by side, tables of contents."""

from collections.abc import Sequence

from tests.reading.looking import block_with, read_document, words_of
from tests.reading.pdf_files import Drawn, Placed, Rule, grid, lines, pdf

from cytat.records import BlockKind, Document
from cytat.testing.readers import assert_document


def read(*pages: Sequence[Drawn]) -> Document:
    document = read_document(pdf(pages), source="a.pdf")
    assert_document(document)
    return document


def cells(top: float, *words: str, lefts: tuple[float, ...], size: float = 10) -> list[Drawn]:
    """Return the cells of one row."""
    return [Placed(said, left, top, size) for said, left in zip(words, lefts, strict=False) if said]


LEFTS = (64.0, 94.0, 244.0, 314.0)


def upright(lefts: list[float], top: float, bottom: float) -> list[Drawn]:
    """Return a frame with upright lines in it and one level line below its head."""
    head = Rule(lefts[0], top + 20, lefts[-1], top + 20.7)
    return [*grid(lefts, [top, bottom]), head]


def test_rows_between_upright_lines_are_rows_and_a_sum_below_them_is_one() -> None:
    items = [("1", "Papier", "10", "240,00"), ("2", "toner czarny", "1", "315,50")]
    page: list[Drawn] = [
        *upright([60, 90, 240, 310, 400], 80, 180),
        *cells(95, "Lp.", "Nazwa", "Ile", "Kwota", lefts=LEFTS),
        *(cell for n, item in enumerate(items) for cell in cells(115 + 15 * n, *item, lefts=LEFTS)),
        *cells(145, "", "Razem", "", "555,50", lefts=LEFTS),
    ]
    (table,) = words_of(read(page), BlockKind.TABLE)
    assert table == (
        "Lp. | Nazwa | Ile | Kwota\n"
        "1 | Papier | 10 | 240,00\n"
        "2 | toner czarny | 1 | 315,50\n"
        "| Razem | | 555,50"
    )


def test_a_name_of_two_lines_stays_one_cell_between_upright_lines() -> None:
    page: list[Drawn] = [
        *upright([60, 90, 240, 310, 400], 80, 180),
        *cells(95, "Lp.", "Nazwa", "Ile", "Kwota", lefts=LEFTS),
        *cells(115, "1", "Papier bialy", "10", "240,00", lefts=LEFTS),
        *cells(127, "", "w ryzach", "", "", lefts=LEFTS),
        *cells(142, "2", "Toner", "1", "315,50", lefts=LEFTS),
    ]
    (table,) = words_of(read(page), BlockKind.TABLE)
    assert "1 | Papier bialy w ryzach | 10 | 240,00\n2 | Toner | 1 | 315,50" in table


def test_cells_of_several_lines_in_a_fully_ruled_table_stay_whole() -> None:
    page: list[Drawn] = [
        *grid([60, 200, 400], [80, 120, 160]),
        *cells(95, "Rodzaj", "Zasada zwrotu", lefts=(64, 204)),
        *cells(107, "umowy", "zaliczki", lefts=(64, 204)),
        *cells(135, "Umowa", "Zwrot w ciagu", lefts=(64, 204)),
        *cells(147, "najmu", "miesiaca", lefts=(64, 204)),
    ]
    assert words_of(read(page), BlockKind.TABLE) == [
        "Rodzaj umowy | Zasada zwrotu zaliczki\nUmowa najmu | Zwrot w ciagu miesiaca"
    ]


def test_lines_drawn_cell_by_cell_make_one_table_though_some_cross() -> None:
    # The two last columns are ruled both ways; the level lines go on 7 points to their left.
    tops = [100.0, 120.0, 140.0]
    page: list[Drawn] = [
        *(Rule(60, top + 5, 293, top + 5.7) for top in [80.0, *tops]),
        *grid([300, 350, 400], [85, 105, 125, 145]),
        *(
            cell
            for n, top in enumerate(tops)
            for cell in cells(
                top, f"Year 202{n}", "12", f"{n}4", f"{n}5", lefts=(64, 250, 310, 360)
            )
        ),
    ]
    (table,) = words_of(read(page), BlockKind.TABLE)
    assert table == "Year 2020 | 12 | 04 | 05\nYear 2021 | 12 | 14 | 15\nYear 2022 | 12 | 24 | 25"


def test_a_dash_for_nothing_is_a_cell_and_a_minus_belongs_to_its_figure() -> None:
    lefts = (60.0, 250.0, 350.0)
    page = [
        *cells(100, "Sprzedaz", "-", "(6)", lefts=lefts),
        *cells(115, "Koszty", "82", "80", lefts=lefts),
        *cells(130, "Zysk", "- 4", "-11", lefts=lefts),
    ]
    (table,) = words_of(read(page), BlockKind.TABLE)
    assert table == "Sprzedaz | - | (6)\nKoszty | 82 | 80\nZysk | - 4 | -11"


def test_a_raised_mark_of_a_label_is_no_column_of_figures() -> None:
    lefts = (60.0, 250.0, 350.0)
    page = [
        Placed("Revenue", 60, 100),
        Placed("(1)", 102, 96, 6),
        *cells(100, "", "21,4", "22,5", lefts=lefts),
        Placed("Margin as a share", 60, 115),
        Placed("(2)", 162, 111, 6),
        *cells(115, "", "17,2", "16,7", lefts=lefts),
        *cells(130, "Costs", "82", "80", lefts=lefts),
    ]
    (table,) = words_of(read(page), BlockKind.TABLE)
    assert table == "Revenue(1) | 21,4 | 22,5\nMargin as a share(2) | 17,2 | 16,7\nCosts | 82 | 80"


def test_a_title_and_a_sentence_part_two_tables_of_figures() -> None:
    page = [
        *(c for n in range(3) for c in cells(100 + 15 * n, f"Rok {n}", f"{n}1", f"{n}2",
                                             lefts=(60.0, 250.0, 300.0))),
        *lines("Uwaga 7. Zapasy", top=170), *lines("Zapasy na koniec roku:", top=195),
        *(c for n in range(3) for c in cells(220 + 15 * n, f"Towar {n}", f"{n}345,00", f"{n}6",
                                             lefts=(60.0, 262.0, 400.0))),
    ]  # fmt: skip
    first, second = words_of(read(page), BlockKind.TABLE)
    assert first == "Rok 0 | 01 | 02\nRok 1 | 11 | 12\nRok 2 | 21 | 22"
    assert second.startswith("Towar 0 | 0345,00 | 06")


PROSE = (
    "Groble budowano tu od polowy", "wieku z ilu i kamienia na", "podmoklym gruncie nad woda.",
    "Pierwsze opisy osiadania podala", "inzynier, ktora mierzyla korone",
    "lata i niwelatorem kazda", "wiosne oraz po duzych opadach", "deszczu w zlewni jeziora",
    "do ktorego wpada rzeka z gor", "i z ktorego wyplywa strumien",
)  # fmt: skip


def test_columns_below_the_names_of_authors_are_read_one_after_the_other() -> None:
    page: list[Drawn] = [
        Placed("Osiadanie grobli nad jeziorem", 200, 60, 14),
        *cells(90, "Jan Klon", "Ewa Sikora", lefts=(120, 400)),
        *cells(120, "Politechnika", "Instytut Grobli", lefts=(110, 390)),
        *lines(*PROSE, left=60, top=160), *lines(*reversed(PROSE), left=320, top=160),
    ]  # fmt: skip
    text = " ".join(read(page).text.split())
    assert text.index("Ewa Sikora") < text.index("Groble budowano tu od polowy wieku")
    assert text.count(" ".join(PROSE)) == 1
    left_end, right_start = text.index(PROSE[-1]), text.rindex(PROSE[-1])
    assert left_end < right_start
    assert "Instytut Grobli" not in text[left_end:]


def test_two_passages_side_by_side_between_paragraphs_are_read_one_after_the_other() -> None:
    above = lines(
        *(f"Zdanie numer {n} nad przykladem biegnie przez cala strone." for n in range(6))
    )
    rows = ["Przypisy\\przypis{Tak wyglada", "wlasnie przypis.} wstawiaja", "czesto autorzy prac"]
    source = lines(*rows, left=70, top=170)
    rows = ["Przypisy(a) wstawiaja czesto", "autorzy prac naukowych oraz", "ksiazek dla dzieci"]
    result = lines(*rows, left=320, top=170)
    text = " ".join(read([*above, *source, *result]).text.split())
    assert "Tak wyglada wlasnie przypis.} wstawiaja czesto autorzy prac" in text
    assert "wstawiaja czesto autorzy prac naukowych oraz ksiazek dla dzieci" in text


def test_entries_of_a_table_of_contents_are_furniture_and_the_titles_they_name_are_not() -> None:
    entries = (
        "1. Zasady zwrotu ............ 2",
        "2. Terminy .................. 3",
        "3. Wypowiedzenie ............ 4",
    )
    contents = lines("Spis tresci", "", *entries, step=20)
    chapters = [
        lines("1. Zasady zwrotu", "", "Zwracamy kaucje po miesiacu.", step=20),
        lines("2. Terminy", "", "Placi sie do jedenastego dnia.", step=20),
        lines("3. Wypowiedzenie", "", "Trwa trzy miesiace.", step=20),
    ]
    document = read(contents, *chapters)
    assert words_of(document, BlockKind.FURNITURE) == ["\n".join(entries)]
    assert block_with(document, "jedenastego").kind is BlockKind.PARAGRAPH


def test_a_price_list_with_dots_is_no_table_of_contents() -> None:
    menu = lines(
        "Herbata .................. 9",
        "Kawa ..................... 12",
        "Sernik ................... 18",
    )
    document = read(menu)
    assert words_of(document, BlockKind.FURNITURE) == []


def test_the_number_at_the_foot_of_the_only_page_parts_no_sentence() -> None:
    left = [*PROSE[:-1], "prowadzi tu zajecia Natalia"]
    right = ["Brzeg we wtorki o szesnastej", *PROSE]
    number = Placed("1", 180, 820)
    page = [*lines(*left, left=60, top=160), *lines(*right, left=320, top=160), number]
    document = read(page)
    assert "zajecia Natalia Brzeg we wtorki" in " ".join(document.text.split())
    assert document.ledger.left_out == 1


def test_rows_of_words_that_end_in_figures_are_a_table_and_so_are_centred_ones() -> None:
    lefts = (60.0, 200.0, 330.0)
    words = [
        *cells(100, "Lokaty", "Poziom pierwszy", "280", lefts=lefts),
        *cells(115, "Obligacje", "Poziom drugi", "1203", lefts=(60, 200, 324)),
        *cells(130, "Inne", "Poziom drugi", "9", lefts=(60, 200, 342)),
    ]
    centred = [
        *cells(300, "Przychody", "od 10 do 11 mln", lefts=(60, 300)),
        *cells(315, "Sklepy", "25", lefts=(60, 339)),
        *cells(330, "Stopa", "okolo 24%", lefts=(60, 318)),
    ]
    first, second = words_of(read([*words, *centred]), BlockKind.TABLE)
    assert first == (
        "Lokaty | Poziom pierwszy | 280\nObligacje | Poziom drugi | 1203\nInne | Poziom drugi | 9"
    )
    assert second == "Przychody | od 10 do 11 mln\nSklepy | 25\nStopa | okolo 24%"


def test_the_head_of_a_table_that_goes_on_overleaf_stays_with_its_rows() -> None:
    def page(first: int) -> list[Drawn]:
        rows = [(f"Towar {n}", f"{n}1", f"{n}2") for n in range(first, first + 3)]
        head = cells(40, "Nazwa", "2023", "2024", lefts=(60, 250, 350))
        return [
            *head,
            *(
                c
                for n, one in enumerate(rows)
                for c in cells(55 + 15 * n, *one, lefts=(60, 255, 355))
            ),
            *lines(f"Koniec strony {first} i jej podsumowanie.", top=200),
        ]

    document = read(page(1), page(4), page(7))
    tables = words_of(document, BlockKind.TABLE)
    assert [table.splitlines()[0] for table in tables] == ["Nazwa | 2023 | 2024"] * 3
