"""Forms of one thing meet, whoever writes them; what only looks alike does not."""

import pytest

from cytat.analysis import analyse_question, terms_of
from cytat.analysis.legal import roman_value


def meets_whole(asked: str, written: str) -> bool:
    """Say whether the last word of a question stands in a text."""
    *_, last = analyse_question(asked, languages=("pl", "en")).groups
    return last.met_by(terms_of(written, "pl")) or last.met_by(terms_of(written, "en"))


def holds_all(asked: str, written: str) -> bool:
    """Say whether a text holds each word of a question, whole or in parts."""
    terms = terms_of(written, "pl")
    return all(
        group.met_by(terms) or (group.parts and all(terms & set(part) for part in group.parts))
        for group in analyse_question(asked, languages=("pl", "en")).groups
    )


ONE_THING = {
    "5kg": ["5 kg", "5kg", "5\u00a0kg", "5\u202fkg", "5 KG", "5,0 kg", "05 kg"],
    "20°c": ["20 °C", "20°C", "20 ° C", "20\u00a0℃"],
    "1234.5pln": ["1 234,50 zł", "1234.50 PLN", "PLN 1,234.50", "1.234,50 złotych", "zł 1234,5"],
    "20eur": ["20 EUR", "€20", "20 €", "EUR 20,00", "20 euro"],
    "23%": ["23%", "23 %", "23 procent", "23 proc."],
    "12m2": ["12 m²", "12m2", "12 m^2"],
    "16gb": ["16 GB", "16GB"],
    "rozdz.4": ["rozdział IV", "Rozdział 4", "rozdziału iv", "Chapter IV", "chapter 4"],
    "tab.2": ["Tabela II", "tab. 2", "Table 2"],
    "rozdz.1": ["Rozdział I", "Rozdział I. Przepisy ogólne", "Chapter I\nScope", "rozdział 1"],
    "cz.3": ["część III", "Part 3", "cz. 3"],
    "art.5ust.1lit.b": ["Art. 5 ust. 1 lit. b", "Article 5(1)(b)", "art. 5 ust. 1 lit b)",
                        "art. 5, ust. 1, lit. b", "Art. 5\nust. 1\nlit. b", "Article 5 (1) (b)"],
    "art.4pkt7": ["art. 4 pkt 7", "Article 4(7)", "artykułu 4 punkt 7"],
    "§5ust.2pkt3": ["§ 5 ust. 2 pkt 3", "§5 ust.2 pkt 3", "paragraf 5 ustęp 2 punkt 3",
                    "Section 5(2)(3)"],
    "2025-03-12": ["March 12, 2025", "Mar 12 2025", "March 12th, 2025", "12th March 2025",
                   "12 Mar. 2025", "12 marca 2025", "12 mar 2025", "12.III.2025", "12 III 2025",
                   "12.03.2025", "2025-03-12", "12/03/2025"],
    "2024-09-01": ["1 wrzesnia 2024", "1 września 2024 r.", "Sept. 1, 2024", "1 wrz 2024"],
    "get-user-name": ["getUserName", "get_user_name", "GetUserName", "GET_USER_NAME",
                      "get-user-name"],
    "601234567": ["+48 601 234 567", "601-234-567", "601 234 567", "601234567", "+48601234567",
                  "0048 601 234 567", "+48 601-234-567"],
    "221234567": ["22 123 45 67", "(22) 123 45 67", "+48 22 123 45 67", "22 123-45-67"],
    "+442079460958": ["+44 20 7946 0958", "+442079460958", "+44-20-7946-0958"],
    "5252481481": ["NIP 525 248 14 81", "525-248-14-81", "525 24 81 481", "PL5252481481"],
    "85010112345": ["PESEL 850101 12345", "85010112345", "850101-12345", "85 01 01 12345"],
    "012345678": ["REGON 012-345-678", "012345678"],
    "gb29nwbk60161331926819": ["GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"],
    "#budzet": ["#budżet", "#Budżet"],
    "@anna": ["@anna", "@Anna"],
    "raport_2024.pdf": ["raport_2024.pdf", "C:\\Dane\\raport_2024.pdf", "./dane/raport_2024.pdf"],
    "example.com": ["example.com", "https://www.example.com/a/b", "example.com/a",
                    "jan@example.com", "www.example.com"],
    "cve-2024-1234": ["CVE-2024-1234", "cve_2024_1234"],
    "phd-07": ["PHD-07", "PHD07", "phd_07"],
    "1.2.0": [">=1.2.0,<2.0", "1.2.0-1.4.0", "v1.2.0"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "form"), [(whole, form) for whole, forms in ONE_THING.items() for form in forms]
)
def test_forms_of_one_thing_share_a_term(whole: str, form: str) -> None:
    assert whole in terms_of(form, "pl")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("5 kg", "5 km"),
        ("5 kg", "15 kg"),
        ("5 kg", "-5 kg"),
        ("5 kg", "2-5 kg"),
        ("1,5 kg", "15 kg"),
        ("20 °C", "20 °F"),
        ("1234,50 zł", "1234,50 EUR"),
        ("1234,50 zł", "1234,05 zł"),
        ("$20", "20 USD"),
        ("23%", "23"),
        ("100 Mb/s", "100 MB"),
        ("rozdział IV", "rozdział VI"),
        ("rozdział 1", "rozdział i podrozdział"),
        ("Section 1", "Section I wrote"),
        ("pkt 1", "punkt i kropka"),
        ("część IV", "część VI"),
        ("art. 5 ust. 1 lit. b", "art. 5 ust. 1 lit. c"),
        ("art. 5 ust. 1", "art. 5 pkt 1"),
        ("art. 5 ust. 1", "art. 5 ust. 11"),
        ("art. 5 ust. 1", "art. 15 ust. 1"),
        ("Article 5(1)(b)", "Article 5(2)(b)"),
        ("March 12, 2025", "March 13, 2025"),
        ("12 x 2000", "12 października 2000"),
        ("12 maja 2025", "12 marca 2025"),
        ("601 234 567", "601 234 568"),
        ("+44 601 234 567", "+48 601 234 567"),
        ("#budget", "#budgets2025"),
        ("PHD07", "PHD-70"),
        ("getUserName", "getUserId"),
        ("umowa102", "umowa10²"),
        ("opłataa", "opłataᵃ"),
        ("102", "10²"),
        ("21/2", "2½"),
    ],
)
def test_what_only_looks_alike_does_not_meet(asked: str, written: str) -> None:
    terms = terms_of(written, "pl")
    groups = analyse_question(asked, languages=("pl", "en")).groups
    assert not all(group.met_by(terms) for group in groups)


