"""Heads of tables: a figure is read with all that stands above it."""

from collections.abc import Sequence

from tests.reading.looking import read_document
from tests.reading.pdf_files import Drawn, Placed, Rule, grid, pdf

from cytat.testing.readers import assert_document

ENDS = (240, 300, 360, 420)
"""Where the columns of figures end; a sign is six points wide."""


def text_of(page: Sequence[Drawn]) -> str:
    document = read_document(pdf([page]), source="a.pdf")
    assert_document(document)
    return document.text


def row(top: float, label: str, *figures: str) -> list[Drawn]:
    """Return a label and figures that end at the same places, as statements set them."""
    return [
        Placed(label, 60, top),
        *(Placed(said, end - 6 * len(said), top) for said, end in zip(figures, ENDS, strict=False)),
    ]


def head(top: float, *cells: tuple[str, float]) -> list[Drawn]:
    """Return cells with the middle of each."""
    return [Placed(said, middle - 3 * len(said), top) for said, middle in cells]


FIGURES = [
    *row(100, "Rents", "2,100", "1,900", "4,000", "3,700"),
    *row(114, "Repairs", "120", "95", "230", "180"),
    *row(128, "Net income", "1,980", "1,805", "3,770", "3,520"),
]


def test_a_head_of_several_rows_is_read_in_full_above_each_of_its_columns() -> None:
    text = text_of(
        [
            *head(44, ("Six Months Ended", 258), ("Twelve Months Ended", 378)),
            *row(58, "", "June 30,", "June 30,", "June 30,", "June 30,"),
            *row(72, "(in thousands)", "2025", "2024", "2025", "2024"),
            *FIGURES,
        ]
    )
    assert text.splitlines()[0] == (
        "(in thousands) | Six Months Ended June 30, 2025 | Six Months Ended June 30, 2024"
        " | Twelve Months Ended June 30, 2025 | Twelve Months Ended June 30, 2024"
    )
    assert text.splitlines()[1] == "Rents | 2,100 | 1,900 | 4,000 | 3,700"


def test_a_line_drawn_below_a_cell_tells_how_far_it_reaches() -> None:
    text = text_of(
        [
            *head(72, ("Harbour", 240), ("Centre", 380)),
            Rule(200, 75, 300, 75.7), Rule(320, 75, 420, 75.7),
            *row(86, "(in thousands)", "Old", "New", "Old", "New"),
            *FIGURES,
        ]
    )  # fmt: skip
    assert text.splitlines()[0] == (
        "(in thousands) | Harbour Old | Harbour New | Centre Old | Centre New"
    )


def test_the_first_of_two_lines_above_one_column_is_of_that_column_alone() -> None:
    text = text_of(
        [
            *head(72, ("Weighted", 279)),
            *row(86, "Shares", "Number", "average", "Value", "Term"),
            *FIGURES,
        ]
    )
    assert text.splitlines()[0] == "Shares | Number | Weighted average | Value | Term"


def test_what_stands_above_years_stands_above_all_of_them() -> None:
    text = text_of(
        [
            *head(58, ("Pension", 258), ("Other benefits", 378)),
            *row(72, "December 31,", "2025", "2024", "2025", "2024"),
            *FIGURES,
        ]
    )
    assert text.splitlines()[0] == (
        "December 31, | Pension 2025 | Pension 2024 | Other benefits 2025 | Other benefits 2024"
    )


def test_what_the_figures_are_in_belongs_to_their_table() -> None:
    text = text_of(
        [
            Placed("The table below shows what the houses by the harbour brought in.", 60, 30),
            Placed("(in thousands of zlotys)", 60, 72),
            *row(86, "Years ended December 31,", "2025", "2024"),
            *row(100, "Rents", "2,100", "1,900"),
            *row(114, "Repairs", "120", "95"),
        ]
    )
    assert text.endswith(
        "(in thousands of zlotys)\nYears ended December 31, | 2025 | 2024\n"
        "Rents | 2,100 | 1,900\nRepairs | 120 | 95"
    )


def test_a_row_of_words_and_figures_is_no_head() -> None:
    text = text_of(
        [
            *row(72, "1.90% Notes", "2.07%"), Placed("due 2025", 252, 72),
            *row(86, "Total", "500", "500"),
            *row(100, "Less", "20", "10"),
            *row(114, "Net", "480", "490"),
        ]
    )  # fmt: skip
    assert text.splitlines() == [
        "1.90% Notes | 2.07% | due 2025", "Total | 500 | 500", "Less | 20 | 10", "Net | 480 | 490"
    ]  # fmt: skip


def test_a_head_over_two_columns_of_a_ruled_table_goes_to_both() -> None:
    text = text_of(
        [
            *grid((60, 160, 260, 360), (120, 140, 160)),
            Rule(60, 100, 360, 100.7), Rule(60, 100, 60.7, 160), Rule(160, 100, 160.7, 160),
            Rule(360, 100, 360.7, 160),
            Placed("Rent by", 65, 114), Placed("District", 235, 114),
            Placed("Year", 65, 134), Placed("Old Town", 165, 134), Placed("Harbour", 265, 134),
            Placed("2024", 65, 154), Placed("2 100", 165, 154), Placed("1 900", 265, 154),
        ]
    )  # fmt: skip
    assert text.splitlines() == [
        "Rent by | District | District", "Year | Old Town | Harbour", "2024 | 2 100 | 1 900"
    ]  # fmt: skip


def test_a_title_inside_the_frame_of_a_table_is_read_once() -> None:
    text = text_of(
        [
            *grid((60, 160, 260), (120, 140, 160)),
            Rule(60, 100, 260, 100.7), Rule(60, 100, 60.7, 120), Rule(260, 100, 260.7, 120),
            Placed("Rents of 2024", 65, 114),
            Placed("Old Town", 65, 134), Placed("2 100", 165, 134),
            Placed("Harbour", 65, 154), Placed("1 900", 165, 154),
        ]
    )  # fmt: skip
    assert text.splitlines() == ["Rents of 2024", "Old Town | 2 100", "Harbour | 1 900"]
