"""What a text is cut into, and that a question is cut alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import grows_like_a_line

from cytat.analysis import analyse_question, terms_in_order, terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            "FV/2025/09/0143",
            {"fv/2025/09/0143", "fv-2025-09-0143", "2025-09-0143", "fv", "2025", "09", "0143"},
        ),
        ("C++ C# F# .NET", {"c++", "c#", "f#", ".net", "net"}),
        ("Node.js", {"node.js", "node-js", "node", "js"}),
        ("v2.1", {"v2.1", "v2-1", "v2", "1", "2.1"}),
        ("12.03.2025", {"12.03.2025", "2025-03-12", "12", "03", "2025"}),
        ("1.0.21", {"1.0.21", "1", "0", "21"}),
        ("20.04", {"20.04", "20", "04"}),
        ("str. 12,13,14", {"str", "12", "13", "14"}),
        ("1,234,567.50 12,34,567", {"1234567.5", "1234567"}),
        ("PHD-07", {"phd-07", "phd", "07"}),
        ("Art. 43", {"art.43", "art", "43"}),
        ("§ 5", {"§5", "§", "5"}),
        ("NIP 123-456-78-90", {"nip", "123-456-78-90", "1234567890", "123", "456", "78", "90"}),
        ("10.0.0.1", {"10.0.0.1", "10", "0", "1"}),
        ("a@b.pl", {"a@b.pl", "a-b-pl", "a", "b", "pl", "b.pl"}),
        ("1.230,00", {"1230"}),
        ("1230,00", {"1230"}),
        ("0,5", {"0.5"}),
        ("1,230", {"1.23", "1230"}),
        ("日本語", {"日", "本", "語", "日本", "本語"}),
    ],
)
def test_identifiers_are_kept_whole_and_in_parts(text: str, terms: set[str]) -> None:
    assert terms_of(text, None) == terms


DAYS = ["2025-03-12", "12.03.2025", "12.3.2025", "12-03-2025", "12 marca 2025"]
NUMBERS = ["525-248-14-81", "5252481481", "PL5252481481", "PL 5252481481", "PL-525-248-14-81"]
ACCOUNTS = [
    "PL61109010140000071219812874",
    "PL61 1090 1014 0000 0712 1981 2874",
    "61 1090 1014 0000 0712 1981 2874",
    "61109010140000071219812874",
]


@pytest.mark.parametrize(
    ("forms", "whole"),
    [
        (DAYS, "2025-03-12"),
        (["12 March 2025", "12. marca 2025 r.", "12/03/2025"], "2025-03-12"),
        (NUMBERS, "5252481481"),
        (ACCOUNTS, "61109010140000071219812874"),
        (["rozdział II", "Rozdziału II", "rozdz. ii"], "rozdz.ii"),
        (["5\u00a0000", "5\u2009000", "5\u202f000", "5 000", "5.000,00", "5000"], "5000"),
        (["\uff23\uff0b\uff0b", "c++", "C++"], "c++"),
        (["E-mail: anna@firma.pl", "ANNA@FIRMA.PL", "<anna@firma.pl>,"], "anna@firma.pl"),
        (["error_code", "ERROR-CODE", "error.code"], "error-code"),
        (["straße", "STRASSE", "\u017ftra\u017f\u017fe"], "strasse"),
        (["İstanbul", "istanbul", "ISTANBUL"], "istanbul"),
        (["Ἀθῆναι", "Αθηναι"], "αθηναι"),
    ],
)
def test_forms_of_one_thing_share_a_term(forms: list[str], whole: str) -> None:
    for form in forms:
        assert whole in terms_of(form, None), form


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("FV/2025/09/0143", "FV/2025/09/0144"),
        ("FV/2025/09/0143", "KOR/2025/09/0143"),
        ("1.0.21", "1.0.2"),
        ("v2.1", "v2.2"),
        ("C++", "C#"),
        ("C#", "F#"),
        ("C++", "C"),
        ("12.03.2025", "13.03.2025"),
        ("525-248-14-81", "525-248-14-82"),
        ("§ 12", "§ 2"),
        ("2/3", "2:3"),
    ],
)
def test_what_only_looks_alike_does_not_meet_as_a_whole(asked: str, written: str) -> None:
    (group, *_) = analyse_question(asked, languages=("pl",)).groups
    assert not group.met_by(terms_of(written, "pl"))


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("2025/09/0143", "FV/2025/09/0143"),
        ("143/09/2025", "FV 143/09/2025"),
        ("FV 143/09/2025", "faktura nr 143/09/2025"),
        ("2.1", "v2.1"),
        ("PL5252481481", "NIP: 525-248-14-81"),
        ("12.03.2025", "z dnia 12 marca 2025 r."),
    ],
)
def test_the_number_of_a_question_meets_its_writing_in_a_text(asked: str, written: str) -> None:
    *_, group = analyse_question(asked, languages=("pl",)).groups
    assert group.met_by(terms_of(written, "pl"))


def test_a_word_is_cut_alike_whatever_stands_around_it() -> None:
    alone = terms_in_order("umowa", "pl")
    for around in ["({})", "„{}”", "{},", "{}.", "[{}]:", "{}!", "«{}»;", "{}…", "* {} *", "–{}–"]:
        assert terms_in_order(around.format("umowa"), "pl") == alone, around


AMOUNTS = ["1 230,00", "1\u00a0230,00", "1.230,00", "1230,00", "1,230.00"]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_an_amount_is_one_number_however_it_is_written(amount: str) -> None:
    assert "1230" in terms_of(f"kwota {amount} zł", "pl")


@pytest.mark.parametrize("text", ["artykułu 43", "ART.43", "Article 43", "art 43", "art.\n43"])
def test_an_article_is_one_unit_in_any_form_of_its_word(text: str) -> None:
    assert "art.43" in terms_of(text, "pl")


@pytest.mark.parametrize("text", ["art. 143", "art. 43a", "43 zł", "art. 4 pkt 3"])
def test_an_article_is_not_its_neighbours(text: str) -> None:
    assert "art.43" not in terms_of(text, "pl")


@pytest.mark.parametrize(
    ("typed", "written"),
    [("ksiazki", "książki"), ("zaplaty", "zapłaty"), ("lodz", "Łódź"), ("uslugami", "usługami"),
     ("OŚWIADCZENIE", "oświadczenie"), ("książek", "książek"), ("o\ufb03ce", "office"),
     ("przedluzenie", "przedłu\u00adżenie"), ("mowi\u0301", "mówi\u0301")],
)  # fmt: skip
def test_a_word_typed_otherwise_meets_the_written_one(typed: str, written: str) -> None:
    (group,) = analyse_question(typed, languages=("pl", "en")).groups
    assert group.met_by(terms_of(written, "pl"))


def test_a_word_cut_at_a_line_end_is_joined_as_one_more_form() -> None:
    assert "przedluzen" in terms_of("przedłu-\nżenia", "pl")


def test_a_question_is_also_analysed_under_the_languages_of_the_corpus() -> None:
    (group,) = analyse_question("umowami", languages=("pl",)).groups
    assert group.met_by(terms_of("umowa", "pl"))


def test_function_words_are_stop_words_and_stay_in_the_question() -> None:
    query = analyse_question("Jaka jest stawka?", languages=("pl",))
    assert [(group.surface, group.is_stop) for group in query.groups] == [
        ("jaka", True),
        ("jest", True),
        ("stawka", False),
    ]
    assert [group.surface for group in query.content] == ["stawka"]


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    query = analyse_question("kto i co", languages=("pl",))
    assert len(query.content) == len(query.groups) == 3


@settings(deadline=None)
@given(st.text())
def test_no_text_is_an_error_and_every_term_can_be_stored(text: str) -> None:
    for term in terms_in_order(text, "pl"):
        assert term
        assert not set(term) & set("\"' \t\n\0")
        term.encode()


@settings(deadline=None)
@given(st.text(), st.sampled_from(["pl", "en", "ru", None]))
def test_a_text_holds_every_word_of_itself_as_a_question(text: str, language: str | None) -> None:
    terms = terms_of(text, language)
    languages = [language] if language else []
    for group in analyse_question(text, languages=languages).groups:
        assert group.met_by(terms)


RUNS = ["a-", "1", "a", "1 ", "1 234 ", "\u0301\u0316", "x", "art. ", "pl61 1090 ", "1,", "1.234.",
        "\0"]  # fmt: skip


MORE_RUNS = ["5 kg ", "pln 1 ", "art. 5(1)", "ust. 1 ", "march 1, ", "1 i. ", "aB", "AAa", "+48 1",
             "#a-", "#a-@", "1,234", "1'234", "1 234,5 ", "a.b@", "^m", "¹", "525 24 ", "1.2-",
             "lit. "]  # fmt: skip


@pytest.mark.parametrize("piece", [*RUNS, *MORE_RUNS, "日", "-\n", "a'"])
def test_a_long_run_of_anything_takes_linear_time(piece: str) -> None:
    def analyse(characters: int) -> None:
        terms_in_order(piece * (characters // len(piece)), "pl")

    assert grows_like_a_line(analyse, size=5_000)
