"""Parts of a text in another language than its document."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import grows_like_a_line

from cytat.analysis import passage_language, terms_by_passage, terms_in_order
from cytat.analysis.language import parts_by_language

POLISH = "Najemca zapłaci kaucję w dniu podpisania umowy i nie później niż przed wydaniem lokalu."
ENGLISH = "The tenants shall pay the deposit on the day of signing and not later than that."
ABSTRACT = f"Streszczenie. {POLISH}\n\nAbstract. {ENGLISH}\n{ENGLISH}\n\nWstęp. {POLISH}\n"


def languages(text: str, language: str | None = "pl") -> list[str | None]:
    return [code for _, code in parts_by_language(text, language)]


def test_an_english_abstract_is_cut_out_of_a_polish_paper() -> None:
    assert languages(ABSTRACT) == ["pl", "en", "pl"]


def test_columns_of_a_bilingual_contract_are_in_two_languages() -> None:
    assert languages(f"| {POLISH} | {ENGLISH} |\n| {POLISH} | {ENGLISH} |\n") == [
        *("pl", "en", "pl", "en")
    ]


def test_a_foreign_quote_on_lines_of_its_own_is_in_its_language() -> None:
    assert languages(f"Autor pisze tak:\n{ENGLISH}\nZ tym trudno się nie zgodzić.") == [
        *("pl", "en", "pl")
    ]


@pytest.mark.parametrize(
    "text",
    [
        POLISH,
        "Dzieło „The End of the Affair” ukazało się w Polsce po wojnie i było czytane.",
        "Rozwiązanie open source nie jest gorsze od tego, co oferują inni.",
        "Tabela 1\nA B C\n1 2 3",
        "",
        "Jan Kowalski, Anna Nowak, Piotr Zieliński",
    ],
)
def test_what_is_not_clearly_foreign_is_in_the_language_of_its_document(text: str) -> None:
    assert languages(text) == ["pl"]


def test_a_line_that_tells_nothing_goes_with_the_one_before_and_a_paragraph_begins_anew() -> None:
    assert languages(f"{ENGLISH}\nDeposit: PLN 500\n\nKaucja 500") == ["en", "pl"]


def test_where_nobody_knows_the_language_of_a_document_its_parts_have_theirs() -> None:
    assert languages(f"1234\n{ENGLISH}\n{POLISH}", None) == [None, "en", "pl"]


def test_the_stems_of_a_part_are_those_of_its_language_and_its_mark_tells_of_it() -> None:
    terms = terms_by_passage(ABSTRACT, "pl")
    assert {"tenant", "kaucj", "~en"} <= set(terms)
    assert "~pl" not in terms
    assert terms_by_passage(POLISH, "pl") == terms_in_order(POLISH, "pl")


def test_a_passage_is_in_the_language_of_the_most_of_it() -> None:
    assert passage_language(ABSTRACT, "pl") == "pl"
    assert passage_language(f"Abstract. {ENGLISH}", "pl") == "en"


@settings(deadline=None)
@given(st.text(), st.sampled_from(["pl", "en", None]))
def test_parts_are_the_text(text: str, language: str | None) -> None:
    assert "".join(part for part, _ in parts_by_language(text, language)) == text


@pytest.mark.parametrize("piece", ["the of and ", "| ", "\n", f"{POLISH}\n{ENGLISH}\n", "a|"])
def test_a_long_text_takes_linear_time(piece: str) -> None:
    def part(characters: int) -> None:
        parts_by_language(piece * (characters // len(piece) + 1), "pl")

    assert grows_like_a_line(part, size=20_000)
