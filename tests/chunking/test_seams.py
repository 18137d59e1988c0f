"""Seams are found in time that grows as the text does."""

import pytest
from tests.growth import grows_like_a_line

from cytat.chunking import seams
from cytat.records import Span


@pytest.mark.parametrize("seam", [seams.paragraphs, seams.lines, seams.items, seams.bare_words])
@pytest.mark.parametrize("piece", ["\n", "\r\n", " ", "\n   ", "   \n", "\n1) ", "a\n\n"])
def test_a_long_run_of_anything_is_cut_in_linear_time(seam: seams.Seam, piece: str) -> None:
    def cut(size: int) -> None:
        text = piece * (size // len(piece)) + "a"
        seam(text, Span(0, len(text)))

    assert grows_like_a_line(cut, size=5_000)


@pytest.mark.parametrize("blank_line", ["\n\n", "\n \t\n", "\r\n\r\n", "\r\r", "\n\n\n \n"])
def test_paragraphs_part_at_blank_lines(blank_line: str) -> None:
    text = f"Jeden.\nDwa.{blank_line}Trzy."
    found = seams.paragraphs(text, Span(0, len(text)))
    assert [span.of(text) for span in found] == ["Jeden.\nDwa.", "Trzy."]
