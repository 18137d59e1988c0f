"""Markdown: blocks at the offsets of the raw file, front matter as metadata."""

import re

import pytest
from tests.growth import grows_like_a_line
from tests.reading.looking import block_with, headings, path_above, read, words_of

from cytat.chunking import StructureChunker
from cytat.errors import ReadingError
from cytat.records import BlockKind


def ends_of_words(text: str) -> list[int]:
    return [word.end() for word in re.finditer(r"\S+", text)]


FENCES = """# Instalacja

Uruchom skrypt:

```sh
# to jest komentarz, nie nagłówek
make all
## ani to
```

Po wszystkim port to 8731.

~~~
# tylda tez
~~~

## Odinstalowanie

Usuń katalog cache.
"""


def test_a_hash_inside_a_fence_is_no_heading() -> None:
    # case MD-01
    document = read(FENCES, "a.md")
    assert headings(document) == ["Instalacja", "Odinstalowanie"]
    assert path_above(document, "8731") == ("Instalacja",)
    assert path_above(document, "Usuń katalog") == ("Instalacja", "Odinstalowanie")


def test_front_matter_is_metadata_and_underlined_titles_are_headings() -> None:
    # case MD-02
    text = (
        "---\ntitle: Notatka serwisowa\nautor: Zespół 4\ndate: 2025-09-01\ntags: [a, b]\n---\n\n"
        "Pompa ciepła\n============\n\nCiśnienie robocze 2,6 bar.\n\nFiltr\n-----\n\n"
        "Wymiana co 180 dni.\n\n---\n\nKreska powyżej to linia pozioma.\n"
    )
    document = read(text, "a.md")
    assert document.title == "Notatka serwisowa"
    assert document.metadata == {
        "author": "Zespół 4",
        "date": "2025-09-01",
        "tags": "a, b",
        "encoding": "utf-8",
    }
    assert headings(document) == ["Pompa ciepła", "Filtr"]
    assert path_above(document, "180 dni") == ("Pompa ciepła", "Filtr")
    assert document.text == text


def test_front_matter_is_never_in_a_chunk_with_the_text_below_it() -> None:
    document = read("---\ndata: 2022-01-10\n---\n# Regulamin\n\nOpłata wynosi 15 zł.\n", "a.md")
    front, body = StructureChunker(budget_tokens=100, token_ends=ends_of_words).cut(document)
    assert front.span.of(document.text) == "---\ndata: 2022-01-10\n---"
    assert body.span.of(document.text) == "Opłata wynosi 15 zł."
    assert body.heading_path == ("Regulamin",)


def test_a_leading_rule_that_never_closes_is_no_front_matter() -> None:
    # case MD-03
    document = read("---\n\nTekst po kresce: pojemność 45 l.\n", "a.md")
    assert words_of(document, BlockKind.PARAGRAPH) == ["---", "Tekst po kresce: pojemność 45 l."]


def test_prose_between_two_rules_is_no_front_matter() -> None:
    document = read("---\nZdanie bez dwukropka.\n\n---\nDalej.\n", "a.md")
    assert document.metadata == {"encoding": "utf-8"}
    assert document.ledger.problems == ()


@pytest.mark.parametrize("bad", ["a: [1", "a: b: c", "x: " + "[" * 5_000, "\ta: 1"])
def test_bad_front_matter_is_kept_as_text_and_named(bad: str) -> None:
    document = read(f"---\n{bad}\n---\n\n# Tytuł\n\nTreść.\n", "a.md")
    assert [problem.code for problem in document.ledger.problems] == ["bad-metadata"]
    assert headings(document) == ["Tytuł"]
    assert bad in document.text


def test_aliases_in_front_matter_do_not_swell() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    document = read(f"---\n{bomb}---\n\nTreść.\n", "a.md")
    assert document.metadata == {"a": "x, x", "encoding": "utf-8"}


