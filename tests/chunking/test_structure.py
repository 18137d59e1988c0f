import json
import re
import time
from collections.abc import Sequence

import pytest

from cytat.chunking import StructureChunker
from cytat.errors import SettingsError, UsageError
from cytat.records import Block, BlockKind, Chunk, Document, Span
from cytat.testing.chunkers import (
    assert_laws,
    document_of,
    per_character,
    per_word,
    plain_document,
)


def cut(document: Document, budget_tokens: int) -> list[Chunk]:
    """Cut with a token for every character, and check the laws on the way."""
    chunks = StructureChunker(budget_tokens, per_character).cut(document)
    assert_laws(document, chunks, budget_tokens=budget_tokens, token_ends=per_character)
    return list(chunks)


def words_of(document: Document, chunks: list[Chunk]) -> list[str]:
    return [chunk.span.of(document.text) for chunk in chunks]


def document_with(*pieces: tuple[BlockKind, str, tuple[str, ...]]) -> Document:
    """Return a document of these blocks with a blank line between them."""
    blocks, start = [], 0
    for kind, words, path in pieces:
        blocks.append(Block(kind, Span(start, start + len(words)), path))
        start += len(words) + 2
    return document_of("\n\n".join(words for _, words, _ in pieces), blocks)


# ---------------------------------------------------------------- headings and sections


def test_a_heading_with_a_body_is_in_the_path_and_not_in_the_span() -> None:
    document = plain_document("# Regulamin\n\nTowar można zwrócić w ciągu 14 dni.")
    (chunk,) = cut(document, 100)
    assert chunk.heading_path == ("Regulamin",)
    assert chunk.span.of(document.text) == "Towar można zwrócić w ciągu 14 dni."


def test_small_blocks_under_one_heading_share_a_chunk_and_sections_do_not() -> None:
    document = plain_document(
        "# A\n\nPierwszy akapit o zwrotach.\n\nDrugi akapit o zwrotach.\n\n# B\n\n"
        "Trzeci akapit, o reklamacjach."
    )
    assert words_of(document, cut(document, 200)) == [
        "Pierwszy akapit o zwrotach.\n\nDrugi akapit o zwrotach.",
        "Trzeci akapit, o reklamacjach.",
    ]


def test_a_heading_without_a_body_becomes_words() -> None:
    document = plain_document(
        "# Prawa autorskie zastrzeżone 2025\n\n# Treść\n\nTekst akapitu, długi."
    )
    chunks = cut(document, 200)
    assert words_of(document, chunks)[0] == "# Prawa autorskie zastrzeżone 2025"
    assert chunks[1].heading_path == ("Treść",)


def test_a_heading_whose_only_body_is_under_a_sub_heading_is_not_repeated() -> None:
    document = plain_document("# Część\n\n## Rozdział\n\nTreść tego rozdziału jest tutaj.")
    (chunk,) = cut(document, 200)
    assert chunk.heading_path == ("Część", "Rozdział")


def test_crumbs_under_one_parent_join_and_keep_their_headings_in_the_span() -> None:
    document = plain_document("# Kontakt\n\n## Telefon\n\n12 345\n\n## Faks\n\nbrak")
    chunks = cut(document, 200)
    assert words_of(document, chunks) == ["## Telefon\n\n12 345\n\n## Faks\n\nbrak"]
    assert chunks[0].heading_path == ("Kontakt",)


def test_a_heading_path_that_eats_the_budget_is_shortened_from_the_outside() -> None:
    outer, inner = "O" * 60, "Wewnętrzny"
    document = document_with(
        (BlockKind.HEADING, outer, (outer,)),
        (BlockKind.HEADING, inner, (outer, inner)),
        (BlockKind.PARAGRAPH, "Treść akapitu. " * 9 + "Koniec.", (outer, inner)),
    )
    chunks = cut(document, 100)
    assert {chunk.heading_path for chunk in chunks} == {(), (inner,)}
    # The heading that does not fit into a path is kept as words.
    assert words_of(document, chunks)[0] == outer


def test_furniture_stands_alone() -> None:
    document = document_with(
        (BlockKind.PARAGRAPH, "Zdanie zaczyna się", ()),
        (BlockKind.FURNITURE, "IM-38 strona 1 z 4", ()),
        (BlockKind.PARAGRAPH, "i kończy tutaj.", ()),
    )
    assert words_of(document, cut(document, 200)) == [
        "Zdanie zaczyna się",
        "IM-38 strona 1 z 4",
        "i kończy tutaj.",
    ]


# ---------------------------------------------------------------- too large


def test_no_character_is_lost_and_the_last_chunk_is_written() -> None:
    # case CHUNK-04
    text = "A" * 100 + "\n\n" + "B" * 100 + "\n\n" + "C" * 300 + "\n\nOstatnie zdanie: 747."
    document = plain_document(text)
    assert any("Ostatnie zdanie: 747." in words for words in words_of(document, cut(document, 150)))


