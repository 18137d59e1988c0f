import pytest

from cytat.text.locators import position_of_utf8, position_of_utf16, utf8_offset, utf16_offset

TEXT = "naïve 😀 café"


def test_the_word_after_an_emoji_has_three_places() -> None:
    assert TEXT.index("café") == 8
    assert utf16_offset(TEXT, 8) == 9
    assert utf8_offset(TEXT, 8) == 12


def test_the_way_back_is_exact() -> None:
    for position in range(len(TEXT) + 1):
        assert position_of_utf16(TEXT, utf16_offset(TEXT, position)) == position
        assert position_of_utf8(TEXT, utf8_offset(TEXT, position)) == position


def test_a_lone_surrogate_counts_one_unit_and_three_bytes() -> None:
    text = "a\ud83db"
    assert utf16_offset(text, 2) == 2
    assert utf8_offset(text, 2) == 4
    assert position_of_utf8(text, 4) == 2


@pytest.mark.parametrize("offset", [-1, 7, 14])
def test_an_offset_inside_a_pair_or_outside_is_refused(offset: int) -> None:
    with pytest.raises(ValueError, match="offset"):
        position_of_utf16(TEXT, offset)


@pytest.mark.parametrize("position", [-1, 13])
def test_a_position_outside_is_refused(position: int) -> None:
    with pytest.raises(ValueError, match="position"):
        utf16_offset(TEXT, position)
