"""PDF in depth: tables, columns, headings by type, notes, captions, turned and doubled writing."""

from collections.abc import Sequence

import pytest
from tests.reading.looking import block_with, headings, path_above, read_document, words_of
from tests.reading.pdf_files import Drawn, Placed, grid, lines, pdf

from cytat.errors import ReadingError
from cytat.records import BlockKind, Document
from cytat.testing.readers import assert_document

PROSE = (
    "The tenant pays the rent each month and keeps the", ("flat in good order until the end of the"
    " lease."),
)  # fmt: skip


def read(
    *pages: Sequence[Drawn], outline: tuple[tuple[str, int], ...] = (), turned: int = 0
) -> Document:
    document = read_document(
        pdf(pages, outline=outline, rotated=turned), source="a.pdf", password=None
    )
    assert_document(document)
    return document


def row(top: float, label: str, *figures: str) -> list[Drawn]:
    """Return a label and figures that end at the same places, as statements set them."""
    ends = (330, 420, 510)
    return [
        Placed(label, 60, top),
        *(Placed(said, end - 6 * len(said), top) for said, end in zip(figures, ends, strict=False)),
    ]


def statement() -> list[Drawn]:
    return [
        *lines(*PROSE),
        *row(120, "Years ended December 31,", "2022", "2021", "2020"),
        *row(134, "Revenues", "66,608", "62,286", "58,158"),
        *row(148, "Earnings before:"),
        *row(162, "Loss from operations after", "", "", ""),
        *row(176, "taxes of $12", "(3,547)", "(2,902)", "(12,767)"),
        *row(190, "Margin", "9 . 2 %", "", "1 284,50"),
    ]


def test_a_row_of_a_statement_has_its_label_and_values_on_one_line() -> None:
    document = read(statement())
    assert words_of(document, BlockKind.TABLE) == [
        (
            "Years ended December 31, | 2022 | 2021 | 2020\n"
            "Revenues | 66,608 | 62,286 | 58,158\n"
            "Earnings before:\n"
            "Loss from operations after taxes of $12 | (3,547) | (2,902) | (12,767)\n"
            "Margin | 9 . 2 % | | 1 284,50"
        )
    ]
    assert document.text.startswith(" ".join(PROSE))


def test_a_sign_of_currency_belongs_to_its_figure() -> None:
    document = read(
        [
            Placed(said, left, 70 + 14 * n)
            for n, told in enumerate(
                (("Cash", "$", "120"), ("Debt", "$", "80"), ("Net", "$", "40"))
            )
            for said, left in zip(told, (60, 200, 240), strict=True)
        ]
    )
    assert document.text == "Cash | $ 120\nDebt | $ 80\nNet | $ 40"


def test_a_cell_of_a_ruled_table_may_have_several_lines() -> None:
    document = read(
        [
            *lines(*PROSE, top=60),
            *grid((60, 200, 400), (100, 120, 150, 170)),
            Placed("Item", 65, 114), Placed("Terms", 205, 114),
            Placed("Deposit", 65, 132), Placed("returned within a month", 205, 132),
            Placed("after the keys are back", 205, 144),
            Placed("Heating", 65, 164), Placed("by the meter", 205, 164),
        ]
    )  # fmt: skip
    assert words_of(document, BlockKind.TABLE) == [
        (
            "Item | Terms\n"
            "Deposit | returned within a month after the keys are back\n"
            "Heating | by the meter"
        )
    ]


def test_rows_whose_cells_begin_together_are_a_table() -> None:
    names = (
        ("Name", "Office", "City"),
        ("Anna Nowak", "Chair", "Lublin"),
        ("Jan Lis", "Clerk", "Chełm"),
    )
    document = read(
        [
            Placed(said, left, 70 + 14 * n)
            for n, told in enumerate(names)
            for said, left in zip(told, (60, 180, 300), strict=True)
        ]
    )  # fmt: skip
    assert (
        document.text
        == "Name | Office | City\nAnna Nowak | Chair | Lublin\nJan Lis | Clerk | Chełm"
    )
    assert words_of(document, BlockKind.TABLE) == [document.text]


def test_three_columns_with_a_title_across_are_read_down_one_by_one() -> None:
    page = [Placed("A title that stands across all three columns of it", 60, 60)]
    for column, name in enumerate(("alpha", "beta", "gamma")):
        page += lines(
            f"{name} one runs on with", f"{name} two runs on with", f"{name} three runs on with",
            f"{name} four runs on and", f"{name} five is the end.", left=60 + 160 * column, top=90,
        )  # fmt: skip
    page.sort(key=lambda placed: (placed.top, placed.left))
    text = read([*page]).text
    places = [
        text.index(f"{name} {n}") for name in ("alpha", "beta", "gamma") for n in ("one", "five")
    ]
    assert places == sorted(places)
    assert text.index("title") < places[0]