def test_repeated_words_have_their_own_places_and_ids() -> None:
    # case CHUNK-05
    document = plain_document("Punkt A. Punkt A. Punkt A. ")
    chunks = cut(document, 9)
    assert [chunk.span.start for chunk in chunks] == [0, 9, 18]
    assert len({chunk.id for chunk in chunks}) == 3


def test_chunks_are_slices_that_keep_blanks_and_dots() -> None:
    # case CHUNK-07
    document = plain_document("Badanie wykonał Dr. Nowak. Wynik (200 zł). Dalej tekst. " * 8)
    together = words_of(document, cut(document, 120))
    assert not any("Dr.Nowak" in words for words in together)
    assert all(words.endswith(".") for words in together)


def test_a_run_without_marks_is_cut_hard() -> None:
    # case CHUNK-11
    document = plain_document("Wstęp. " + "ACGT" * 3000)
    sizes = [len(words) for words in words_of(document, cut(document, 800))]
    assert max(sizes) <= 800


def test_neighbours_are_shown_as_the_slice_of_the_source() -> None:
    # case CHUNK-13
    document = plain_document("To zdanie kończy się tu\nNowy akapit zaczyna się od nowa.")
    first, last = cut(document, 40)[0], cut(document, 40)[-1]
    assert "tu\nNowy" in document.text[first.span.start : last.span.end]


def test_pieces_of_a_large_block_are_balanced() -> None:
    # 30 words of four signs and a blank fit; filled to the brim, 61 would make 30, 30 and a crumb.
    document = plain_document("abcd " * 61)
    assert [len(words) for words in words_of(document, cut(document, 150))] == [104, 104, 94]


@pytest.mark.parametrize(
    "tied",
    [
        "1 230,00 zł",
        "1\u00a0230,00\u00a0zł",
        "art. 43 ust. 1 pkt 2",
        "12 500 000 zł",
        "§ 5 ust. 2",
        "https://przyklad.example/a.b?c=1.2",
        "prof. Nowak",
        "Dz. U. poz. 77",
        "Fig. 3",
        "25 kg",
    ],
)
def test_what_belongs_together_is_never_parted(tied: str) -> None:
    for before in range(12):
        document = plain_document("słowo " * before + tied + " dalsze słowa bez znaku" * 4)
        assert any(tied in words for words in words_of(document, cut(document, 40)))


def test_a_lead_in_stays_with_the_first_item_it_introduces() -> None:
    document = document_with(
        (BlockKind.PARAGRAPH, "Wstęp do umowy najmu lokalu. " * 3 + "Tyle.", ()),
        (BlockKind.PARAGRAPH, "Najemca ma obowiązek:", ()),
        (BlockKind.LIST, "- płacić czynsz do dnia 10.,\n- dbać o lokal i o części wspólne.", ()),
    )
    assert words_of(document, cut(document, 100))[-1].startswith("Najemca ma obowiązek:")


def test_a_list_is_cut_between_items_only() -> None:
    items = "\n".join(f"- pozycja numer {n}\n  z dopiskiem" for n in range(12))
    document = document_with((BlockKind.LIST, items, ()))
    assert all(re.match(r"- pozycja", words) for words in words_of(document, cut(document, 100)))


def test_code_is_cut_at_blank_lines_before_lines() -> None:
    code = "def a():\n    return 1\n\ndef b():\n    return 2\n\ndef c():\n    return 3"
    document = document_with((BlockKind.CODE, code, ()))
    assert all(words.startswith("def ") for words in words_of(document, cut(document, 50)))


# ---------------------------------------------------------------- tables


def price_list(rows: int) -> str:
    lines = [
        f"| {n} | uszczelka U{n:03d} | {n + 3},{(n + 2) % 100:02d} zł |" for n in range(1, rows)
    ]
    return "\n".join(["| Nr | Część | Cena netto |", "| --- | --- | --- |", *lines])


def test_a_long_table_is_cut_between_rows_and_each_piece_has_its_head() -> None:
    # case MD-05
    document = document_with((BlockKind.TABLE, price_list(180), ("Części zamienne",)))
    chunks = cut(document, 400)
    assert len(chunks) > 10
    assert chunks[0].context == ""
    assert {chunk.context for chunk in chunks[1:]} == {"| Nr | Część | Cena netto |"}
    for words in words_of(document, chunks):
        assert all(line.startswith("|") and line.endswith("|") for line in words.split("\n"))
    answer = "| 97 | uszczelka U097 | 100,99 zł |"
    assert sum(answer in words for words in words_of(document, chunks)) == 1


def test_a_head_of_two_rows_goes_along_whole() -> None:
    # case MD-06
    table = (
        "| Dział | I kw. | II kw. |\n| | plan | wykonanie |\n|---|---|---|\n"
        "| A | 10 | 9 |\n| B | 20 | 22 |"
    )
    document = document_with((BlockKind.TABLE, table, ()))
    chunks = cut(document, 80)
    assert words_of(document, chunks) == [table[: table.index("\n| B")], "| B | 20 | 22 |"]
    assert chunks[1].context == "| Dział | I kw. | II kw. |\n| | plan | wykonanie |"