def test_metres_and_millions_are_no_quantity_and_their_number_is_found() -> None:
    metres, millions = terms_of("12 m", "pl"), terms_of("12 M", "pl")
    assert metres == millions == {"12", "m"}


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("get user name", "getUserName()"),
        ("user name", "get_user_name"),
        ("nazwa budżet", "nazwa #budżet"),
        ("12 m", "12m"),
        ("firma.pl", "jan.kowalski@firma.pl"),
        ("jan.kowalski", "jan.kowalski@firma.pl"),
        ("tokens.py", "src/cytat/analysis/tokens.py"),
        ("art. 5 ust. 1", "art. 5 ust. 1 lit. b"),
        ("art. 5", "Article 5(1)(b)"),
        ("lit. b", "art. 5 ust. 1 lit. b"),
        ("234,50", "kwota 1 234,50 zł"),
        ("ile zł", "ile 5 zł"),
        ("umowa", "umowa¹"),
        ("umowa", "umowa.² Dalej"),
        ("Cytat", "Cytat™"),
        ("xml request", "XMLHttpRequest"),
    ],
)
def test_a_part_is_found_in_its_whole(asked: str, written: str) -> None:
    assert holds_all(asked, written)


SAME_WORD = [
    ("o\ufb03ce", "office"),
    ("\ufb01rma", "firma"),
    ("przedłu\u00adżenie", "przedłużenie"),
    ("umo\u200bwa", "umowa"),
    ("umo\u2060wa", "umowa"),
    ("\u202bumowa\u202c", "umowa"),
    ("\uff12\uff10\uff12\uff15", "2025"),
    ("m²", "m2"),
    ("CO₂", "CO2"),
    ("ısparta", "Isparta"),
    ("İstanbul", "istanbul"),
    ("Straße", "STRASSE"),
    ("GROẞE", "große"),
    ("z\u0301o\u0301\u0142w", "źółw"),
    ("l\u0335odz", "łódź"),
    ("Łódź", "lodz"),
    ("rock\u2019n\u2019roll", "rock'n'roll"),
    ("Anna\u2019s", "Anna's"),
    ("O\u00b4Connor", "O'Connor"),
    ("e\u2011mail", "e-mail"),
    ("e-mail", "email"),
    ("email", "e-mail"),
    ("E-MAIL", "e‐mail"),
    ("biało\u2011czerwony", "biało-czerwony"),
    ("białoczerwony", "biało-czerwony"),
    ("multi-agent", "multiagent"),
    ("GitHub", "github"),
    ("JavaScript", "javascript"),
    ("iPhone", "iphone"),
    ("Ⅳ", "IV"),
]


@pytest.mark.parametrize(("asked", "written"), SAME_WORD)
def test_a_word_in_other_letters_or_signs_is_the_same_word(asked: str, written: str) -> None:
    assert meets_whole(asked, written)


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("i", 1), ("iv", 4), ("ix", 9), ("xiv", 14), ("xl", 40), ("lxxxix", 89), ("iiii", None),
     ("vx", None), ("il", None), ("abc", None)],
)  # fmt: skip
def test_a_numeral_has_a_value_only_in_its_one_form(numeral: str, value: int | None) -> None:
    assert roman_value(numeral) == value
