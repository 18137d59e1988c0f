"""Headings told by their form, and what only looks like one."""

import pytest

from cytat.reading.structure import HeadingStack, Mark, heading_of, marks_of


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Rozdział II", "Rozdział II"),
        ("Rozdział 3. Zwolnienia", "Rozdział 3. Zwolnienia"),
        ("DZIAŁ III", "DZIAŁ III"),
        ("ROZDZIAŁ IV. PRZEPISY KOŃCOWE", "ROZDZIAŁ IV. PRZEPISY KOŃCOWE"),
        ("Article 5", "Article 5"),
        ("Article 5. Language requirements", "Article 5. Language requirements"),
        ("Section 3: Scope", "Section 3: Scope"),
        ("Chapter 4", "Chapter 4"),
        ("Załącznik nr 2", "Załącznik nr 2"),
        ("Załącznik A", "Załącznik A"),
        ("1.2.3 Title", "1.2.3 Title"),
        ("2.1. Zakres stosowania", "2.1. Zakres stosowania"),
    ],
)
def test_a_heading_is_known_by_its_form(line: str, label: str) -> None:
    mark = heading_of(line)
    assert mark is not None
    assert mark.label == label


@pytest.mark.parametrize(
    "line",
    [
        "1.5 mln zł",
        "2.5 PLN",
        "1. maja",
        "12.05 Poniedziałek",
        "1. Mleko",
        "3. Chleb i masło",
        "Article 5 of the Treaty applies to all members.",
        "Article 5 applies",
        "Section 3 shall not apply where the tenant has paid.",
        "Rozdział ten omawia podatki",
        "Chapter 4 ........ 17",
        "1.2 Introduction 14",
        "2.1 Zakres stosowania obejmuje wszystkie umowy zawarte przed dniem wejścia w życie.",
        "3.1 Restated By-Laws 8-K 3.1 6/14/2018",
        "4.5 Description of the Common Stock X",
        "4.2 Form of Indenture dated as of January by and",
        "99.2 Updated Financial Data",
        "Part of the work",
        "Title and author",
    ],
)
def test_what_only_looks_like_a_heading_is_none(line: str) -> None:
    assert heading_of(line) is None


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("Art. 43.", ["Art. 43"]),
        ("Art. 43. 1. Zwalnia się od podatku:", ["Art. 43", "ust. 1"]),
        ("Art.43a. Podatnik", ["Art. 43a"]),
        ("Art. 5. 1) dostawę", ["Art. 5", "pkt 1"]),
        ("§ 5", ["§ 5"]),
        ("§ 5. Kaucja", ["§ 5"]),
        ("§ 5. 1. Kaucja wynosi", ["§ 5", "ust. 1"]),
        ("Art. 43 ustawy stanowi inaczej", []),
        ("art. 43. Zwalnia się", []),
        ("§ 5 ust. 1 stosuje się", []),
        ("1. Zwalnia się", []),
        ("2) dostawę", []),
    ],
)
def test_legal_markers_open_a_line(line: str, labels: list[str]) -> None:
    assert [mark.label for mark in marks_of(line, below_article=False).marks] == labels


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("2. Zwolnienie nie obejmuje", ["ust. 2"]),
        ("18a) usługi", ["pkt 18a"]),
        ("b) budynków", ["lit. b"]),
        ("ust. 3", ["ust. 3"]),
        ("pkt 2. Dostawa", ["pkt 2"]),
        ("pkt 2 i 3 stosuje się", []),
        ("2. maja odbyło się", []),
        ("Zwykłe zdanie.", []),
    ],
)
def test_below_an_article_numbers_are_its_parts(line: str, labels: list[str]) -> None:
    assert [mark.label for mark in marks_of(line, below_article=True).marks] == labels


def test_a_path_closes_what_is_as_deep() -> None:
    path = HeadingStack()
    path.open(Mark(30, "Rozdział I"), Mark(60, "Art. 1"), Mark(70, "ust. 1"), Mark(80, "pkt 1"))
    assert path.open(Mark(80, "pkt 2")) == ("Rozdział I", "Art. 1", "ust. 1", "pkt 2")
    assert path.open(Mark(70, "ust. 2")) == ("Rozdział I", "Art. 1", "ust. 2")
    assert path.open(Mark(60, "Art. 2")) == ("Rozdział I", "Art. 2")
    assert path.open(Mark(30, "Rozdział II")) == ("Rozdział II",)


def test_a_heading_of_the_format_can_be_an_article() -> None:
    path = HeadingStack()
    path.open_format_heading(2, "Art. 43. Zwolnienia")
    assert path.below_article
    path.open_format_heading(2, "Uwagi")
    assert not path.below_article


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("Art. 125. § 1. Roszczenie wygasa.", ("Art. 125", "§ 1")),
        ("Art. 33a. 1. Spółka odpowiada.", ("Art. 33a", "ust. 1")),
        ("Art. 22¹. Za konsumenta uważa się osobę.", ("Art. 22¹",)),
        ("Art. 41", ("Art. 41",)),
        ("**§ 2**", ("§ 2",)),
        ("**§ 2.** Opłata wynosi 6 zł.", ("§ 2",)),
    ],
)
def test_the_markers_of_published_layouts_open_a_paragraph(
    line: str, labels: tuple[str, ...]
) -> None:
    assert tuple(mark.label for mark in marks_of(line, below_article=False).marks) == labels


def test_a_sign_closes_a_heading_of_the_format_that_is_a_sign() -> None:
    path = HeadingStack()
    path.open_format_heading(3, "§ 1")
    assert path.open(Mark(61, "§ 2")) == ("§ 2",)