def test_a_head_wider_than_the_budget_is_cut_into_full_pieces_and_not_cell_by_cell() -> None:
    head = "| " + " | ".join(f"Kolumna {number}" for number in range(60)) + " |"
    table = f"{head}\n|{'---|' * 60}\n| " + " | ".join(["7"] * 60) + " |"
    chunks = cut(document_with((BlockKind.TABLE, table, ())), 100)
    assert len(chunks) < 2 * len(table) / 100  # of a hundred characters each, most at least half


def test_a_table_that_fits_is_kept_whole() -> None:
    document = document_with((BlockKind.TABLE, price_list(8), ()))
    assert [chunk.context for chunk in cut(document, 400)] == [""]


# ---------------------------------------------------------------- one long line, ids, settings


def test_sixteen_thousand_records_on_one_line_are_cut_between_records_in_time() -> None:
    # case TXT-10
    text = json.dumps(
        [{"id": n, "opis": f"pozycja magazynowa numer {n}, polka {n % 40}"} for n in range(16_000)],
        separators=(",", ":"),
    )
    document = plain_document(text)
    started = time.process_time()
    chunks = StructureChunker(320, per_word).cut(document)
    assert time.process_time() - started < 30
    last = chunks[-1].span.of(text)
    assert '{"id":15999,"opis":"pozycja magazynowa numer 15999, polka 39"}]' in last
    assert all(chunk.span.of(text).startswith(("[", "{")) for chunk in chunks)


def test_a_million_letters_take_little_time() -> None:
    started = time.process_time()
    StructureChunker(320, per_word).cut(plain_document("a" * 1_000_000))
    StructureChunker(320, per_character).cut(plain_document("a" * 1_000_000))
    assert time.process_time() - started < 10


def test_an_edit_elsewhere_changes_neither_id_nor_words() -> None:
    before = plain_document("# A\n\nTekst pierwszy, dłuższy.\n\n# B\n\nTekst drugi, także.")
    after = plain_document(
        "# A\n\nTekst pierwszy, zmieniony i dłuższy.\n\n# B\n\nTekst drugi, także."
    )
    old, new = cut(before, 100)[-1], cut(after, 100)[-1]
    assert old.id == new.id
    assert old.span != new.span


def test_a_budget_below_one_is_refused_with_a_remedy() -> None:
    with pytest.raises(SettingsError) as refused:
        StructureChunker(0, per_word)
    assert isinstance(refused.value, UsageError)
    assert "320" in refused.value.hint


# ---------------------------------------------------------------- lead-ins


def test_points_in_sections_of_their_own_carry_their_lead_in_as_context() -> None:
    article = ("Art. 43", "ust. 1")
    document = document_with(
        (BlockKind.PARAGRAPH, "Art. 43. 1. Zwalnia się od podatku:", article),
        (BlockKind.PARAGRAPH, "18) usługi w zakresie opieki medycznej;", (*article, "pkt 18")),
        (BlockKind.PARAGRAPH, "28) usługi nauczania języków obcych;", (*article, "pkt 28")),
        (
            BlockKind.PARAGRAPH,
            "2. Przepisu ust. 1 nie stosuje się do kursów.",
            ("Art. 43", "ust. 2"),
        ),
    )
    chunks = cut(document, 200)
    lead_in = "Art. 43. 1. Zwalnia się od podatku:"
    assert [chunk.context for chunk in chunks] == ["", lead_in, lead_in, ""]


def test_a_term_stays_with_its_definition() -> None:
    text = "\n".join(
        f"metoda_{n}(argument)\nRobi to, co mówi jej nazwa, i nic poza tym." for n in range(9)
    )
    document = plain_document(text)
    assert all(words.startswith("metoda_") for words in words_of(document, cut(document, 150)))


def test_a_long_list_carries_its_lead_in_to_every_piece() -> None:
    items = "\n".join(f"{n}) usługi rodzaju numer {n}, świadczone w kraju;" for n in range(1, 12))
    document = document_with(
        (BlockKind.PARAGRAPH, "Ogólne zasady. Zwalnia się od podatku:", ()),
        (BlockKind.LIST, items, ()),
    )
    chunks = cut(document, 200)
    assert len(chunks) > 2
    assert words_of(document, chunks)[0].startswith("Ogólne zasady. Zwalnia się od podatku:\n\n1)")
    assert {chunk.context for chunk in chunks[1:]} == {"Zwalnia się od podatku:"}


def test_a_million_lines_of_one_letter_are_joined_before_they_are_packed() -> None:
    # Each line as a part of its own would cost as much time as a sentence of prose does.
    document = plain_document("a\n" * 20_000)
    counted: list[int] = []

    def counting(text: str) -> Sequence[int]:
        counted.append(len(text))
        return per_word(text)

    chunks = StructureChunker(320, counting).cut(document)
    assert_laws(document, chunks, budget_tokens=320, token_ends=per_word)
    assert len(chunks) == 63  # 20,000 lines, at most 320 of them in a chunk
    assert sum(counted) < 3 * 40_000  # the whole once, and each chunk at most once more
