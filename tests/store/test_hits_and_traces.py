"""Lines and pages of what was found, and the traces of how."""

from dataclasses import replace

import pytest
from tests.stores import Store

from cytat.backends.sqlite.traces import TRACES_KEPT
from cytat.errors import SourceError
from cytat.protocols import NewVersion
from cytat.records import LocatorKind, Part, Span, Trace, TraceId, TraceStage
from cytat.testing.stores import make_version
from cytat.text.identity import document_id


def label_of(store: Store, new: NewVersion, at: int) -> str:
    name = new.chunks[at].id
    with store.moment() as moment:
        return moment.passages([name])[name].locator.label


def test_a_hit_names_the_lines_of_its_own_words(store: Store) -> None:
    text = "jeden\ndwa\r\ntrzy\rcztery\n" * 2_000  # 23 characters and 4 lines each time
    new = make_version("a.txt", text, chunk_characters=23)
    store.replace(new)
    assert label_of(store, new, 0) == "lines 1–4"
    assert label_of(store, new, 1_500) == "lines 6001–6004"
    assert store.lines(document_id("a.txt"), Span(23 * 1_999 + 6, 23 * 1_999 + 9)) == (7998, 7998)


def test_a_line_break_between_two_segments_is_counted_once(store: Store) -> None:
    text = "x" * 15_999 + "\r\n" + "y" * 10
    new = make_version("a.txt", text, chunk_characters=16_001)
    store.replace(new)
    assert label_of(store, new, 1) == "line 2"
    assert store.text(document_id("a.txt")) == text


def test_a_hit_in_a_pdf_names_its_page(store: Store) -> None:
    new = make_version("a.pdf", "strona pierwsza strona druga   ", chunk_characters=16)
    pages = (
        Part(LocatorKind.PAGE, "1", "#page=1", Span(0, 16), 1),
        Part(LocatorKind.PAGE, "1", "#page=2", Span(16, 31), 2),
    )
    document = replace(new.document, parts=pages)
    store.replace(replace(new, document=document))
    assert [label_of(store, new, at) for at in (0, 1)] == ["p. 1", "p. 2 (1)"]
    assert store.parts(document.id) == pages


def trace(number: int) -> Trace:
    stage = TraceStage("words", {"query": "kot"}, {"rows": [1, 2]}, 1.5)
    at = f"2025-01-01T00:{number // 60:02}:{number % 60:02}Z"
    return Trace(TraceId(f"t{number:04}"), "search", "kot?", at, (stage,))


def test_a_trace_comes_back_as_it_was_and_the_oldest_go(store: Store) -> None:
    with pytest.raises(SourceError, match="no trace yet"):
        store.trace(None)
    for number in range(TRACES_KEPT + 3):
        store.record_trace(trace(number))
    assert store.trace(None) == trace(TRACES_KEPT + 2)
    assert store.trace("t0003") == trace(3)
    with pytest.raises(SourceError, match="no trace t0002"):
        store.trace("t0002")


def test_a_trace_does_not_make_indexes_look_old(store: Store) -> None:
    before = store.generation
    store.record_trace(trace(1))
    assert store.generation == before


def test_text_of_an_unknown_document_is_an_error_and_not_empty(store: Store) -> None:
    with pytest.raises(SourceError, match="no document"):
        store.text("d0")
    with pytest.raises(SourceError, match="no document"):
        store.slice("d0", Span(0, 1))