def test_a_narrow_gutter_parts_columns() -> None:
    page: list[Drawn] = []
    for n in range(6):
        page += [
            Placed(f"left words number {n} here", 60, 70 + 14 * n),
            Placed(f"right words number {n} too", 60 + 6 * 24 + 12, 70 + 14 * n),
        ]
    text = read(page).text
    assert text.index("left words number 5") < text.index("right words number 0")


def test_a_table_inside_a_column_stays_there() -> None:
    left = lines(*(f"left column line {n} runs on" for n in range(8)))
    right: list[Drawn] = [
        *lines("right column line 0 runs on", "right column line 1 is here", left=320),
        *(
            Placed(said, x, 98 + 14 * n)
            for n in range(3)
            for said, x in ((f"Label {n}", 320), (f"1{n}", 440), (f"2{n}", 500))
        ),
        *lines(*(f"right column line {n} runs on" for n in range(5, 8)), left=320, top=140),
    ]
    document = read([*left, *right])
    assert words_of(document, BlockKind.TABLE) == [
        "Label 0 | 10 | 20\nLabel 1 | 11 | 21\nLabel 2 | 12 | 22"
    ]
    text = document.text
    assert text.index("left column line 7") < text.index("right column line 0")
    assert (
        text.index("right column line 1")
        < text.index("Label 0")
        < text.index("right column line 5")
    )


def test_a_hyphen_stays_where_the_documents_words_or_its_kind_call_for_it() -> None:
    document = read(
        lines(
            "Dnia 3 maja w Bielsko-", "Białej odbyło się zebranie z udziałem ex-",
            "ministra oraz jego zast\u0119p-".replace("\u0119", "ę"), "cy w sprawie dwu-",
            "i trzyletnich planów nad-", "zoru. Ma zastępcy i nadzoru.",
        )
    )  # fmt: skip
    assert "Bielsko-Białej odbyło" in document.text
    assert "ex-ministra" in document.text
    assert "jego zastępcy w sprawie" in document.text
    assert "dwu- i trzyletnich planów nadzoru." in document.text


def test_headers_of_odd_and_even_pages_are_kept_once_each() -> None:
    def page(number: int) -> list[Drawn]:
        head = "Annual report" if number % 2 else "Chapter on results"
        return [
            Placed(head, 60, 27),
            *lines(f"Words of page {number} that say a thing.", "And more of it.", top=200),
            Placed(f"- {number + 10} -", 290, 812),
        ]

    document = read(*(page(number) for number in range(1, 8)))
    assert words_of(document, BlockKind.FURNITURE) == ["Annual report", "Chapter on results"]
    assert "- 1" not in document.text
    assert document.ledger.left_out == 5 + 7


def test_page_numbers_of_a_total_are_no_text() -> None:
    document = read(
        *(
            [*lines(f"Page about matter {n}.", top=200), Placed(f"{n}/4", 290, 812)]
            for n in range(1, 5)
        )
    )
    assert "/4" not in document.text


def test_a_footnote_breaks_no_sentence_that_runs_over_the_page() -> None:
    first: list[Drawn] = [
        *lines("The first paragraph of it ends here.", top=600),
        *lines("The lease may be ended by either side with", top=640),
        *lines("a notice of three months that is", top=654),
        *lines("1 See the act on tenants of 2001.", size=7, top=780),
    ]  # fmt: skip
    document = read(first, lines("given in writing to the other side."))
    assert "with a notice of three months that is given in writing to the other side." in (
        document.text.replace("\n", " ")
    )
    note = block_with(document, "See the act")
    assert note.span.of(document.text) == "1 See the act on tenants of 2001."
    assert document.parts[0].span.holds(note.span)


def test_a_caption_is_a_block_of_its_own_and_breaks_no_sentence() -> None:
    document = read(
        [
            *lines("The flow of cases through the office is", "shown in the figure, and it is not"),
            *lines("Figure 2. Cases by month.", top=300),
            *lines("easy to see where they stay for long.", top=330),
        ]
    )
    assert "it is not easy to see where" in document.text
    assert block_with(document, "Figure 2").span.of(document.text) == "Figure 2. Cases by month."


def test_bigger_and_bolder_lines_above_text_are_headings() -> None:
    document = read(
        [
            *lines("General terms of the lease", size=16, font="F1", top=60),
            *lines("Rent and deposit", font="F2", top=90),
            *lines(*PROSE, top=110),
            *lines("Keys", font="F2", top=160),
            *lines(*PROSE, top=180),
        ]
    )
    assert headings(document) == ["General terms of the lease", "Rent and deposit", "Keys"]
    assert path_above(document, "The tenant pays") == (
        "General terms of the lease", "Rent and deposit",
    )  # fmt: skip


def test_bold_cells_and_letterheads_are_no_headings() -> None:
    document = read(
        [
            *lines("ACME Sp. z o.o.", "ul. Polna 3, 20-001 Lublin", "tel. 81 555 12 34", font="F2"),
            *lines(*PROSE, top=150),
            Placed("Total", 60, 220, font="F2"), Placed("12", 300, 220, font="F2"),
            Placed("Tax", 60, 234, font="F2"), Placed("3", 300, 234, font="F2"),
            Placed("Net", 60, 248, font="F2"), Placed("9", 300, 248, font="F2"),
        ]
    )  # fmt: skip
    assert headings(document) == []