def test_the_mark_of_a_file_does_not_hide_its_first_heading() -> None:
    # case TXT-05
    document = read("\ufeff# Cennik warsztatu\n\nPrzegląd: 149 zł\n", "bom.md")
    assert path_above(document, "149 zł") == ("Cennik warsztatu",)
    assert document.text.index("149 zł") == 30


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_offsets_agree_with_every_kind_of_line_end(line_end: str) -> None:
    text = line_end.join(
        ["# A", "", "one\u2028two\fthree", "", "- x", "- y", "", "## B", "", "end"]
    )
    document = read(text, "a.md")
    assert document.text == text
    assert headings(document) == ["A", "B"]
    assert words_of(document, BlockKind.PARAGRAPH) == ["one\u2028two\fthree", "end"]
    assert words_of(document, BlockKind.LIST) == [f"- x{line_end}- y"]


def test_a_long_table_is_one_block() -> None:
    rows = "\n".join(f"| {n} | uszczelka U{n:03} | {n},01 zł |" for n in range(1, 121))
    document = read(f"## Części\n\n| Nr | Część | Cena |\n| --- | --- | --- |\n{rows}\n", "a.md")
    (table,) = words_of(document, BlockKind.TABLE)
    assert table.endswith("| 120 | uszczelka U120 | 120,01 zł |")


def test_a_list_with_nested_parts_is_one_block() -> None:
    document = read("1. one\n\n   more of one\n\n   - a\n   - b\n2. two\n\nAfter.\n", "a.md")
    assert [block.kind for block in document.blocks] == [BlockKind.LIST, BlockKind.PARAGRAPH]


def test_marks_inside_a_heading_are_not_part_of_its_path() -> None:
    document = read("# The **`add`** [verb](x.md) &amp; more #\n\nText.\n", "a.md")
    assert path_above(document, "Text.") == ("The add verb & more",)


def test_an_article_opens_a_paragraph_of_markdown() -> None:
    document = read("# Ustawa\n\nArt. 43. 1. Zwalnia się:\n2. Nie zwalnia się.\n", "a.md")
    assert path_above(document, "Zwalnia się:") == ("Ustawa", "Art. 43", "ust. 1")
    assert path_above(document, "Nie zwalnia") == ("Ustawa", "Art. 43", "ust. 2")


def test_link_definitions_and_rules_lie_in_blocks_too() -> None:
    document = read("Text [a].\n\n[a]: http://x.pl\n\n***\n\nEnd.\n", "a.md")
    assert block_with(document, "[a]: http").kind is BlockKind.PARAGRAPH


def test_without_front_matter_the_first_top_heading_is_the_title() -> None:
    assert read("Intro.\n\n# Tytuł główny\n\nTreść.\n", "a.md").title == "Tytuł główny"
    assert read("Bez nagłówka.\n", "notatka.md").title == "notatka"


def test_front_matter_that_unfolds_or_nests_without_end_is_named_and_costs_little() -> None:
    aliases = 'a: &a "' + "x" * 20_000 + '"\nb: [' + "*a," * 10_000 + "*a]"
    for hostile in (aliases, "- " * 20_000 + "x"):
        document = read(f"---\n{hostile}\n---\nTekst.\n", "a.md")
        assert document.text.endswith("Tekst.\n")
        assert set(document.metadata) == {"encoding"}
        assert [problem.code for problem in document.ledger.problems] == ["bad-metadata"]


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- dawniej 170 zł -->",
        "<!--\nTODO: 170 zł\n\n```\nkod\n```\n-->",
        "[//]: # (dawniej 170 zł)",
        "[//]: # (dawniej (w 2020 r.) 170 zł)",
        '[//]: # "170 zł"',
        "[comment]: <> (170 zł)",
        "[_]: # (dawniej\n170 zł)",
        "{::comment}\n170 zł\n{:/comment}",
        "%% 170 zł %%",
        "%%\n170 zł\n%%",
    ],
)
def test_a_comment_is_no_text_and_moves_nothing(comment: str) -> None:
    text = f"# Cennik\n\n{comment}\n\nPrzegląd kosztuje 230 zł.\n"
    document = read(text, "a.md")
    assert len(document.text) == len(text)
    assert document.text.split() == ["#", "Cennik", "Przegląd", "kosztuje", "230", "zł."]
    assert document.text.index("230") == text.index("230")
    assert document.ledger.left_out == 1
    assert document.metadata["left-out"] == f"comments ({len(comment)} characters)"


