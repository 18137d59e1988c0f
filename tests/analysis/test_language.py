"""Which language a text is in, or that nothing tells."""

import pytest

from cytat.analysis import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("jaka jest stawka", "pl"),
        ("czy uslugi lekarskie sa opodatkowane", "pl"),
        ("Ile wynosi składka ZUS?", "pl"),
        ("How good must my English be?", "en"),
        ("What is form PHD-07?", "en"),
        ("Wie hoch ist die Miete?", "de"),
        ("quel est le montant du loyer", "fr"),
        ("¿Cuál es el plazo?", "es"),
        ("qual è il termine", "it"),
        ("qual é o prazo", "pt"),
        ("wat is de huur", "nl"),
        ("jaká je sazba DPH", "cs"),
        ("какая ставка НДС", "ru"),
        ("яка ставка ПДВ", "uk"),
    ],
)
def test_a_short_question_tells_its_language(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["FV/2025/09/0143", "Art. 43", "", "VAT", "1 230,00", "🙂", "\0"])
def test_codes_and_numbers_have_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_a_quoted_title_does_not_outweigh_the_text_around_it() -> None:
    text = "Autor omawia dzieło „The End of the Affair”, które ukazało się w Polsce po wojnie."
    assert detect_language(text) == "pl"
