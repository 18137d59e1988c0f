"""A quote of several lines, shown on one."""

import pytest

from cytat.answering.quoting import on_one_line


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("- Netto 2 310,00\n- VAT 531,30\n", "Netto 2 310,00; VAT 531,30"),
        ("Zwalnia się:\n- książki\n- mapy", "Zwalnia się: książki; mapy"),
        ("Czynsz wynosi\n2150 zł.", "Czynsz wynosi 2150 zł."),
        ("1. Pierwszy\n2. Drugi", "1. Pierwszy 2. Drugi"),
        ("| Książki | 5 % |", "| Książki | 5 % |"),
    ],
)
def test_bullets_become_semicolons_and_nothing_else_changes(quote: str, shown: str) -> None:
    assert on_one_line(quote) == shown