def test_addresses_dates_and_remarks_in_large_type_on_a_cover_are_no_headings() -> None:
    cover = [
        *lines("THE HARBOUR COMPANY", size=14, font="F2"),
        *lines("330 West 34th Street, New York, New York 10001", top=100, size=14, font="F2"),
        *lines("Telephone number (212) 720-3700", top=130, size=14, font="F2"),
        *lines("(Exact name of registrant)", top=160, size=14, font="F2"),
        *lines("August 30, 2023", top=220, size=14, font="F2"),
        *lines(*PROSE, top=250),
    ]
    assert words_of(read(cover), BlockKind.HEADING) == []


def test_a_date_between_a_title_and_its_text_hides_no_title() -> None:
    page = [
        *lines("Notes to the Statements", font="F2"),
        *lines("March 12, 2025", top=100, font="F2"),
        *lines(*PROSE, top=130),
    ]
    assert words_of(read(page), BlockKind.HEADING) == ["Notes to the Statements"]


def test_an_item_of_an_annual_report_is_a_heading_though_it_ends_with_a_stop() -> None:
    page = [*lines("Item 1A. Risk Factors.", font="F2"), *lines(*PROSE, top=100)]
    assert words_of(read(page), BlockKind.HEADING) == ["Item 1A. Risk Factors."]


def test_an_outline_that_names_lines_of_its_pages_makes_headings() -> None:
    document = read(
        [*lines("Scope"), *lines(*PROSE, top=100)],
        [*lines("Payments"), *lines(*PROSE, top=100)],
        outline=(("Scope", 1), ("Payments", 2)),
    )
    assert headings(document) == ["Scope", "Payments"]


def test_an_outline_of_other_words_makes_none() -> None:
    document = read(
        [*lines("Scope"), *lines(*PROSE, top=100)], outline=(("scan0001", 1), ("scan0002", 1))
    )
    assert headings(document) == []


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(turn: int) -> None:
    """The page is written so that it is upright once viewers have turned it."""
    step = {0: (0, 14), 90: (14, 0), 180: (0, -14), 270: (-14, 0)}[turn]
    page: list[Drawn] = [
        Placed(words, 300 + step[0] * n, 400 + step[1] * n, angle=turn)
        for n, words in enumerate(("First line of it", "second line of it", "third and last."))
    ]
    assert read(page, turned=turn).text == "First line of it second line of it third and last."


def test_writing_along_the_edge_is_read_apart() -> None:
    document = read([*lines(*PROSE), Placed("Copy kept in the archive", 30, 500, angle=90)])
    assert document.text == " ".join(PROSE) + "\n\nCopy kept in the archive"


def test_a_watermark_is_in_no_sentence_and_kept_once() -> None:
    def page(number: int) -> list[Drawn]:
        return [
            Placed(f"Page {number} says that the", 60, 70),
            Placed("KOPIA", 200, 500, size=60, angle=45),
            Placed("rent is due.", 60, 84),
        ]

    document = read(page(1), page(2))
    assert "Page 2 says that the rent is due." in document.text
    assert words_of(document, BlockKind.FURNITURE) == ["KOPIA"]
    assert document.ledger.left_out == 1


def test_words_drawn_twice_to_look_bold_are_read_once() -> None:
    document = read([Placed("Total sum 12", 60, 70), Placed("Total sum 12", 60.3, 70)])
    assert document.text == "Total sum 12"


def test_a_font_that_tells_no_letters_is_never_indexed_as_words() -> None:
    document = read([Placed("Sekret", 60, 70, font="F3"), *lines("Plain words.", top=90)])
    assert document.text == "Plain words."
    (problem,) = document.ledger.problems
    assert (problem.part, problem.code) == ("page 1", "damaged-text")
    assert "recognition" in problem.message


def test_a_file_of_fonts_that_tell_no_letters_has_no_text() -> None:
    with pytest.raises(ReadingError) as refused:
        read([Placed("Sekret", 60, 70, font="F3")])
    assert refused.value.code == "no-text"


def test_polish_of_the_iso_page_labelled_as_western_is_put_right() -> None:
    western = {sign: sign.encode("iso8859-2").decode("latin-1") for sign in "ąćęłńóśźż"}
    content = pdf([lines("zapłaty, wartość, żółty, miąższ, kość")], meanings=western)
    document = read_document(content, source="a.pdf")
    assert document.text == "zapłaty, wartość, żółty, miąższ, kość"


def test_an_empty_page_is_told_from_a_picture() -> None:
    content = pdf([lines("Words."), []]).replace(b"100 100 200 200 re f", b"                    ")
    document = read_document(content, source="a.pdf")
    assert [problem.message for problem in document.ledger.problems] == [
        "nothing is drawn on the page"
    ]
