"""When the evidence says what a statement says, and when it only looks so."""

import pytest
from tests.grounding.test_ground import grounded

RENT = "Najemca płaci czynsz 3 200 zł miesięcznie, z góry do 10. dnia miesiąca."
TABLE = "| Towar | Cena (zł) |\n| --- | --- |\n| Uszczelka U097 | 100,97 |\n"


def test_a_number_does_not_take_the_unit_of_another_number() -> None:
    assert grounded("Najemca płaci 10 zł miesięcznie [1].", RENT).statements == ()
    assert grounded("Najemca płaci 3 200 zł miesięcznie [1].", RENT).statements


def test_a_number_in_a_table_has_the_unit_of_its_column() -> None:
    assert grounded("Uszczelka U097 kosztuje 100,97 zł [1].", TABLE).statements


@pytest.mark.parametrize("draft", ["Tak [1].", "Yes [1].", "No [1].", "Nie [1]."])
def test_a_statement_without_a_word_that_can_be_looked_for_does_not_stand(draft: str) -> None:
    assert grounded(draft, RENT).statements == ()
