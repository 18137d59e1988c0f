"""What a gold question says an answer must contain is looked for whole."""

import pytest

from cytat.evaluation.judging import _folded, _says


@pytest.mark.parametrize(
    ("said", "words", "is_said"),
    [
        ("Dojazd kosztuje 50 zł.", "0 zł", False),
        ("Dojazd kosztuje 0 zł.", "0 zł", True),
        ("Razem 1 234,50 zł", "234,50 zł", False),
        ("Razem 1\u00a0234,50 zł", "1 234,50 zł", True),
        ("Kaucja: 4300", "430", False),
        ("The fee is £35.00.", "£35", True),
        ("The fee is £35.50.", "£35", False),
        ("Prawo i sprawiedliwość", "prawo", True),
        ("Nieprawomocny wyrok", "prawo", False),
        ("4 % rocznie", "4 %", True),
        ("14 % rocznie", "4 %", False),
    ],
)
def test_words_and_numbers_are_whole(said: str, words: str, *, is_said: bool) -> None:
    assert _says(_folded(said), words) is is_said
