"""Copies of a passage stand once in a ranking; versions of it never do."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import pytest
from tests.retrieval.conftest import Searchable

from cytat.records import (
    Chunk,
    ChunkId,
    DocumentId,
    Excerpt,
    Locator,
    LocatorKind,
    Span,
    StoredPassage,
    Version,
)
from cytat.retrieval import Mode
from cytat.retrieval.copies import collapse_copies
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import text_hash
from cytat.text.notes import NoteKind, note

Make: TypeAlias = Callable[..., Searchable]

PRICE = "Cennik usług: konsultacja prawna kosztuje {} zł za godzinę, a opinia pisemna 900 zł."


def test_two_versions_that_differ_in_one_digit_are_both_listed(searchable: Make) -> None:
    corpus = searchable({"2024.txt": PRICE.format(250), "2025.txt": PRICE.format(260)})
    retrieved = corpus.retrieve("ile kosztuje konsultacja")
    assert len(retrieved.hits) == 2
    assert not any(one.copies for one in retrieved.hits)


@pytest.mark.parametrize("mode", [Mode.WORDS, Mode.HYBRID, Mode.VECTORS])
def test_a_copy_under_a_letterhead_is_named_by_the_hit_it_was_left_out_for(
    searchable: Make, mode: Mode
) -> None:
    text = PRICE.format(250)
    letter = f"ACME Sp. z o.o.\nNIP 525-248-14-81\n\n{text}\nStrona 1 z 2"
    corpus = searchable(
        {"cennik.txt": text, "cennik (kopia).txt": letter, "inny.txt": "Inny cennik usług."},
        embedder=FakeEmbedder(),
    )
    retrieved = corpus.retrieve("cennik usług konsultacja", mode=mode)
    hits = retrieved.hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    (first,) = [hit for hit in hits if hit.copies]
    assert {first.source, *(copy.source for copy in first.copies)} == {
        "cennik.txt",
        "cennik (kopia).txt",
    }
    assert note(NoteKind.COPIES_LEFT_OUT, 1) in retrieved.notes


def test_a_ranking_is_filled_from_below_however_many_copies_stand_above(searchable: Make) -> None:
    copies = {f"kopia {number}.txt": PRICE.format(250) for number in range(450)}
    others = {f"{number}.txt": f"Cennik {number}: {'inne słowa ' * 9}" for number in range(4)}
    corpus = searchable({**copies, **others})
    retrieved = corpus.retrieve("cennik usług konsultacja prawna", depth=5)
    assert len(retrieved.hits) == 5
    assert len(retrieved.hits[0].copies) == 449


def passage(path: tuple[str, ...], context: str, text: str, number: int) -> StoredPassage:
    span = Span(number, number + len(text))
    chunk = Chunk(ChunkId(f"c{number}"), DocumentId("d"), span, path, context)
    place = Locator(LocatorKind.LINE, "line 1", "")
    return StoredPassage(chunk, "a.md", "A", Version("v"), place, Excerpt(text, 1, 1))


def collapsed(*passages: StoredPassage, depth: int = 10) -> list[str]:
    held = {one.chunk.id: one for one in passages}
    hashes = {chunk_id: text_hash(one.excerpt.text) for chunk_id, one in held.items()}
    ranked = [(chunk_id, 1.0 / (1 + at)) for at, chunk_id in enumerate(held)]

    def read(wanted: Sequence[ChunkId]) -> dict[ChunkId, StoredPassage]:
        return {chunk_id: held[chunk_id] for chunk_id in wanted}

    found = collapse_copies(ranked, hashes, read, depth=depth)
    return [chunk_id for chunk_id, _ in found.kept]


def test_the_same_words_under_another_year_are_no_copy() -> None:
    years = [
        passage(("Cennik", year), "", "Konsultacja 200 zł", at)
        for at, year in enumerate(("2024", "2025", "2025"))
    ]
    assert collapsed(*years) == ["c0", "c1"]


def test_the_same_row_of_a_table_under_another_head_is_no_copy() -> None:
    heads = [
        passage((), head, "Konsultacja 200 zł", at)
        for at, head in enumerate(("netto", "brutto", "netto"))
    ]
    assert collapsed(*heads) == ["c0", "c1"]


def test_nothing_is_kept_beyond_the_depth() -> None:
    rows = [passage((), "", f"zdanie {row // 2}", row) for row in range(10)]
    assert collapsed(*rows, depth=3) == ["c0", "c2", "c4"]
