"""Moments and writings of a corpus file: what is seen of changes, and what a failure undoes."""

from dataclasses import replace

import numpy as np
import pytest
from tests.corpora import check_whole
from tests.stores import Store

from cytat.analysis import analyse_question
from cytat.backends.sqlite.moment import SqliteMoment
from cytat.errors import CorpusFormatError, NotAllowedError
from cytat.records import Condition, Coverage, DocumentState, Ledger
from cytat.testing.stores.moments import Interrupted
from cytat.testing.stores.versions import make_unread, make_version
from cytat.text.identity import document_id


def found(moment: SqliteMoment, question: str) -> list[str]:
    """Return the words of the chunks that a question's words find."""
    query = analyse_question(question, languages=["pl"])
    hits = moment.by_words(query, depth=10, allowed=None).scored.hits
    passages = moment.passages([hit.chunk_id for hit in hits])
    return [passages[hit.chunk_id].excerpt.text for hit in hits]


def write_and_fail(store: Store) -> None:
    """Write a document about an anchor, find it, and fail."""
    with store.writing() as writing:
        writing.replace(make_version("b.txt", "kotwica"))
        assert found(writing, "kotwica") == ["kotwica"]
        raise Interrupted


def test_a_writing_finds_what_it_has_written_and_other_moments_do_not(store: Store) -> None:
    store.replace(make_version("a.txt", "latarnia"))
    with Store.open(store.path) as other, store.writing() as writing:
        writing.replace(make_version("b.txt", "kotwica"))
        assert found(writing, "kotwica") == ["kotwica"]
        assert found(writing, "latarnia") == ["latarnia"]
        with other.moment() as moment:
            assert found(moment, "kotwica") == []
    with store.moment() as moment:
        assert found(moment, "kotwica") == ["kotwica"]


def test_a_failed_writing_leaves_nothing_in_memory(store: Store) -> None:
    store.replace(make_version("a.txt", "latarnia"))
    with pytest.raises(Interrupted):
        write_and_fail(store)
    with store.moment() as moment:
        assert found(moment, "kotwica") == []
        assert moment.count_chunks() == 1


def test_words_of_a_nested_block_that_failed_are_not_indexed_and_those_before_it_are(
    store: Store,
) -> None:
    with store.writing() as writing:
        writing.replace(make_version("a.txt", "latarnia"))
        with pytest.raises(Interrupted):
            write_and_fail(store)
        writing.replace(make_version("c.txt", "busola"))
    with store.moment() as moment:
        assert [found(moment, word) for word in ("latarnia", "kotwica", "busola")] == [
            ["latarnia"],
            [],
            ["busola"],
        ]
    assert store.upkeep.unsealed() == ()


def test_words_of_all_documents_of_a_writing_are_one_batch(store: Store) -> None:
    with store.writing() as writing:
        for number in range(5):
            writing.replace(make_version(f"{number}.txt", f"wpis {number}"))
    assert store.connection.execute("select count(*) from posting_batch").get == 1


def test_a_document_written_twice_in_one_writing_is_there_once(store: Store) -> None:
    with store.writing() as writing:
        writing.replace(make_version("a.txt", "latarnia"))
        writing.replace(make_version("a.txt", "kotwica"))
    with store.moment() as moment:
        assert found(moment, "latarnia") == []
        assert found(moment, "kotwica") == ["kotwica"]
        assert moment.count_chunks() == moment.status().totals["words"] == 1


def test_content_that_comes_under_another_name_keeps_its_label(store: Store) -> None:
    store.replace(make_version("płace.txt", "Ala zarabia 9000 zł"))
    store.set_label(document_id("płace.txt"), "hr")
    store.replace(make_version("stare/płace.txt", "Ala zarabia 9000 zł"))
    store.replace(make_version("menu.txt", "zupa"))
    store.remove(document_id("płace.txt"))
    with Store.open(store.path, labels=()) as everyone, Store.open(store.path, labels=["hr"]) as hr:
        assert set(everyone.sources().values()) == {"menu.txt"}
        assert set(hr.sources().values()) == {"menu.txt", "stare/płace.txt"}


