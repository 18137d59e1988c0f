"""The text around hits, kept as values: places and lines are those of the whole document."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cytat.grounding import (
    LOOK_AHEAD_CHARACTERS,
    LOOK_BACK_CHARACTERS,
    KeptTexts,
    keep_texts,
)
from cytat.grounding.texts import joined
from cytat.plugins import open_store
from cytat.protocols import Moment, Store
from cytat.records import (
    Block,
    BlockKind,
    DocumentId,
    FragmentStyle,
    Hit,
    LocatorKind,
    Part,
    Span,
    StoredPassage,
    Why,
)
from cytat.testing.stores import make_version
from cytat.text.identity import document_id

LINES = "jeden\ndwa\r\ntrzy\rcztery 😀\n"
"""24 characters, four lines."""
TEXT = LINES * 2_000
NAME = document_id("a.txt")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with closing(open_store(tmp_path_factory.mktemp("kept") / "cytat.db", create=True)) as opened:
        with opened.writing() as writing:
            writing.replace(make_version("a.txt", TEXT, chunk_characters=100))
        yield opened


def hit_of(passage: StoredPassage) -> Hit:
    chunk = passage.chunk
    return Hit(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        source=passage.source,
        title=passage.title,
        rank=1,
        score=1.0,
        span=chunk.span,
        locator=passage.locator,
        heading_path=chunk.heading_path,
        text=passage.excerpt.text,
        why=Why(None, None, None, None, None),
    )


def hits_of(moment: Moment, name: DocumentId, *numbers: int) -> list[Hit]:
    """Return some of a document's chunks as hits."""
    chunks = [moment.chunks(name)[number].chunk.id for number in numbers]
    passages = moment.passages(chunks)
    return [hit_of(passages[chunk_id]) for chunk_id in chunks]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 479), st.data())
def test_what_is_kept_has_the_words_and_lines_of_the_document(
    store: Store, number: int, data: st.DataObject
) -> None:
    with store.moment() as moment:
        (hit,) = hits_of(moment, NAME, number)
        kept = keep_texts(moment, [hit])
        first = max(0, hit.span.start - LOOK_BACK_CHARACTERS)
        start = data.draw(st.integers(first, hit.span.end - 1))
        span = Span(start, data.draw(st.integers(start + 1, hit.span.end)))
        excerpt = moment.excerpt(NAME, span)
    assert kept.slice(NAME, span) == excerpt.text == span.of(TEXT)
    lines = {excerpt.first_line, excerpt.last_line}
    label = kept.locate(NAME, span).label
    assert label in {f"line {excerpt.first_line}", f"lines {min(lines)}–{max(lines)}"}


def test_what_was_not_kept_cannot_be_read(store: Store) -> None:
    with store.moment() as moment:
        (hit,) = hits_of(moment, NAME, 200)
        kept = keep_texts(moment, [hit])
    start, end = hit.span.start - LOOK_BACK_CHARACTERS, hit.span.end + LOOK_AHEAD_CHARACTERS
    assert kept.slice(NAME, Span(start, end)) == TEXT[start:end]
    with pytest.raises(ValueError, match="was not kept"):
        kept.slice(NAME, Span(start - 1, end))
    with pytest.raises(ValueError, match="was not kept"):
        kept.slice(NAME, Span(start, end + 1))


def test_hits_far_apart_are_kept_apart_and_near_ones_as_one() -> None:
    assert joined([Span(90, 100), Span(0, 10), Span(5, 20), Span(20, 30)]) == (
        Span(0, 30), Span(90, 100),
    )  # fmt: skip


def test_a_document_that_is_not_there_is_not_kept(store: Store) -> None:
    with store.moment() as moment:
        (hit,) = hits_of(moment, NAME, 0)
        elsewhere = replace(hit, document_id=document_id("other.txt"))
        assert keep_texts(moment, [elsewhere]).documents == {}


def kept_of(
    folder: Path, text: str, *blocks: Block, fragments: FragmentStyle, parts: tuple[Part, ...] = ()
) -> KeptTexts:
    """Return what is kept of the last 10 characters of a document."""
    new = make_version("b.txt", text, chunk_characters=10)
    document = replace(new.document, blocks=blocks, parts=parts, fragments=fragments)
    with closing(open_store(folder / "b.db", create=True)) as store:
        with store.writing() as writing:
            writing.replace(replace(new, document=document))
        with store.moment() as moment:
            return keep_texts(moment, hits_of(moment, document_id("b.txt"), -1))


def test_a_link_to_words_on_a_page_looks_at_all_words_before_them(tmp_path: Path) -> None:
    text = "kot pije mleko. " + "pies je kość. " * 500 + "kot pije mleko"
    block = Block(BlockKind.PARAGRAPH, Span(0, len(text)), ("Koty",), "koty")
    kept = kept_of(tmp_path, text, block, fragments=FragmentStyle.WORDS)
    span = Span(len(text) - 14, len(text))
    found = kept.locate(document_id("b.txt"), span)
    assert found.fragment.startswith("#koty:~:text=")
    assert "-,kot%20pije%20mleko" in found.fragment, "the words are there before: with a prefix"


def test_a_span_on_a_page_is_located_by_the_page_and_the_headings_of_its_block(
    tmp_path: Path,
) -> None:
    text = "strona pierwsza strona druga"
    blocks = (
        Block(BlockKind.PARAGRAPH, Span(0, 16), ("A",)),
        Block(BlockKind.PARAGRAPH, Span(16, 28), ("B", "C")),
    )
    parts = (
        Part(LocatorKind.PAGE, "1", "#page=1", Span(0, 16), 1),
        Part(LocatorKind.PAGE, "ii", "#page=2", Span(16, 28), 2),
    )
    kept = kept_of(tmp_path, text, *blocks, fragments=FragmentStyle.CHARACTERS, parts=parts)
    assert kept.locate(document_id("b.txt"), Span(20, 25)).label == "p. 2 (ii)"
    assert kept.heading_path(document_id("b.txt"), Span(20, 25)) == ("B", "C")
    assert kept.heading_path(document_id("b.txt"), Span(15, 25)) == ("A",)