def test_a_comment_inside_a_sentence_does_not_part_it() -> None:
    document = read("Przegląd <!-- 170 -->kosztuje 230 zł.\n", "a.md")
    assert len(words_of(document, BlockKind.PARAGRAPH)) == 1
    assert "170" not in document.text


@pytest.mark.parametrize(
    "text",
    [
        "```html\n<!-- a comment -->\n```\n",
        "Write `<!-- a comment -->` there.\n",
        "    [//]: # (in code)\n",
        'See [the list][1].\n\n[1]: https://example.org/list "The list"\n',
        "Text <!-- that never ends\n",
        "It is 5 %% of 10 %%.\n",
    ],
)
def test_what_only_looks_like_a_comment_is_text(text: str) -> None:
    assert read(text, "a.md").text == text


def test_a_file_of_comments_alone_is_empty() -> None:
    with pytest.raises(ReadingError) as refused:
        read("<!-- nothing yet -->\n", "a.md")
    assert refused.value.code == "empty"


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("## Opłaty ## {#oplaty .wazne}", "Opłaty"),
        ("## Opłaty {#oplaty}", "Opłaty"),
        ("## Opłaty {: .wazne #oplaty}", "Opłaty"),
        ('## Opłaty {lang=pl data-x="1"}', "Opłaty"),
        ("## Opłaty {-}", "Opłaty"),
        ("Opłaty {#oplaty}\n------", "Opłaty"),
        ("## Zbiór {1, 2}", "Zbiór {1, 2}"),
        ("## Język C#", "Język C#"),
        ("## {#oplaty}", "{#oplaty}"),
    ],
)
def test_a_list_of_attributes_is_no_part_of_a_heading(heading: str, label: str) -> None:
    assert headings(read(f"{heading}\n\nTekst.\n", "a.md")) == [label]


def test_a_line_of_attributes_is_no_text() -> None:
    document = read("## Opłaty\n{: .wazne}\n\n9 zł.\n{: #cena}\n", "a.md")
    assert document.text.split() == ["##", "Opłaty", "9", "zł."]


def test_front_matter_in_toml_is_metadata_and_no_text() -> None:
    text = (
        '+++\ntitle = "Zasady wypożyczeń"\nautor = "Jan Jawor"\ndraft = true\n'
        'date = 2024-05-01\ntags = ["a", "b"]\n[extra]\nx = 1\n+++\n\nNa 33 dni.\n'
    )
    document = read(text, "a.md")
    assert document.title == "Zasady wypożyczeń"
    assert {key: document.metadata[key] for key in ("author", "draft", "date", "tags")} == {
        "author": "Jan Jawor", "draft": "true", "date": "2024-05-01", "tags": "a, b",
    }  # fmt: skip
    assert document.text.split() == ["Na", "33", "dni."]
    assert document.text.index("Na 33") == text.index("Na 33")


def test_bad_front_matter_in_toml_is_kept_as_text_and_named() -> None:
    document = read("+++\ntitle = Zasady\n+++\n\n# Tytuł\n\nTreść.\n", "a.md")
    assert [problem.code for problem in document.ledger.problems] == ["bad-metadata"]
    assert document.title == "Tytuł"
    assert "title = Zasady" in document.text


@pytest.mark.parametrize("mark", ["**§ 2**", "__§ 2__", "**§ 2.**", "***§ 2***"])
def test_a_paragraph_sign_in_bold_is_the_section_of_what_follows(mark: str) -> None:
    document = read(f"# Regulamin\n\n{mark}\n\n1. Opłata wynosi 85 zł.\n2. Inne.\n", "a.md")
    assert path_above(document, "85 zł") == ("Regulamin", "§ 2")
    assert words_of(document, BlockKind.HEADING)[1] == mark


@pytest.mark.parametrize(
    "unit", ["<!-- ", "<!-- -->", "[//]: # (a\n", "[a]: #\n", "{: .a}\n", "%%\n", "## a {#b} ", "{"]
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    assert grows_like_a_line(lambda size: read("x\n\n" + unit * size, "a.md"), size=1_000)