def test_a_new_version_of_a_document_that_everyone_reads_takes_the_label_of_equal_content(
    store: Store,
) -> None:
    store.replace(make_version("wzór.txt", "wersja pierwsza"))
    store.replace(make_version("płace.txt", "wersja druga"))
    store.set_label(document_id("płace.txt"), "hr")
    store.replace(make_version("wzór.txt", "wersja druga"))
    with Store.open(store.path, labels=()) as everyone:
        assert set(everyone.sources().values()) == set()


def test_coverage_counts_documents_failures_and_parts_that_were_not_read(store: Store) -> None:
    half = Ledger(parts=5, read=2, empty=1, ocr=0, failed=2, left_out=0, problems=())
    new = make_version("skan.pdf", "strona", given={"rok": "2025"})
    store.replace(replace(new, document=replace(new.document, ledger=half)))
    store.replace(make_version("a.txt", "tekst"))
    store.record_unread(make_unread("b.pdf", DocumentState.FAILED, "unreadable"))
    store.set_label(document_id("skan.pdf"), "hr")
    with store.moment() as moment:
        assert moment.coverage() == Coverage(documents=3, failed=1, unread_parts=3)
        allowed = moment.allowed([Condition("rok", "=", ("2025",))])
        assert moment.coverage(allowed) == Coverage(documents=1, failed=0, unread_parts=3)
        assert (allowed.documents, allowed.chunks) == (1, 1)
    with Store.open(store.path, labels=()) as everyone, everyone.moment() as moment:
        assert moment.coverage() == Coverage(documents=2, failed=1, unread_parts=0)


def test_what_another_back_end_allowed_is_no_filter_here(store: Store) -> None:
    with store.moment() as moment, pytest.raises(TypeError, match="not of this back-end"):
        moment.coverage(object())  # type: ignore[arg-type]


def test_scores_are_told_for_chunks_below_the_hits_and_for_none_that_may_not_be_read(
    store: Store,
) -> None:
    words = ("latarnia latarnia", "latarnia kotwica", "latarnia kotwica busola")
    versions = [make_version(f"{n}.txt", text, chunk_characters=99) for n, text in enumerate(words)]
    for version in versions:
        store.replace(version)
    store.set_label(document_id("2.txt"), "hr")
    ids = [version.chunks[0].id for version in versions]
    with Store.open(store.path, labels=()) as everyone, everyone.moment() as moment:
        query = analyse_question("latarnia", languages=["pl"])
        scored = moment.by_words(query, depth=1, allowed=None).scored
        assert [hit.chunk_id for hit in scored.hits] == [ids[0]]
        scores = scored.scores_of(ids)
        assert set(scores) == set(ids[:2])
        assert scores[ids[0]] > scores[ids[1]] > 0
        spread = scored.spread()
        assert spread.mean == pytest.approx((scores[ids[0]] + scores[ids[1]]) / 2, abs=1e-6)


def test_an_index_that_names_a_chunk_which_is_not_there_is_damage(store: Store) -> None:
    with store.moment() as moment, pytest.raises(CorpusFormatError, match="names chunk c0"):
        moment.passages(["c0"])  # type: ignore[list-item]


def test_a_user_writes_nothing(store: Store) -> None:
    store.replace(make_version("a.txt", "tekst"))
    with Store.open(store.path, labels=["hr"]) as user, pytest.raises(NotAllowedError):
        user.remove(document_id("a.txt"))


def test_vectors_are_written_with_the_version_and_come_back_by_passage(store: Store) -> None:
    from cytat.text.identity import passage_text, text_hash

    key = text_hash(passage_text("a.txt", (), "", "tekst"))
    unit = np.array([0.6, 0.8, 0, 0], dtype=np.float32)
    store.replace(make_version("a.txt", "tekst", vectors={key: unit, b"of no chunk": unit}))
    with store.moment() as moment:
        assert np.array_equal(moment.vectors_of([key])[key], unit)
        ((chunk_id, vector),) = moment.all_vectors()
        assert (chunk_id, vector.tolist()) == (
            moment.chunks(document_id("a.txt"))[0].chunk.id,
            unit.tolist(),
        )
    check_whole(store)
