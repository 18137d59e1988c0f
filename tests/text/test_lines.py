import pytest

from cytat.text.locators import line_among, line_of, line_starts

TEXT = "a\nb\r\nc\rd\n\ne"


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (0, 1),
        (1, 1),  # the break belongs to the line it ends
        (2, 2),
        (3, 2),
        (4, 2),  # between \r and \n
        (5, 3),
        (7, 4),
        (9, 5),
        (10, 6),
        (11, 6),  # after the last character
    ],
)
def test_lines_count_from_one_and_every_break_counts_once(position: int, line: int) -> None:
    assert line_of(TEXT, position) == line
    assert line_among(line_starts(TEXT), position) == line


def test_an_empty_text_has_one_line() -> None:
    assert line_starts("") == (0,)
    assert line_of("", 0) == 1


def test_a_position_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        line_of("a", 2)
